#!/bin/sh
# SPDX-License-Identifier: MIT
# torture.sh [CHECK-OPTION ...]: the torture cases for TIME seconds, stored under
# results/ (see its README).  Started by harness.mk, with everything in the environment.
set -eu

SEED=${SEED:-$(date +%s)}
KIND=-torture
. harness/store.sh

case $TIME in
'' | *[!0-9]* | 0*) echo "torture: TIME=$TIME is no number of seconds" >&2; exit 2 ;;
esac
command="make torture${emulated:+ ARCH=$ARCH} TIME=$TIME SEED=$SEED${IMPL:+ IMPL='$IMPL'}${CASE:+ CASE='$CASE'}${CLASS:+ CLASS='$CLASS'}"
mkdir -p "$tmp"

# Ends in the line that sums up, or there is no result.
echo "# $command"
start=$(date +%s)
{
	status=0
	run "$B/check" "$@" --torture "$TIME" --seed "$SEED" --survived "$tmp/survived.csv" \
		--builds "sh harness/builds.sh" || status=$?
	echo "$status" >"$tmp/status"
} | tee "$tmp/ktap"
status=$(cat "$tmp/status")
seconds=$(($(date +%s) - start))
sums=$(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/passed=\1 failed=\2 skipped=\3/p' "$tmp/ktap" | tail -1 | tr ' ' '\n')
if [ "$status" -gt 1 ] || [ -z "$sums" ]; then
	echo "torture: not finished (status $status); nothing is stored" >&2
	exit 1
fi

{
	meta_common
	echo "case=$CASE"
	echo "class=$CLASS"
	echo "time=$TIME"
	echo "seconds=$seconds"
	echo "$sums"
	echo "command=$command"
} >"$tmp/meta.txt"
# What the runner says behind the cases, and what failed with its reasons.
grep -v '^ *ok \|^ *KTAP version\|^ *1\.\.\|^ *# Subtest' "$tmp/ktap" >"$tmp/summary.txt"
rm "$tmp/ktap" "$tmp/status"
echo "# $seconds s; the same again: $command"
store
exit "$status"
