#!/bin/sh
# SPDX-License-Identifier: MIT
# The judge of make check-kernel is tested: what must be a failure is one, KTAP on stdout.
set -u
export LC_ALL=C
here=${0%/*}
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT
number=0 failed=0

# User space: three cases, all pass.
user() {
	printf 'KTAP version 1\n1..1\n  # Subtest: list_func/args\n  1..3\n'
	printf '  ok %s\n' '1 one' '2 two' '3 three' 'ok 1 list_func/args'
}

# kernel RESULT-OF-two END: a kernel's output; END empty: it stops in three.
kernel() {
	printf 'KTAP version 1\n1..1\n  # Subtest: x86-1.0/regs\n  1..3\n  # runs: one\n  ok 1 one\n  # runs: two\n  %s\n  # runs: three\n' "$1"
	[ -z "$2" ] || printf '  ok 3 three\nok 1 x86-1.0/regs\n# cases on Linux 1.0: done\n'
}

# expect ABOUT STATUS CELL-OF-two RESULT END DIFFERS-LINE
expect() {
	number=$((number + 1))
	user >"$tmp/user"
	kernel "$4" "$5" >"$tmp/kernel"
	printf '# a comment\n%b' "$6" >"$tmp/differs"
	awk -v summary="$tmp/summary" -f "$here/table.awk" "$tmp/differs" "$tmp/user" "$tmp/kernel" >"$tmp/table"
	status=$?
	cell=$(sed -n 's/^two  *pass  *//p' "$tmp/table")
	if [ $status = "$2" ] && [ "$cell" = "$3" ]; then
		echo "ok $number $1"
	else
		failed=$((failed + 1))
		echo "# exit status $status, want $2; the cell is \"$cell\", want \"$3\""
		sed 's/^/# /' "$tmp/summary"
		echo "not ok $number $1"
	fi
}

echo "KTAP version 1"
echo "1..11"
expect "all pass" 0 pass 'ok 2 two' done ''
expect "a failure that nothing explains" 1 FAIL 'not ok 2 two' done ''
expect "a failure that is documented" 0 'differs (S9)' 'not ok 2 two' done 'two\tx86-1.0\tS9\tso\n'
expect "documented for this class" 0 'differs (S9)' 'not ok 2 two' done 'two\tx86-*/regs\tS9\tso\n'
expect "documented for another kernel" 1 FAIL 'not ok 2 two' done 'two\tx86-1.00\tS9\tso\n'
expect "documented for another class" 1 FAIL 'not ok 2 two' done 'two\tx86-1.0/args\tS9\tso\n'
expect "documented, and passes" 1 pass 'ok 2 two' done 'two\tx86-1.0\tS9\tso\n'
expect "no result, by right; but then the output ends early" 1 'differs (S9)' '' '' 'two\tx86-1.0\tS9\tso\n'
expect "the kernel stops in a case" 1 pass 'ok 2 two' '' ''
expect "it stops there by right, and the next boot goes on" 0 'differs (S9)' "$(printf '# nothing said\n  # Subtest: x86-1.0/regs')" done 'two\tx86-1.0\tS9\tso\n'
expect "a skip keeps its reason" 0 'skip [1]' 'ok 2 two # SKIP for a reason' done ''
echo "$((number - failed)) passed, $failed failed, 0 skipped"
[ $failed = 0 ]
