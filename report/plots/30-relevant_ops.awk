# SPDX-License-Identifier: MIT
# title: More tracers at the same function
# Tracers at the same site: every one of them is called.

END {
	sc = "relevant_ops"; m = "cycles_over_untraced"
	if (!rows[sc, m] || !get_strategies(sc))
		absent("relevant_ops figures", "<code>make bench</code> measures them.")
	class = main_class(sc); regime = main_regime(sc)
	ns = count_plot(sc, "rel", m, "ops at the site, all called", "core cycles over untraced, one call")
	n = get_numbers(sc, "rel")
	last = numbers[n]
	for (s = 1; s <= ns; s++) {
		a = count_key(sc, strategies[s], class, regime, "rel", 1, m)
		b = count_key(sc, strategies[s], class, regime, "rel", 2, m)
		c = count_key(sc, strategies[s], class, regime, "rel", last, m)
		if ((a in value) && (b in value))
			second[++nsecond] = code(strategies[s]) " " num(value[b] - value[a])
		if ((b in value) && (c in value) && last > 2)
			more[++nmore] = code(strategies[s]) " " num((value[c] - value[b]) / (last - 2))
	}
	if (nsecond)
		say("The second tracer at a site adds, in core cycles: " and_list(second, nsecond) ".")
	if (nmore)
		say("Each further one, up to " last ", adds on average: " and_list(more, nmore) ".")
}
