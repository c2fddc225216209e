# SPDX-License-Identifier: MIT
# title: Enabling and disabling
# One ops switched on and off on many sites: one transaction.

END {
	sc = "enable_sites"
	if (!rows[sc, "ns_per_site_enable"])
		absent("enable_sites figures", "<code>make bench</code> measures them.")
	ns = get_strategies(sc)
	n = get_numbers(sc, "sites")
	class = main_class(sc)
	nr = axis_len[sc, "regime"]
	means["alone"] = "no other thread"
	means["threaded"] = "a second thread runs them"
	legend_start(1000, 1 - 16 / (60 + 300 * nr))
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], point_of[strategies[s]])
	cold = rows[sc, "ns_per_site_enable_cold"]
	if (cold)
		legend_line("#777777", "2", "the first time in a process")
	gp_curves(ns)
	gp("rows = " nr "; array heading[" 2 * nr "]")
	gp("$data << EOD")
	begin_table("threads|strategy|sites|enable|disable" (cold ? "|enable, first time|disable, first time" : ""))
	for (r = 1; r <= nr; r++) {
		rg = axis[sc, "regime", r]
		curves_of("ns_per_site_enable")
		curves_of("ns_per_site_disable")
		what = rg in means ? means[rg] : rg
		settings = settings "heading[" 2 * r - 1 "] = \"enabling, " what "\"; heading[" 2 * r "] = \"disabling, " what "\"\n"
		for (s = 1; s <= ns; s++)
			for (i = 1; i <= n; i++)
				add_row(what "|" code(strategies[s]) "|" whole(numbers[i]) "|" ns_at("ns_per_site_enable") "|" ns_at("ns_per_site_disable") \
					(cold ? "|" ns_at("ns_per_site_enable_cold") "|" ns_at("ns_per_site_disable_cold") : ""))
	}
	gp("EOD")
	gp(settings)
	gp("lowest = " numbers[1] "; highest = " numbers[n] "; set yrange " log_range())
	end_table()

	last = numbers[n]
	rg = axis[sc, "regime", 1]
	best = ""
	for (s = 1; s <= ns; s++) {
		a = at(strategies[s], last, "ns_per_site_enable"); b = at(strategies[s], last, "ns_per_site_disable")
		if ((a in value) && (b in value))
			list[++nl] = code(strategies[s]) " " num(value[a]) " and " num(value[b])
		if ((a in value) && (best == "" || value[a] < value[best])) {
			best = a
			one = at(strategies[s], numbers[1], "ns_per_site_enable")
			first = at(strategies[s], last, "ns_per_site_enable_cold")
			who = strategies[s]
		}
	}
	if (nl)
		say("Enabling and disabling " whole(last) " sites takes, in ns a site: " and_list(list, nl) " (" means_of(rg) ").")
	if (best != "" && (one in value) && numbers[1] != last)
		say("A transaction on " (numbers[1] == 1 ? "one site" : whole(numbers[1]) " sites") " takes " num(value[one] * numbers[1] / 1000) \
		    " µs, one on " whole(last) " " num(value[best] * last / 1000) " µs (" code(who) "): " \
		    (value[one] > 10 * value[best] ? "most of the price is the transaction's, not the site's." : "the price goes with the sites."))
	if (best != "" && (first in value))
		say("The first time in a process, when the text's pages are still the file's, it takes " num(value[first]) " ns a site.")
	for (r = 2; r <= nr; r++) {
		other = key(sc, who, class, axis[sc, "regime", r], axis[sc, "rel", 1], axis[sc, "irr", 1], last, "ns_per_site_enable")
		if (best != "" && (other in value))
			say("While " means_of(axis[sc, "regime", r]) " it takes " num(value[other]) " ns a site.")
	}
}

function means_of(rg) { return rg in means ? means[rg] : rg }
function at(strategy, sites, metric) { return key(sc, strategy, class, rg, axis[sc, "rel", 1], axis[sc, "irr", 1], sites, metric) }
function ns_at(metric,    k) { k = at(strategies[s], numbers[i], metric); return k in value ? interval(k) : "" }
# The strategies' curves, then their first times.
function curves_of(metric,    s, i, k)
{
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (i = 1; i <= n; i++)
			if ((k = at(strategies[s], numbers[i], metric)) in value)
				point(numbers[i] * (1 + 0.06 * (s - (ns + 1) / 2)), k, 1)
	}
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (i = 1; i <= n; i++)
			if ((k = at(strategies[s], numbers[i], metric "_cold")) in value)
				point(numbers[i] * (1 + 0.06 * (s - (ns + 1) / 2)), k, 1)
	}
}
