#!/bin/sh
# SPDX-License-Identifier: MIT
# text-bytes.sh CC SITE_CFLAGS FLAGS: what sites cost in program text, as lines of the
# raw data: core/ compiled without sites, with the site's instruction alone, and
# with the word beside it that the port's flags leave room for.
set -eu

cc=$1 site_cflags=$2 flags=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# -fpatchable-function-entry=N,M: M of N stand before the function.
entry=$(echo "$site_cflags" | sed -n 's/.*-fpatchable-function-entry=\([0-9,]*\).*/\1/p')
before=0
case $entry in
*,*) before=${entry#*,} ;;
esac
alone=-fpatchable-function-entry=$((${entry%,*} - before))

# Bytes of text, and functions, of all objects.
sum() {
	readelf -SW "$dir"/*.o | sed 's/\[ */[/' | awk '$2 ~ /^\.text/ { print "text", $6 }'
	readelf -sW "$dir"/*.o | awk '$4 == "FUNC" && $3 > 0 { print "func" }'
}
measure() {	# METRIC NOTE FLAGS...
	metric=$1 note=$2
	shift 2
	for source in core/*.c; do
		object=$(basename "$source" .c).o
		# shellcheck disable=SC2086 # words
		$cc $flags -g0 "$@" -c -o "$dir/$object" "$source"
	done
	sum | while read -r what size; do
		[ "$what" = func ] && echo func || echo "text $((0x$size))"
	done | awk -v metric="$metric" -v note="$note" '
		$1 == "text" { text += $2 }
		$1 == "func" { functions++ }
		END { printf "M,memory,-,-,-,0,0,%d,%s,%.10g,%s\n", functions, metric, text / functions, note }'
}

measure text_bytes_no_site "mean of a function"
measure text_bytes_site "the same with $alone" "$alone"
# shellcheck disable=SC2086 # words
[ "$before" = 0 ] || measure text_bytes_word "the same with $entry: a word before the function" $site_cflags
