# SPDX-License-Identifier: MIT
# What builds.sh asks the compiler for: landing pads at every function, and none.
PADS	:= -mbranch-protection=standard
NO_PADS	:= -mbranch-protection=none
