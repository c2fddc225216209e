# SPDX-License-Identifier: MIT
# title: Memory
# What an ops takes, alone on its site and sharing one; what a site takes.

END {
	sc = "memory"
	if (!rows[sc, "bytes_per_ops"] && !rows[sc, "bytes_per_site"])
		absent("memory figures", "<code>make bench</code> counts them.")
	many_irr = most(sc, "irr"); many_rel = most(sc, "rel")
	n = 0
	if (rows[sc, "bytes_per_ops"] && many_irr > 0)
		panel("bytes_per_ops", "each ops alone on a site", "bytes an ops", 1, many_irr)
	if (rows[sc, "bytes_per_ops"] && many_rel > 1)
		panel("bytes_per_ops", "all ops on one site", "bytes an ops", many_rel, 0)
	if (rows[sc, "bytes_per_site"])
		panel("bytes_per_site", "a known site", "bytes a site", "", "")
	bar_plot(n, scenario, metric, heading, unit, want_rel, want_irr)
	class = main_class(sc)
	ns = get_strategies(sc)
	for (s = 1; s <= ns; s++) {
		a = cell_of(sc, strategies[s], class, "bytes_per_ops", 1, many_irr)
		c = cell_of(sc, strategies[s], class, "code_bytes_per_ops", 1, many_irr)
		if (a != "")
			list[++nl] = code(strategies[s]) " " num_plain(value[a]) (c == "" ? "" : " (" num_plain(value[c]) " of them code)")
		b = cell_of(sc, strategies[s], class, "bytes_per_site", "", "")
		if (b != "")
			site = value[b]
	}
	if (nl)
		say("Bytes that each further ops takes, alone on its site, class " class ": " and_list(list, nl) ".")
	if (site != "")
		say("A site that is known takes " num_plain(site) " bytes, traced or not.")
	say("The tracer's own <code>struct ftrace_ops</code> is not counted.")
}

function panel(m, h, u, rel, irr)
{
	scenario[++n] = sc; metric[n] = m; heading[n] = h; unit[n] = u
	want_rel[n] = rel; want_irr[n] = irr
}
function most(sc, what,    m) { m = get_numbers(sc, what); return m ? numbers[m] : 0 }
