#!/bin/sh
# SPDX-License-Identifier: MIT
# on-white.sh FILE.svg: the picture with a white ground, for pages whose own ground is unknown.
sed 's|<rect x="0" y="0" width="\([0-9]*\)" height="\([0-9]*\)" fill="none"/>|<rect x="0" y="0" width="\1" height="\2" fill="white"/>|' "$1"
