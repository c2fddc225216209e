#!/bin/sh
# SPDX-License-Identifier: MIT
# The report of a damaged, empty or foreign run is a clear error, and what a
# run lacks is a line on the page.  $1: a run that is whole.
set -eu
cd "${0%/*}/.."
run=$1
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
unset TORTURE
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

# Many functions in turn; figures by hand.
fresh; sed -i '/^many_functions,/d' "$t/run/summary.csv"
check "a run without many functions" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "says so" 0 'This run has no many_functions figures' cat "$t/o/report.html"
# STRATEGY CLASS REGIME OTHER-OPS FUNCTIONS METRIC VALUE LO HI
while read -r st class regime irr sites figure; do
	echo "many_functions,$st,$class,$regime,1,$irr,$sites,$(echo "$figure" | tr ' ' ','),"
done >>"$t/run/summary.csv" <<-EOF
	dyn_tramp args in_turn 0 4096 cycles_over_untraced 8 8 8
	dyn_tramp args in_turn 15 4096 cycles_over_untraced 24 23 25
	call_ops args in_turn 0 4096 cycles_over_untraced 9 9 9
	call_ops args in_turn 15 4096 cycles_over_untraced 10 10 10
	call_ops args in_turn 15 1 cycles_over_untraced 7 7 7
	floor - in_turn 0 4096 cycles_over_untraced 6 6 6
	untraced - in_turn 0 4096 cycles_total 30 30 30
	untraced_b - in_turn 0 4096 cycles_over_untraced 25 25 25
	dyn_tramp args - 15 4096 code_bytes 976 976 976
	dyn_tramp args - 255 4096 code_bytes 15616 15616 15616
EOF
check "one with many functions" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "has its plot" 0 '16 ops, in memory order' cat "$t/o/many_functions.svg"
check "and its table" 0 '<td>in memory order</td><td>16</td><td>24.0 .23.0, 25.0.</td><td>10.0</td><td>6.00</td>' cat "$t/o/report.html"
check "says whom many ops cost something" 0 'in place of one take <code>dyn_tramp</code> from 8.00 to 24.0 core cycles a call; they leave <code>call_ops</code> (9.00 and 10.0)' cat "$t/o/report.html"
check "and what had no round" 0 'Of 256 ops no round was kept' cat "$t/o/report.html"
check "which has no picture" 1 '^0$' grep -c '256 ops' "$t/o/many_functions.svg"
check "has the code beside it" 0 '<td>4.*096</td><td>16</td><td>976</td><td></td></tr>' cat "$t/o/report.html"
check "is in the mail" 0 '^ *4,096 *16 *24.0 *10.0 *(6.00)$' cat "$t/o/report.txt"
check "but for ops without a function" 1 '^0$' grep -c '^ *1 *16  ' "$t/o/report.txt"
check "its code is there, too" 0 '^ *bytes *16 *976 *-$' cat "$t/o/report.txt"
check "with no line longer than 76" 1 '^0$' grep -c '.\{77\}' "$t/o/report.txt"
sed -i '/^many_functions,[dc]/d' "$t/run/summary.csv"
echo 'many_functions,call_ops,args,-,1,15,4096,code_bytes,61,61,61,' >>"$t/run/summary.csv"
check "one of which nothing was kept" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "its error is its own" 1 '^0$' grep -c 'at worst.*(many_functions' "$t/o/report.html"

# Threads; figures by hand.
fresh; sed -i '/^threads,/d' "$t/run/summary.csv"
check "a run without threads" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "says so" 0 'This run has no threads figures' cat "$t/o/report.html"
for row in own-1,cycles_over_untraced,10,10,11, same-7,cycles_over_untraced,15,14,16, own-7,cycles_over_untraced,,,,'orders nan' \
	own-1-here,cycles_over_untraced,70,60,80, own-1-here,changes_per_s,1234,1000,2000,; do
	echo "threads,list_func,args,${row%%,*},1,0,1,${row#*,}"
done >>"$t/run/summary.csv"
echo 'threads,-,-,own-7-here,1,0,1,cycles_over_untraced,,,,too few of them' >>"$t/run/summary.csv"
check "one with threads" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "has them over one" 0 '^7 in one and the same function: <code>list_func</code> 1.50' cat "$t/o/report.html"
check "and how many changes" 0 '<td>1 thread</td><td>changes here</td><td><code>list_func</code></td><td>70.0 .60.0, 80.0.</td><td>7.00</td><td>1.*234' cat "$t/o/report.html"
check "what was skipped, why" 0 'More was not measured: too few of them' cat "$t/o/report.html"
check "they are in the mail" 0 '^list_func *10.0 *15.0 *- *70.0 *- *1,234$' cat "$t/o/report.txt"
check "with no line longer than 76" 1 '^0$' grep -c '.\{77\}' "$t/o/report.txt"

