#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh USER TAG...: the module in each kernel, its output stored under
# results/kernel/TAG/ and compared with user space, which is in USER.ktap and
# USER-matrix.csv.  Ends in the harness's last line.
#   FULL=1    also what takes minutes or kills the guest, and the matrix up to 100 ops
#   MOST=n    the matrix up to n ops
#   REPEAT=n  boots that the matrix has to come out the same in
set -u
. harness/kernel/lib.sh
here=harness/kernel
out=results/kernel
user=$1
shift
mkdir -p $out

# boot LOG ARGUMENTS...
boot() {
	log=$1
	shift
	export SECONDS_MAX="${SECONDS_MAX:-${FULL:+3600}}"
	echo "# $tag: booting for $1" >&2
	$here/boot.sh "$tag" "$@" >"$log" || die "QEMU ended with status $?; its output is in $log"
}

# What of the console is whose.
ktap_of() { grep -E '^ *(KTAP version 1|1\.\.[0-9]+|(not )?ok [0-9]+ .*|# .*)$' "$1"; }
observed() { sed -n 's/^obs	//p' "$1"; }
matrix_of() { sed -n "s/^\(base\|cell\|refused\),/$tag,&/p" "$1"; }

# Each in a guest of its own, since its end may be the answer.
risky() {
	sed -n 's/^CASE(\([a-z_0-9]*\),.*CASE_KILLS_KERNEL.*/\1/p' harness/cases/*.c |
	while read -r name; do
		case $name in ${CASE:-*}) ;; *) continue ;; esac
		(boot "$dir/kills.log" run=cases kills=1 case="$name") || true
		ktap_of "$dir/kills.log"
	done
}

meta() {
	echo "kernel=$(sed -n 's/^# [a-z]* on Linux \(.*\): done$/\1/p' "$dir/console.log" | head -1)"
	echo "qemu=$($qemu --version | head -1)"
	echo "compiler=$("${cross}gcc" --version | head -1)"
}

one() {
	kernel "$1"
	# Before anything is fetched.
	need "$qemu" "$qemu_package"
	need cpio cpio
	[ -n "${KDIR:-}" ] || $here/get.sh "$tag" || return
	$here/build.sh "$tag" || return
	most=${FULL:+100}
	most=${MOST:-${most:-10}}
	boot "$dir/console.log" run=observe,matrix,cases "case=${CASE:-*}" slow=${FULL:-0} most=$most ${KVM:+repeat=20}
	store=$out/$tag
	mkdir -p "$store"
	ktap_of "$dir/console.log" >"$store/cases.ktap"
	observed "$dir/console.log" >"$store/observations.tsv"
	matrix_of "$dir/console.log" >"$store/matrix.csv"
	meta >"$store/meta.txt"
	[ -z "${FULL:-}" ] || risky >>"$store/cases.ktap"

	# Cycles are never the same twice.
	[ -z "${KVM:-}" ] || return 0
	for n in $(seq 2 "${REPEAT:-3}"); do
		boot "$dir/matrix-$n.log" run=matrix most=$most
		matrix_of "$dir/matrix-$n.log" | cmp -s - "$store/matrix.csv" || die "$tag: the matrix of boot $n is not that of the first: $dir/matrix-$n.log"
	done
	! grep -E '^[^,]*,(base|cell),' "$store/matrix.csv" | grep -qv ',0$' || die "$tag: a count does not come out even: $store/matrix.csv"
}

# The list's reasons have to exist.
sed -n '/^[^#]/p' $here/differs | cut -f3 | sort -u | while read -r rule; do
	grep -qE "^- \*\*([^*]*, )?$rule(, [^*]*)?\*\*" docs/semantics.md || die "harness/kernel/differs names $rule, which docs/semantics.md does not have"
done || exit 1

skipped=0 failed=0 done=
for tag; do
	(one "$tag")
	case $? in
	0) done="$done $tag" ;;
	77) skipped=$((skipped + 1)) ;;
	*) failed=$((failed + 1)) ;;
	esac
done
if [ -z "$done" ]; then
	echo "0 passed, $failed failed, $skipped skipped"
	[ $failed = 0 ]
	exit
fi

cp "$user.ktap" $out/user.ktap
cp "$user-matrix.csv" $out/user-matrix.csv
$here/tables.sh $out text "$done"
grep '^#' $out/summary.txt
echo "# tables: $out/conformance.txt $out/matrix.txt $out/observations.txt"
tail -1 $out/summary.txt | awk -v failed=$failed -v skipped=$skipped '{
	print $1 " passed, " $3 + failed " failed, " $5 + skipped " skipped"
	exit !$1 || $3 + failed > 0
}'
