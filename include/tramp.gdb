# SPDX-License-Identifier: MIT
# For gdb: source it before a program with tramplab runs, or right after attaching.
#
# The core asks threads where they are by the highest real-time signal that is free:
# no news for anybody.
handle SIG64 nostop noprint pass
