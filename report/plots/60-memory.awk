# SPDX-License-Identifier: MIT
# title: Memory
# What an ops takes, alone on its site and sharing one; a distinct set of ops; a site.

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
	if (rows[sc, "bytes_per_set"])
		panel("bytes_per_set", "each distinct set of two ops", "bytes a set", "", "")
	bar_plot(n, scenario, metric, heading, unit, want_rel, want_irr)

	for (i = 1; i <= nr_ports; i++)
		shown = shown by_strategy(i)
	if (shown != "") {
		print "<table class=open><thead><tr>" cells("th", "port|class " main_class(sc) "|code of one ops|the first ops|each ops alone on a site" \
			"|each of many on one site|each distinct set of two ops|executable memory mapped") "</tr></thead><tbody>" shown "</tbody></table>" > words
		say("Bytes. Those of an ops are the executable memory that its code takes, whole cache lines, and what is kept of it on the heap: " \
		    "description, unwind rules, filter. The tracer's own <code>struct ftrace_ops</code> is not counted; of a set the filters are not.")
	}
	for (i = 1; i <= nr_ports; i++)
		say_sites(i)
	for (i = 2; i <= nr_ports; i++)
		say(said_of(i) ".")
}

function panel(m, h, u, rel, irr)
{
	scenario[++n] = sc; metric[n] = m; heading[n] = h; unit[n] = u
	want_rel[n] = rel; want_irr[n] = irr
}
function most(sc, what,    m) { m = get_numbers(sc, what); return m ? numbers[m] : 0 }
function bytes(k) { return k == "" ? "" : num_plain(value[k]) }

function by_strategy(p,    sc, ns, s, class, out)
{
	sc = of_port("memory", p)
	class = main_class(sc)
	ns = get_strategies(sc)
	out = ""
	for (s = 1; s <= ns; s++)
		out = out "<tr>" cells("td", port_of[p] "|" code(strategies[s]) \
			"|" bytes(cell_of(sc, strategies[s], class, "code_bytes_per_ops", 1, many_irr)) \
			"|" bytes(cell_of(sc, strategies[s], class, "bytes_per_ops", 1, 0)) \
			"|" bytes(cell_of(sc, strategies[s], class, "bytes_per_ops", 1, many_irr)) \
			"|" bytes(cell_of(sc, strategies[s], class, "bytes_per_ops", many_rel, 0)) \
			"|" bytes(cell_of(sc, strategies[s], class, "bytes_per_set", "", "")) \
			"|" bytes(cell_of(sc, strategies[s], class, "mapped_bytes", 2, 0))) "</tr>"
	return out
}

# What a site costs before anybody traces it.
function say_sites(p,    sc, ns, book, none, site, word)
{
	sc = of_port("memory", p)
	ns = get_strategies(sc)
	book = ns ? cell_of(sc, strategies[1], main_class(sc), "bytes_per_site", "", "") : ""
	if (book != "")
		say(port_of[p] ": a site that is known takes " num_plain(value[book]) " bytes of bookkeeping, traced or not.")
	none = cell_of(sc, "-", "-", "text_bytes_no_site", "", "")
	site = cell_of(sc, "-", "-", "text_bytes_site", "", "")
	word = cell_of(sc, "-", "-", "text_bytes_word", "", "")
	if (none != "" && site != "" && word != "") {
		split(none, f, SUBSEP)
		say("A function's text, mean of " whole(f[7]) " that were compiled in each way: " num(value[none]) " bytes without a site, " \
		    num(value[site] - value[none]) " more with one, and " num(value[word] - value[site]) " more with a word beside it, which " code("call_ops") " needs.")
	}
}
