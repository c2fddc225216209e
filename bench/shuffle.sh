#!/bin/sh
# SPDX-License-Identifier: MIT
# shuffle.sh ORDER SEED WORD... : the words in a link order's own order, the same each time.
# awk's generator: it is everywhere, and shuf has no seed.
order=$1 seed=$2
shift 2
[ "$order" = 0 ] && { echo "$*"; exit; }
printf '%s\n' "$@" |
	awk -v seed="$((seed * 1000 + order))" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' |
	sort -n | cut -d' ' -f2- | tr '\n' ' '
