# SPDX-License-Identifier: MIT
# title: Tracers here by tracers elsewhere
# Ops at the site by ops elsewhere: the table of the mail, in cycles.

END {
	sc = "ops_matrix"; m = "cycles_over_untraced"
	if (!rows[sc, m] || !get_strategies(sc))
		absent("matrix of ops", "<code>make bench</code> measures it.")
	ns = get_strategies(sc)
	class = main_class(sc); regime = main_regime(sc); sites = axis[sc, "sites", 1]
	say("Core cycles over untraced, class " class ", regime " regime ".")
	print "<table class=open><thead><tr><th>ops at the site</th><th>ops elsewhere</th>" > words
	for (s = 1; s <= ns; s++)
		print "<th>" code(strategies[s]) "</th>" > words
	print "</tr></thead><tbody>" > words
	nrel = get_numbers(sc, "rel")
	for (i = 1; i <= nrel; i++)
		rel[i] = numbers[i]
	nirr = get_numbers(sc, "irr")
	for (i = 1; i <= nrel; i++)
		for (j = 1; j <= nirr; j++) {
			line = ""
			least = ""
			for (s = 1; s <= ns; s++) {
				k = key(sc, strategies[s], class, regime, rel[i], numbers[j], sites, m)
				if (k in value && (least == "" || value[k] < least))
					least = value[k]
			}
			if (least == "")
				continue
			for (s = 1; s <= ns; s++) {
				k = key(sc, strategies[s], class, regime, rel[i], numbers[j], sites, m)
				line = line "<td>" (k in value ? interval(k) : "") "</td>"
			}
			print "<tr><td>" rel[i] "</td><td>" numbers[j] "</td>" line "</tr>" > words
		}
	print "</tbody></table>" > words
}
