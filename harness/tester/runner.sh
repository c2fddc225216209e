#!/bin/sh
# SPDX-License-Identifier: MIT
# runner.sh CHECK: what the runner makes of a case that never ends, and of a request
# that no case answers.
set -u
check=$1
out=$(mktemp) || exit 2
trap 'rm -f "$out"' EXIT
number=0 failed=0

# expect WHAT PATTERN
expect() {
	number=$((number + 1))
	if grep -Eq -- "$2" "$out"; then
		echo "ok $number $1"
	else
		failed=$((failed + 1))
		sed 's/^/# /' "$out"
		echo "not ok $number $1"
	fi
}

run() {
	$check "$@" >"$out" 2>&1
	echo "status $?" >>"$out"
}

echo "KTAP version 1"
echo "1..6"
run --impl hangs --class args --case called_once --timeout 1
expect "a case that never ends fails" '^ *not ok 1 called_once$'
expect "it says why" '^ *# timed out after [0-9]+ s$'
expect "and where it is" '# output: process [0-9]+, thread [0-9]+ \(.*\): S, system call [0-9]+, at .'
expect "the run fails" '^status 1$'
run --case no_such_case
expect "a case that is not there is said" 'no_such_case'
expect "and is no success" '^status [12]$'
echo "$((number - failed)) passed, $failed failed, 0 skipped"
[ $failed = 0 ]
