# SPDX-License-Identifier: MIT
# The conformance table: cases down, strategies and kernels across.
#
#   awk -f table.awk [-v form=text|html] [-v summary=FILE] [-v judge="TAG..."]|html] -v summary=FILE differs USER.ktap KERNEL.ktap...
#
# A cell sums up the register classes: one failure is a failure.  What fails in
# a kernel and is listed in differs is "differs (S...)"; what is listed and does
# not fail is a failure, too, so that the list stays true.

BEGIN {
	nr_columns = split("list_func direct_tramp dyn_tramp call_ops fused_tramp", columns, " ")
	if (form == "")
		form = "text"
}

# --- differs ---

FILENAME == ARGV[1] {
	if ($0 !~ /^#/ && NF) {
		split($0, f, "\t")
		n = ++nr_listed
		listed_case[n] = f[1]
		listed_where[n] = as_regex(f[2])
		listed_text[n] = f[2]
		listed_rule[n] = f[3]
	}
	next
}

function as_regex(glob)
{
	gsub(/\./, "[.]", glob)
	gsub(/\*/, ".*", glob)
	return "^" glob (glob ~ /\// ? "" : "/.*") "$"
}

# --- KTAP ---

FNR == 1 { finish_run() }

# A case that has no result is followed by the next one, or the next boot.
/^ *# Subtest: / {
	finish_run()
	group = $3
	column = group
	sub(/\/.*/, "", column)
	seen_column[column] = 1
	appeared[++nr_appeared] = column
	next
}

/^ *# runs: / {
	finish_run()
	running = $3
	is_kernel[column]
	next
}

