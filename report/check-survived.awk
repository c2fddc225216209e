# SPDX-License-Identifier: MIT
# Is this file a survived.csv, whole, and its meta.txt (meta.awk) of the same run?  Says where not.
BEGIN {
	FS = ","
	want = "case,strategy,class,outcome,number,what"
}
function bad(why) { print FILENAME ":" NR ": " why; failed = 1; exit 1 }
NR == 1 && $0 != want { bad("the first line is not \"" want "\"") }
NR == 1 { next }
NF != 6 { bad(NF " of 6 columns: cut off?") }
$4 !~ /^(passed|failed|skipped)$/ { bad("\"" $4 "\" is no outcome") }
$5 !~ /^[0-9]+$/ { bad("\"" $5 "\" is no number") }
$4 != "failed" && $5 > 0 && $6 == "" { bad("a number of nothing") }
!seen[$1, $2, $3]++ { count[$4]++ }
END {
	if (failed)
		exit 1
	split("passed failed skipped", outcome, " ")
	for (i = 1; i <= 3; i++)
		if (count[outcome[i]] + 0 != meta[outcome[i]] + 0) {
			print FILENAME ": " count[outcome[i]] + 0 " cases " outcome[i] ", and meta.txt says " meta[outcome[i]] + 0
			exit 1
		}
	if (NR < 2) { print FILENAME ": no row after the header"; exit 1 }
}
