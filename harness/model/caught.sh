#!/bin/sh
# SPDX-License-Identifier: MIT
# caught.sh MODEL: random calls must catch strategies that are wrong on
# purpose, and what they print must be short: no longer than harness/model/caught says.
set -u
model=$1
list=$(dirname "$0")/caught
number=0 failed=0

echo "KTAP version 1"
echo "1..$(grep -c '^[a-z]' "$list")"
while read -r strategy class longest; do
	case $strategy in '' | '#'*) continue ;; esac
	number=$((number + 1))
	calls='' seed=0
	# What a strategy does wrong may be what the first seed has no use for.
	while [ -z "$calls" ] && [ $seed -lt 5 ]; do
		seed=$((seed + 1))
		said=$($model --impl "$strategy" --class "$class" --steps 5000 --seed $seed 2>/dev/null)
		calls=$(echo "$said" | sed -n 's/^# --impl .*, \([0-9]*\) calls, the last: .*/\1/p')
	done
	what=$(echo "$said" | sed -n 's/^# --impl .* calls, the last: //p')
	if [ -n "$calls" ] && [ "$calls" -le "$longest" ]; then
		echo "ok $number $strategy/$class caught by $calls calls: $what"
	else
		failed=$((failed + 1))
		echo "$said" | sed 's/^/# /'
		echo "not ok $number $strategy/$class caught by at most $longest calls"
	fi
done <"$list"
echo "$((number - failed)) passed, $failed failed, 0 skipped"
[ $failed = 0 ] && [ $number != 0 ]
