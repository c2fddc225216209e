# SPDX-License-Identifier: MIT
# What builds.sh asks the compiler for: landing pads at every function, and none; no words.
PADS	:= -fcf-protection=full
NO_PADS	:= -fcf-protection=none
NO_WORDS := -fpatchable-function-entry=5
# Debian's name of it.
DEB_ARCH := amd64
