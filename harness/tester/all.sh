#!/bin/sh
# SPDX-License-Identifier: MIT
# all.sh NAME COMMAND ...: runs KTAP programs one after the other as subtests,
# and closes with the sum of their closing lines.
set -u
sums=$(mktemp) || exit 2
trap 'rm -f "$sums"' EXIT

echo "KTAP version 1"
echo "1..$(($# / 2))"
number=0
while [ $# -ge 2 ]; do
	number=$((number + 1))
	{ sh -c "$2"; echo "exit $?"; } | awk -v name="$1" -v number=$number -v sums="$sums" '
		BEGIN { print "  # Subtest: " name }
		/^exit [0-9]+$/ { status = $2; next }
		/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ { closing = $0; next }
		{ print "  " $0; fflush() }
		END {
			# One that ends without its closing line has failed, whatever its status.
			print closing ? closing : "0 passed, 1 failed, 0 skipped" >> sums
			printf "%sok %d %s\n", closing && !status ? "" : "not ", number, name
		}'
	shift 2
done
awk '{ passed += $1; failed += $3; skipped += $5 }
     END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	   exit failed || !passed }' "$sums"
