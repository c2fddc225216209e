# SPDX-License-Identifier: MIT
# title: Stack
# Stack bytes of one traced call, down to where the callback starts.

END {
	for (k in rows) {
		split(k, f, SUBSEP)
		if (f[2] == "stack_bytes")
			scenario[1] = f[1]
	}
	if (scenario[1] == "")
		absent("stack figures", "<code>make bench</code> counts them.")
	metric[1] = "stack_bytes"; heading[1] = "stack of one traced call"; unit[1] = "bytes"
	rel[1] = 1; irr[1] = 0
	bar_plot(1, scenario, metric, heading, unit, rel, irr)
	class = main_class(scenario[1])
	ns = get_strategies(scenario[1])
	for (s = 1; s <= ns; s++) {
		a = cell_of(scenario[1], strategies[s], class, "stack_bytes", 1, 0)
		if (a == "")
			continue
		list[++nl] = code(strategies[s]) " " num_plain(value[a])
		b = cell_of(scenario[1], strategies[s], "args-reserved", "stack_bytes", 1, 0)
		c = cell_of(scenario[1], strategies[s], "regs", "stack_bytes", 1, 0)
		if (b != "" && c != "") {
			extra = value[b] - value[a]
			full = value[c] - value[a]
			who = strategies[s]
		}
	}
	if (nl)
		say("The deepest the stack gets below the caller's, class " class ", in bytes: " and_list(list, nl) ".")
	if (who != "")
		say("Room for a pt_regs that is stored in part takes " whole(extra) " bytes more (" code(who) "), the full set " whole(full) ".")
}
