# SPDX-License-Identifier: MIT
# title: A tracer elsewhere
# A tracer elsewhere: one ops at the site, more and more on other functions.

END {
	sc = "irrelevant_ops"; m = "cycles_over_untraced"
	if (!rows[sc, m] || !get_strategies(sc))
		absent("irrelevant_ops figures", "<code>make bench</code> measures them.")
	class = main_class(sc); regime = main_regime(sc)
	ns = count_plot(sc, "irr", m, "ops that trace other functions", "core cycles over untraced, one call")
	n = get_numbers(sc, "irr")
	first = numbers[1]; last = numbers[n]
	nflat = nsteep = 0
	for (s = 1; s <= ns; s++) {
		a = count_key(sc, strategies[s], class, regime, "irr", first, m)
		b = count_key(sc, strategies[s], class, regime, "irr", last, m)
		if (!(a in value) || !(b in value) || value[a] <= 0)
			continue
		ratio = value[b] / value[a]
		if (ratio < 1.25)
			flat[++nflat] = code(strategies[s])
		else
			steep[++nsteep] = code(strategies[s]) " from " num(value[a]) " to " num(value[b]) \
				" cycles (" num((value[b] - value[a]) / (last - first)) " a tracer)"
	}
	if (nflat)
		say("Up to " last " tracers of other functions leave " and_list(flat, nflat) " within a quarter of what it costs with " (first ? first : "none") ".")
	if (nsteep)
		say((nflat ? "They take " : last " tracers of other functions take ") and_list(steep, nsteep) ".")
	for (s = 1; s <= ns; s++) {
		a = count_key(sc, strategies[s], class, regime, "irr", 0, m)
		b = count_key(sc, strategies[s], class, regime, "irr", 1, m)
		if ((a in value) && (b in value) && value[a] > 0 && value[b] > 1.5 * value[a])
			say("The first of them alone takes " code(strategies[s]) " from " num(value[a]) " to " num(value[b]) ".")
	}
}
