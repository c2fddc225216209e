#!/bin/sh
# SPDX-License-Identifier: MIT
# The report of a damaged, empty or foreign run is a clear error, and what a
# run lacks is a line on the page.  $1: a run that is whole.
set -eu
cd "${0%/*}/.."
run=$1
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
passed=0 failed=0

check() {	# name want-status want-text command...
	name=$1 status=$2 text=$3; shift 3
	got=0
	"$@" >"$t/out" 2>&1 || got=$?
	if [ "$got" = "$status" ] && grep -q -e "$text" "$t/out"; then
		passed=$((passed + 1)); echo "ok $((passed + failed)) - report: $name"
	else
		failed=$((failed + 1)); echo "not ok $((passed + failed)) - report: $name"
		echo "# status $got, want $status; want \"$text\", got:"; sed 's/^/# /' "$t/out" | head -5
	fi
}
fresh() { rm -rf "$t/run"; mkdir "$t/run"; cp -L "$run"/* "$t/run/" 2>/dev/null || :; }

fresh
check "a whole run" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "no line of the mail is longer than 76" 1 '^0$' grep -c '.\{77\}' "$t/o/report.txt"
check "the page fetches nothing" 1 '^0$' grep -cE '(src|href)=.?https?:|@import|<script' "$t/o/report.html"
check "no such folder" 1 'no such run' report/report.sh "$t/none" "$t/o"
fresh; : >"$t/run/summary.csv"
check "an empty summary" 1 'missing or empty' report/report.sh "$t/run" "$t/o"
fresh; echo 'name,iterations,real_time' >"$t/run/summary.csv"
check "a foreign summary" 1 'first line is not' report/report.sh "$t/run" "$t/o"
fresh; head -n 20 "$run/summary.csv" | head -c 900 >"$t/run/summary.csv"
check "a summary cut off" 1 'damaged' report/report.sh "$t/run" "$t/o"
fresh; sed '3s/,[0-9.e+-]*,/,much,/5' "$run/summary.csv" | awk -F, -v OFS=, 'NR == 3 { $9 = "much" } 1' >"$t/run/summary.csv"
check "a value that is no number" 1 'not a number' report/report.sh "$t/run" "$t/o"
fresh; head -n 1 "$run/summary.csv" >"$t/run/summary.csv"
check "a header alone" 1 'no row' report/report.sh "$t/run" "$t/o"
fresh; rm -f "$t/run/meta.txt"
check "no meta.txt" 1 'meta.txt is missing' report/report.sh "$t/run" "$t/o"
fresh; echo '{"results": [' >"$t/run/lua.json"
check "damaged JSON" 1 'not JSON' report/report.sh "$t/run" "$t/o"
fresh; grep -v '^enable_sites' "$run/summary.csv" >"$t/run/summary.csv"; rm -f "$t/run/lua.json"
check "a scenario that is absent" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "is said on the page" 0 'This run has no enable_sites' cat "$t/o/report.html"
fresh; grep -E '^(scenario|traced_call,untraced)' "$run/summary.csv" >"$t/run/summary.csv"; rm -f "$t/run"/*.json
check "references alone" 0 'plots of' report/report.sh "$t/run" "$t/o"

# Another port's, under an emulator: this run's counts and bytes under its name.
fresh; mkdir "$t/other"
grep -E '^(scenario|insns|memory),' "$run/summary.csv" >"$t/other/summary.csv"
{ grep -vE '^(arch|quality|rounds|aa)' "$run/meta.txt"; echo arch=other; echo 'emulated=an emulator'; } >"$t/other/meta.txt"
check "a second port's run" 0 'plots of' report/report.sh "$t/run" "$t/o" "$t/other"
check "has a section of its own" 0 "<h2>Exact instructions, other" cat "$t/o/report.html"
check "is in the table of bytes" 0 '<td>other</td><td><code>dyn_tramp' cat "$t/o/report.html"
check "is in the mail" 0 '^other (emulated by an emulator)' cat "$t/o/report.txt"
check "an emulated run by itself" 0 'plots of' report/report.sh "$t/other" "$t/o"
check "has no times and says so" 0 'no traced_call figures. It was emulated' cat "$t/o/report.html"
check "nor in the mail" 1 '^0$' grep -c 'ns)' "$t/o/report.txt"
echo 'memory,dyn' >>"$t/other/summary.csv"
check "a second run that is damaged" 1 'damaged' report/report.sh "$t/run" "$t/o" "$t/other"

# The kernels' rules are what was counted in them.
check "kernel.csv agrees with the stored counts" 0 ' cells, 0 off' awk -f report/check-kernel.awk report/kernel.csv results/reference/kernel/*/matrix.csv

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
