# SPDX-License-Identifier: MIT
# title: One traced call
# One traced call, by register class and strategy, beside hand-written code.

END {
	sc = "traced_call"; m = "cycles_over_untraced"
	if (!rows[sc, m] || !get_strategies(sc))
		absent("traced_call figures", "<code>make bench</code> measures them.")
	ns = get_strategies(sc)
	nc = get_classes(sc)
	nr = axis_len[sc, "regime"]

	# What the regimes' names mean.
	meaning["tight"] = "tight loop: throughput"
	meaning["chain"] = "dependent chain: latency"
	meaning["serial"] = "fenced: nothing overlaps"
	meaning["deep8"] = meaning["deep"] = meaning["eight"] = "eight callers deep: return prediction"

	nrefs = 0
	for (i = 1; i <= axis_len[sc, "strategy"]; i++) {
		st = axis[sc, "strategy", i]
		if (is_reference(st) && st !~ /^untraced/)
			refs[++nrefs] = st
	}

	# Rows of two panels; a panel that stands alone is as wide as two.
	panels = 0
	for (r = 1; r <= nr; r++) {
		any = 0
		for (s = 1; s <= ns; s++)
			for (c = 1; c <= nc; c++)
				if (cell(strategies[s], classes[c], axis[sc, "regime", r]) != "")
					any = 1
		if (any)
			panel[++panels] = axis[sc, "regime", r]
	}
	rowsn = int((panels + 1) / 2)
	height = 60 + 330 * rowsn
	gp("height = " height "; rows = " rowsn "; columns = " (panels > 1 ? 2 : 1))
	legend_start(1120, 1 - 18 / height)
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], point_of[strategies[s]])
	has_floor = 0
	for (i = 1; i <= nrefs; i++)
		if (refs[i] == "floor")
			has_floor = 1
	if (has_floor)
		legend_line("#777777", "2", "the floor")
	others = 0
	for (i = 1; i <= nrefs; i++)
		if (refs[i] != "floor")
			others++
	if (others)
		legend("other", "#777777", 13, "hand-written code")

	# Classes, then a column for each piece of hand-written code.
	t = ""
	for (c = 1; c <= nc; c++)
		t = t (c > 1 ? ", " : "") "\"" classes[c] "\" " c
	width = nc
	for (i = 1; i <= nrefs; i++)
		if (refs[i] != "floor") {
			ref_at[refs[i]] = width += 1
			name = refs[i]
			sub(/_/, "_\\n", name)
			t = t ", \"" name "\" " width
		}
	gp("set xrange [0.4:" width + 0.6 "]")
	gp("set xtics (" two_lines(t) ") scale 0 font \",10\"")
	gp("panels = " panels)
	gp("array heading[" panels "]; array floor_at[" panels "]")
	gp_curves(ns)
	gp("$data << EOD")

	begin_table("regime|code|class|core cycles over untraced|of the floor")
	for (p = 1; p <= panels; p++) {
		rg = panel[p]
		fk = ref_cell("floor", rg)
		f = fk == "" ? "NaN" : sprintf("%.6g", value[fk])
		settings = settings "floor_at[" p "] = " f "; heading[" p "] = \"" rg (rg in meaning ? ", " meaning[rg] : "") "\"\n"
		for (s = 1; s <= ns; s++) {
			gp_block()
			for (c = 1; c <= nc; c++) {
				k = cell(strategies[s], classes[c], rg)
				if (k == "")
					continue
				point(c + dodge(s, ns), k, 1)
				add_row(rg "|" code(strategies[s]) "|" classes[c] "|" interval(k) "|" (fk == "" ? "" : num(value[k] / value[fk])))
			}
		}
		for (c = 1; c <= nc; c++) {
			for (s = 1; s <= ns; s++) {
				label_x[s] = c + dodge(s, ns)
				label_k[s] = cell(strategies[s], classes[c], rg)
			}
			add_labels(ns)
		}
		gp_labels()
		gp_block()
		for (i = 1; i <= nrefs; i++) {
			k = ref_cell(refs[i], rg)
			if (k == "")
				continue
			if (value[k] > 0)
				widen(value[k], value[k])
			split(k, part, SUBSEP)
			add_row(rg "|" code(refs[i]) "|" part[3] "|" interval(k) "|" (fk == "" ? "" : num(value[k] / value[fk])))
			if (refs[i] in ref_at)
				gp(sprintf("%.4f %.6g %.6g %.6g %s", ref_at[refs[i]], value[k], low[k], high[k], num(value[k])))
		}
	}
	gp("EOD")
	gp(settings)
	end_table()
	gp("set yrange " log_range())

	# The reading.
	rg = main_regime(sc)
	fk = ref_cell("floor", rg)
	n = 0
	for (s = 1; s <= ns; s++) {
		k = cell(strategies[s], main_class(sc), rg)
		if (k == "")
			continue
		list[++n] = code(strategies[s]) " " num(value[k]) (fk == "" ? "" : " (" times(value[k] / value[fk]) " the floor)")
	}
	if (n)
		say("In the " rg " regime, class " main_class(sc) ", a traced call costs " and_list(list, n) \
		    " core cycles more than an untraced one" (fk == "" ? "." : "; the floor, the least code that saves what a C callback may destroy and calls it, costs " num(value[fk]) "."))
	best = ""
	for (s = 1; s <= ns; s++) {
		a = cell(strategies[s], "args", rg)
		if (a != "" && (best == "" || value[a] < value[best])) { best = a; who = strategies[s] }
	}
	if (best != "") {
		n = 0
		b = cell(who, "args-reserved", rg)
		if (b != "") more[++n] = num_signed(value[b] - value[best]) " for the pt_regs-shaped frame stored in part"
		b = cell(who, "regs", rg)
		if (b != "") more[++n] = num_signed(value[b] - value[best]) " for all registers and the status flags"
		b = cell(who, "vec", rg)
		if (b != "") more[++n] = num_signed(value[b] - value[best]) " for the vector registers as well"
		if (n)
			say("Over its compact frame, " code(who) " pays " and_list(more, n) ".")
	}
	k = ref_cell("popfq", rg)
	if (k != "" && fk != "")
		say("Restoring the flags with <code>popfq</code>, as a kernel entry does, would make it " num(value[k]) " cycles.")
}

function num_signed(x) { return (x < 0 ? "" : "+") num(x) }
function cell(strategy, class, regime)
{
	return lookup("traced_call", strategy, class, regime, "cycles_over_untraced")
}
# A reference's row: whatever class it has.
function ref_cell(name, regime,    i, k)
{
	for (i = 1; i <= axis_len["traced_call", "class"]; i++) {
		k = cell(name, axis["traced_call", "class", i], regime)
		if (k != "")
			return k
	}
	return ""
}