# Another port's, under an emulator: this run's counts and bytes under its name.
fresh; mkdir "$t/other"
grep -E '^(scenario|insns|memory),' "$run/summary.csv" >"$t/other/summary.csv"
echo 'many_functions,dyn_tramp,args,-,1,15,4096,code_bytes,1920,1920,1920,' >>"$t/other/summary.csv"
{ grep -vE '^(arch|quality|rounds|aa)' "$run/meta.txt"; echo arch=other; echo 'emulated=an emulator'; } >"$t/other/meta.txt"
check "a second port's run" 0 'plots of' report/report.sh "$t/run" "$t/o" "$t/other"
check "has a section of its own" 0 "<h2>Exact instructions, other" cat "$t/o/report.html"
check "has the code of its many functions" 0 '<td>other</td><td>4.*096</td><td>16</td>.*<td>1.*920</td>' cat "$t/o/report.html"
check "is in the table of bytes" 0 '<td>other</td><td><code>dyn_tramp' cat "$t/o/report.html"
check "is in the mail" 0 '^other (emulated by an emulator)' cat "$t/o/report.txt"
check "an emulated run by itself" 0 'plots of' report/report.sh "$t/other" "$t/o"
check "has no times and says so" 0 'no traced_call figures. It was emulated' cat "$t/o/report.html"
check "nor in the mail" 1 '^0$' grep -c 'ns)' "$t/o/report.txt"
echo 'memory,dyn' >>"$t/other/summary.csv"
check "a second run that is damaged" 1 'damaged' report/report.sh "$t/run" "$t/o" "$t/other"

# What was survived; a run of make torture by hand.
fresh
# outcome number what
torture() {
	rm -rf "$t/torture"; mkdir "$t/torture"
	{
		echo case,strategy,class,outcome,number,what
		echo one,list_func,args,passed,1000,calls counted
		echo one,list_func,args,passed,7,forks
		echo one,dyn_tramp,args,passed,234567,calls counted
		echo two,-,build,passed,5,forks
		echo three,dyn_tramp,args,failed,0,killed by SIGSEGV
		echo three,list_func,args,skipped,0,no reason
	} >"$t/torture/survived.csv"
	printf '%s\n' date=then commit=abc dirty=no arch=this seed=77 seconds=12 passed=3 failed=1 skipped=1 \
		'command=make torture SEED=77' >"$t/torture/meta.txt"
}
survived() { TORTURE="$t/torture" report/report.sh "$t/run" "$t/o"; }
torture
check "a run of make torture" 0 'plots of' survived
check "has its sums by strategy" 0 '<td>calls counted</td><td>235.*567</td><td>1.*000</td><td>234.*567</td><td></td>' cat "$t/o/report.html"
check "programs have theirs" 0 '<td>forks</td><td>12</td><td>7</td><td></td><td>5</td>' cat "$t/o/report.html"
check "what failed is there" 0 'Failed: three (dyn_tramp/args): killed by SIGSEGV' cat "$t/o/report.html"
check "what was skipped, too" 0 'Skipped, once: no reason' cat "$t/o/report.html"
check "seed and sums are in the mail" 0 'Survived in 12 s from seed 77' cat "$t/o/report.txt"
check "with what failed" 0 '  failed: three' cat "$t/o/report.txt"
check "no longer line there either" 1 '^0$' grep -c '.\{77\}' "$t/o/report.txt"
sed -i '$d' "$t/torture/survived.csv"
check "a run that lost a line" 1 'and meta.txt says 1' survived
torture; sed -i '$s/,no reason//' "$t/torture/survived.csv"
check "a line cut off" 1 'damaged' survived
torture; sed -i '2s/1000/many/' "$t/torture/survived.csv"
check "a sum that is no number" 1 'is no number' survived
torture; : >"$t/torture/survived.csv"
check "an empty one" 1 'missing or empty' survived
torture; rm "$t/torture/meta.txt"
check "one without meta.txt" 1 'meta.txt is missing' survived
rm -r "$t/torture"
check "none where one was named" 1 'no such run' survived
check "no run at all" 0 'plots of' report/report.sh "$t/run" "$t/o"
check "is said on the page, too" 0 'No run of <code>make torture</code> is stored' cat "$t/o/report.html"

# The kernels' rules are what was counted in them.
check "kernel.csv agrees with the stored counts" 0 ' cells, 0 off' awk -f report/check-kernel.awk report/kernel.csv results/reference/kernel/*/matrix.csv

echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
