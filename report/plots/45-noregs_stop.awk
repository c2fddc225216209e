# SPDX-License-Identifier: MIT
# title: Class noregs: where to test the stop switch
# In the list function, or the older way in a helper before it.

END {
	sc = "noregs_stop"; m = "cycles_over_untraced"
	if (!rows[sc, m])
		absent("noregs_stop figures", "<code>make bench</code> measures them.")
	n = axis_len[sc, "strategy"]
	print "<table class=open><thead><tr><th>code</th>" > words
	for (r = 1; r <= axis_len[sc, "regime"]; r++)
		print "<th>" axis[sc, "regime", r] ": core cycles over untraced</th>" > words
	print "</tr></thead><tbody>" > words
	for (i = 1; i <= n; i++) {
		st = axis[sc, "strategy", i]
		line = ""
		some = 0
		for (r = 1; r <= axis_len[sc, "regime"]; r++) {
			k = lookup_any(st, axis[sc, "regime", r])
			some = some || k != ""
			line = line "<td>" (k == "" ? "" : interval(k)) "</td>"
		}
		if (some && st !~ /^untraced$/)
			print "<tr><td>" code(st) "</td>" line "</tr>" > words
	}
	print "</tbody></table>" > words
	for (r = 1; r <= axis_len[sc, "regime"]; r++) {
		a = lookup_any("list_func_in_list", axis[sc, "regime", r])
		b = lookup_any("list_func_helper", axis[sc, "regime", r])
		if (a != "" && b != "")
			list[++nl] = num(value[b] - value[a]) " (" axis[sc, "regime", r] ")"
	}
	if (nl)
		say("A helper between the entry and the list function costs, in core cycles more than testing the switch in the list function itself: " and_list(list, nl) ".")
}

function lookup_any(strategy, regime,    i, k)
{
	for (i = 1; i <= axis_len[sc, "class"]; i++) {
		k = lookup(sc, strategy, axis[sc, "class", i], regime, m)
		if (k != "")
			return k
	}
	return ""
}
