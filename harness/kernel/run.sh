#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh USER.ktap TAG...: the cases inside each kernel, stored under
# results/kernel/TAG/ and compared with user space.  Ends in the harness's last line.
set -u
. harness/kernel/lib.sh
here=harness/kernel
user=$1
shift
out=results/kernel
mkdir -p $out
cp "$user" $out/user.ktap

skipped=0 failed=0 ktap=

# What of the console is KTAP, and where it got to.
ktap_of() {
	grep -E '^ *(KTAP version 1|1\.\.[0-9]+|(not )?ok [0-9]+ .*|# .*)$' "$1"
}

# boot LOG ARGUMENTS...
boot() {
	log=$1
	shift
	$here/boot.sh "$tag" "$@" >"$log.new" || return
	mv "$log.new" "$log"
}

# Those that a kernel may not survive, each in a guest of its own: the guest's end is the answer.
risky() {
	grep -h -o '^CASE([a-z_0-9]*.*CASE_KILLS_KERNEL' harness/cases/*.c | sed 's/^CASE(\([a-z_0-9]*\),.*/\1/' |
	while read -r name; do
		boot "$out/$tag/kills-$name.log" run=cases kills=1 case="$name" || return
	done
}

one() {
	kernel "$1"
	mkdir -p "$out/$tag"
	if [ -z "${KDIR:-}" ]; then
		$here/get.sh "$tag" || return
	fi
	$here/build.sh "$tag" || return
	echo "# $tag: booting"
	boot "$out/$tag/cases.log" run=cases "case=${CASE:-*}" all_functions=${FULL:-0} || return
	ktap_of "$out/$tag/cases.log" >"$out/$tag/cases.ktap"
}

for tag; do
	(one "$tag")
	case $? in
	0) ktap="$ktap $out/$tag/cases.ktap" ;;
	77) skipped=$((skipped + 1)) ;;
	*) failed=$((failed + 1)); echo "# failed: $tag: see the lines above and $out/$tag/" ;;
	esac
done

if [ -z "$ktap" ]; then
	echo "0 passed, $failed failed, $skipped skipped"
	[ $failed = 0 ]
	exit
fi
# shellcheck disable=SC2086
awk -v summary=$out/summary.txt -f $here/table.awk $here/differs $out/user.ktap $ktap >$out/table.txt
grep "^#" $out/summary.txt
echo "# the table: $out/table.txt"
tail -1 $out/summary.txt | awk -v failed=$failed -v skipped=$skipped '{
	print $1 " passed, " $3 + failed " failed, " $5 + skipped " skipped"
	exit !$1 || $3 + failed > 0
}'