/^  (not )?ok [0-9]+ / {
	line = $0
	outcome = line ~ /^  not / ? "fail" : "pass"
	sub(/^  (not )?ok [0-9]+ /, "", line)
	why = ""
	if (match(line, / # SKIP /)) {
		why = substr(line, RSTART + 8)
		line = substr(line, 1, RSTART - 1)
		outcome = "skip"
	}
	result(line, outcome, why)
	running = ""
	next
}

/^# .* on Linux .*: done$/ { complete[column] }

function finish_run()
{
	if (running == "")
		return
	if (rule_of(running, group) == "")
		complaint_of(column, column ": the kernel stopped in " running)
	result(running, "fail", "")
	running = ""
}

function result(name, outcome, why,    rule)
{
	if (!(name in seen_case)) {
		seen_case[name]
		cases[++nr_cases] = name
	}
	if (column in is_kernel && outcome != "skip") {
		rule = rule_of(name, group)
		if (outcome == "fail" && rule != "")
			outcome = "differs (" rule ")"
		else if (outcome == "pass" && rule != "")
			complaint_of(column, name " passes in " group ", though listed as different (" rule ")")
	}
	count[column, substr(outcome, 1, 4)]++
	if (outcome == "fail")
		failed_in[column, name] = failed_in[column, name] " " group
	if (rank(outcome) > rank(cell[column, name])) {
		cell[column, name] = outcome
		reason[column, name] = why
	}
}

function rule_of(name, group,    i)
{
	for (i = 1; i <= nr_listed; i++)
		if (listed_case[i] == name && group ~ listed_where[i])
			return listed_rule[i]
	return ""
}

function rank(outcome)
{
	return outcome == "" ? 0 : outcome == "skip" ? 1 : outcome == "pass" ? 2 : outcome == "fail" ? 4 : 3
}

# Kernels, of which others than these may be stored from before.
function judged(column)
{
	return column in is_kernel && (judge == "" || index(" " judge " ", " " column " "))
}

function complaint_of(column, text)
{
	if (judged(column))
		complaint(text)
}

function complaint(text)
{
	complaints[++nr_complaints] = text
}

# --- output ---

END {
	finish_run()
	place_columns()
	for (c = 1; c <= nr_columns; c++)
		if (judged(columns[c]) && !(columns[c] in complete))
			complaint(columns[c] ": its output ends early")
	number_reasons()
	if (form == "html")
		html()
	else
		text()
	print_summary()
	exit !total["pass"] || total["fail"] + nr_complaints > 0
}

# The house order first, then in order of appearance.
function place_columns(    i, n)
{
	n = nr_columns
	nr_columns = 0
	for (i = 1; i <= n; i++)
		place(columns[i])
	for (i = 1; i <= nr_appeared; i++)
		place(appeared[i])
}

function place(column)
{
	if (seen_column[column]) {
		columns[++nr_columns] = column
		seen_column[column] = 0
	}
}

# A number for each different reason of a skip, in order of appearance.
function number_reasons(    i, c, k)
{
	for (i = 1; i <= nr_cases; i++)
		for (c = 1; c <= nr_columns; c++) {
			k = reason[columns[c], cases[i]]
			if (k != "" && cell[columns[c], cases[i]] == "skip" && !(k in note_of)) {
				note_of[k] = ++nr_notes
				notes[nr_notes] = k
			}
		}
}

function shown(column, name,    v)
{
	v = cell[column, name]
	if (v == "")
		return "-"
	if (v == "skip")
		return "skip [" note_of[reason[column, name]] "]"
	return v == "fail" ? "FAIL" : v
}

function text(    i, c, line)
{
	line = sprintf("%-38s", "case")
	for (c = 1; c <= nr_columns; c++)
		line = line sprintf(" %-14s", columns[c])
	print_trimmed(line)
	for (i = 1; i <= nr_cases; i++) {
		line = sprintf("%-38s", cases[i])
		for (c = 1; c <= nr_columns; c++)
			line = line sprintf(" %-14s", shown(columns[c], cases[i]))
		print_trimmed(line)
	}
	for (i = 1; i <= nr_notes; i++)
		print (i == 1 ? "\n" : "") "[" i "] " notes[i]
}

function print_trimmed(line)
{
	sub(/ +$/, "", line)
	print line
}

function html(    i, c, v)
{
	printf "<table class=open><thead><tr><th>case</th>"
	for (c = 1; c <= nr_columns; c++)
		printf "<th><code>%s</code></th>", columns[c]
	print "</tr></thead><tbody>"
	for (i = 1; i <= nr_cases; i++) {
		printf "<tr><td><code>%s</code></td>", cases[i]
		for (c = 1; c <= nr_columns; c++) {
			v = cell[columns[c], cases[i]]
			printf "<td%s>%s</td>", v == "skip" ? " title='" escaped(reason[columns[c], cases[i]]) "'" : "", shown(columns[c], cases[i])
		}
		print "</tr>"
	}
	print "</tbody></table>"
	for (i = 1; i <= nr_notes; i++)
		print "<p>[" i "] " escaped(notes[i]) "</p>"
}

function escaped(s)
{
	gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/'/, "\\&#39;", s)
	return s
}

# For the terminal: what is wrong, then the sum of the kernels' columns.
function print_summary(    i, c, k)
{
	for (c = 1; c <= nr_columns; c++) {
		if (!judged(columns[c]))
			continue
		printf "# %-10s %4d passed, %d failed, %d differ as documented, %d skipped\n", columns[c],
			count[columns[c], "pass"], count[columns[c], "fail"], count[columns[c], "diff"], count[columns[c], "skip"] > summary
		total["pass"] += count[columns[c], "pass"] + count[columns[c], "diff"]
		total["fail"] += count[columns[c], "fail"]
		total["skip"] += count[columns[c], "skip"]
	}
	for (i = 1; i <= nr_cases; i++)
		for (c = 1; c <= nr_columns; c++)
			if (judged(columns[c]) && (columns[c], cases[i]) in failed_in)
				print "# failed: " cases[i] " in" failed_in[columns[c], cases[i]] > summary
	for (i = 1; i <= nr_complaints; i++)
		print "# failed: " complaints[i] > summary
	printf "%d passed, %d failed, %d skipped\n", total["pass"], total["fail"] + nr_complaints, total["skip"] > summary
}
