# SPDX-License-Identifier: MIT
# title: What was survived
# The sums of the last make torture of each port: no figure is of a case that failed.

END {
	n = read_torture()
	if (!n)
		say("<span class=\"absent\">No run of <code>make torture</code> is stored.</span>")
	for (t = 1; t <= n; t++)
		one_run(t)
}

function one_run(t,    i, row)
{
	say("<b>" esc(torture_what(t)) "</b>, " esc(of_run[t, "date"]) ": " esc(torture_how(t)) "; " torture_count(t) ". The same again: " code(of_run[t, "command"]) ".")
	if (t == 1)
		say("The cases walk through the windows: each instruction of a trampoline, each store of a patch, each call of a sequence, each failure of a call to the system; what they counted was checked on the way.")
	for (i = 1; i <= failures[t]; i++)
		say("<p class=verdict>Failed: " esc(failure[t, i]) "</p>")
	if (kinds[t])
		sums(t)
	else
		say("Nothing was counted.")
	row = ""
	for (i = 1; i <= skips[t]; i++)
		row = row (i > 1 ? "<br>" : "") "Skipped, " (skip_count[t, skip[t, i]] == 1 ? "once" : skip_count[t, skip[t, i]] " times") ": " esc(skip[t, i]) "."
	if (skips[t])
		say("<p class=absent>" row "</p>")
}

function sums(t,    i, j, ns, row)
{
	for (i = 1; i <= nr_strategy_order; i++)
		if ((t, strategy_order[i]) in had_strategy)
			strategies[++ns] = strategy_order[i]
	row = "survived|in all"
	for (j = 1; j <= ns; j++)
		row = row "|" code(strategies[j])
	table = words
	begin_table(row ((t, "-") in had_strategy ? "|programs" : ""))
	for (i = 1; i <= kinds[t]; i++)
		add_row(kind_row(t, kind[t, i], ns))
	end_table()
}

# All classes of a strategy added up.
function kind_row(t, what, ns,    j, row)
{
	row = esc(what) "|" whole(whole_sum[t, what])
	for (j = 1; j <= ns; j++)
		row = row "|" ((t, what, strategies[j]) in sum ? whole(sum[t, what, strategies[j]]) : "")
	return row ((t, "-") in had_strategy ? "|" ((t, what, "-") in sum ? whole(sum[t, what, "-"]) : "") : "")
}
