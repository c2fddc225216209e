# SPDX-License-Identifier: MIT
# For gdb, with TRAMP_TOOLS=gdb in the program's environment: source it before the
# program runs, or right after attaching.
#
# Two signals that the core raises in its own program, and no news for anybody: from
# threads that meet a place in text while it changes (x86-64), and by which threads are
# asked where they are (the highest real-time signal that is free: 64, or 60 under QEMU).
handle SIGILL nostop noprint pass
handle SIG64 nostop noprint pass
handle SIG60 nostop noprint pass
