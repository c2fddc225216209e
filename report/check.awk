# SPDX-License-Identifier: MIT
# Is this file a summary.csv, whole?  Says where not.
BEGIN {
	FS = ","
	want = "scenario,strategy,class,regime,relevant,irrelevant,sites,metric,value,lo,hi,note"
}
function bad(why) { print FILENAME ":" NR ": " why; failed = 1; exit 1 }
NR == 1 && $0 != want { bad("the first line is not \"" want "\"") }
NR == 1 { next }
NF < 11 { bad("only " NF " of 12 columns: cut off?") }
$1 == "" || $2 == "" || $8 == "" { bad("no scenario, strategy or metric") }
!number_or_none($9) || !number_or_none($10) || !number_or_none($11) { bad("value, lo or hi is not a number") }
$10 != "" && $11 != "" && $10 + 0 > $11 + 0 { bad("lo is above hi") }
function number_or_none(s) { return s == "" || s == "-" || number(s) }
function number(s) { return s ~ /^-?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ || s ~ /^-?[0-9]+\.$/ }
END {
	if (!failed && NR < 2) { print FILENAME ": no row after the header"; exit 1 }
	exit failed
}
