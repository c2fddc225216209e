# SPDX-License-Identifier: MIT
# What builds.sh asks the compiler for: landing pads at every function, and none.
PADS	:= -fcf-protection=full
NO_PADS	:= -fcf-protection=none
