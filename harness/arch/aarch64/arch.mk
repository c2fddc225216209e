# SPDX-License-Identifier: MIT
# What builds.sh asks the compiler for: landing pads at every function, and none; no words.
PADS	:= -mbranch-protection=standard
NO_PADS	:= -mbranch-protection=none
NO_WORDS := -fpatchable-function-entry=2
# Debian's name of it.
DEB_ARCH := arm64
