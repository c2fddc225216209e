# SPDX-License-Identifier: MIT
# title: Exact instructions
# Exact instructions of one traced call, beside real kernels'.
# of each port

END {
	sc = of_port("insns", at_port); m = "insns_over_untraced"
	if (!rows[sc, m] || !get_strategies(sc))
		absent("instruction counts", "<code>make bench</code> counts them.")
	read_kernel()
	ver = kernel_of(at_port)
	if (!((ver, "list", "args") in k_base))
		ver = ""
	# What the kernel has for an ops that is alone at its site.
	word = port_of[at_port] == "aarch64"
	ns = get_strategies(sc)
	class = "args"
	if (!((sc, "class", class) in noted))
		class = main_class(sc)
	regime = axis[sc, "regime", 1]
	sites = axis[sc, "sites", 1]
	legend_start(1100, 0.955)
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], point_of[strategies[s]])
	if (ver != "") {
		legend_line(colour_of["list_func"], "2", "kernel " ver ", list")
		legend_line(alone_colour(), "3", "kernel " ver ", " (word ? "word" : "trampolines"))
	}
	gp_curves(ns)
	gp("list_colour = \"" colour_of["list_func"] "\"; tramp_colour = \"" alone_colour() "\"")
	nc = get_classes(sc)
	t = ""
	for (c = 1; c <= nc; c++) {
		name = classes[c]
		sub(/-/, "-\\n", name)
		t = t (c > 1 ? ", " : "") "\"" name "\" " c
	}
	gp("class_tics = 'set xtics (" t ")'")
	gp("class_range = 'set xrange [0.4:" nc + 0.6 "]'")

	gp("$data << EOD")
	begin_table("ops at the site|elsewhere|code|class|instructions over untraced|kernel " ver)
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (c = 1; c <= nc; c++) {
			k = at(strategies[s], classes[c], 1, 0)
			if (k in value)
				point(c + dodge(s, ns), k, 1)
		}
	}
	# The kernel's two paths, by class.
	gp_block()
	for (c = 1; c <= nc; c++)
		if ((ver, "list", classes[c]) in k_base)
			kpoint(c - 0.45, c + 0.45, kernel_cost(ver, "list", classes[c], 1, 0))
	gp_block()
	for (c = 1; c <= nc; c++)
		if ((ver, "alone", classes[c]) in k_base)
			kpoint(c - 0.45, c + 0.45, kernel_cost(ver, "alone", classes[c], 1, 0))
	for (c = 1; c <= nc; c++) {
		for (s = 1; s <= ns; s++) {
			label_x[s] = c + dodge(s, ns)
			k = at(strategies[s], classes[c], 1, 0)
			label_k[s] = k in value ? k : ""
		}
		add_labels(ns)
	}
	gp_labels()
	class_yrange = log_range()
	series("irr")
	series("rel")
	gp("EOD")
	gp(settings)
	gp("class_yrange = 'set yrange " class_yrange "'; count_yrange = 'set yrange " log_range() "'")

	for (i = 1; i <= axis_len[sc, "rel"]; i++)
		for (j = 1; j <= axis_len[sc, "irr"]; j++)
			for (s = 1; s <= ns; s++)
				for (c = 1; c <= nc; c++) {
					R = axis[sc, "rel", i]; I = axis[sc, "irr", j]
					k = at(strategies[s], classes[c], R, I)
					if (!(k in value) || R == 0)
						continue
					kc = (ver, "list", classes[c]) in k_base ? kernel_path(strategies[s], classes[c], R, I) : ""
					add_row(R "|" I "|" code(strategies[s]) "|" classes[c] "|" whole(value[k]) "|" (kc == "" ? "" : whole(kc)))
				}
	end_table()

	# The reading.
	for (s = 1; s <= ns; s++) {
		k = at(strategies[s], class, 1, 0)
		if (k in value)
			list[++nl] = code(strategies[s]) " " whole(value[k])
	}
	if (nl)
		say("One traced call, class " class ", executes more instructions than an untraced one: " and_list(list, nl) \
		    (ver == "" ? "." : "; the kernel's list would take " whole(kernel_cost(ver, "list", "args", 1, 0)) \
		    ", its " (word ? "word beside the site " : "trampoline ") whole(kernel_cost(ver, "alone", "args", 1, 0)) " (" esc(k_source[ver]) ")."))
	fit("list_func")
	further("fused_tramp")
	nflat = 0
	for (s = 1; s <= ns; s++) {
		lo_n = hi_n = ""
		for (j = 1; j <= axis_len[sc, "irr"]; j++) {
			k = at(strategies[s], class, 1, axis[sc, "irr", j])
			if (!(k in value))
				continue
			if (lo_n == "" || value[k] < lo_n) lo_n = value[k]
			if (hi_n == "" || value[k] > hi_n) hi_n = value[k]
		}
		if (lo_n != "" && lo_n == hi_n && axis_len[sc, "irr"] > 1)
			flat[++nflat] = code(strategies[s])
	}
	if (nflat)
		say("With one ops at the site, ops elsewhere add no instruction to " and_list(flat, nflat) ".")
	say((port_emulator[at_port] == "" ? "Counted by single-stepping" : "Counted under emulation") ": equal on every run.")
	if (at_port > 1)
		say(said_of(at_port) ".")
}

function alone_colour() { return colour_of[word ? "call_ops" : "dyn_tramp"] }
function at(strategy, class, rel, irr) { return key(sc, strategy, class, regime, rel, irr, sites, m) }
function kpoint(x1, x2, v)
{
	gp(sprintf("%.4f %.6g %.6g %.6g k", x1, v, v, v))
	if (x2 != "")
		gp(sprintf("%.4f %.6g %.6g %.6g k\n", x2, v, v, v))
	widen(v, v)
}
function kernel_path(strategy, class, rel, irr)
{
	return kernel_cost(ver, strategy != "list_func" && rel == 1 && !(strategy == "direct_tramp" && irr) ? "alone" : "list", class, rel, irr)
}
# One panel's curves: strategies, then the kernel's list, then its trampolines.
function series(what,    i, n, s, k, R, I)
{
	n = get_numbers(sc, what)
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (i = 1; i <= n; i++) {
			R = what == "rel" ? numbers[i] : 1
			I = what == "irr" ? numbers[i] : 0
			k = at(strategies[s], class, R, I)
			if (R > 0 && k in value) {
				point(pos(numbers[i]), k, 1)
			}
		}
	}
	gp_block()
	for (i = 1; i <= n; i++)
		if (ver != "" && (what == "irr" || numbers[i] > 0))
			kpoint(pos(numbers[i]), "", kernel_cost(ver, "list", "args", what == "rel" ? numbers[i] : 1, what == "irr" ? numbers[i] : 0))
	gp_block()
	for (i = 1; i <= n; i++)
		if (ver != "" && (what == "irr" || numbers[i] > 0))
			kpoint(pos(numbers[i]), "", kernel_cost(ver, what == "irr" || numbers[i] == 1 ? "alone" : "list", "args", what == "rel" ? numbers[i] : 1, what == "irr" ? numbers[i] : 0))
	settings = settings what "_tics = '" tics(n, what == "rel") "'; " what "_range = 'set xrange [" \
		pos(what == "rel" ? 1 : numbers[1]) - 0.4 ":" pos(numbers[n]) + 0.4 "]'\n"
}

# base + a*R + b*I through the cells, if all of them lie on it.
function fit(strategy,    i, j, k, k10, a, b, base, I1, R1, off, ncells)
{
	k = at(strategy, class, 1, 0)
	if (!(k in value))
		return
	I1 = R1 = 0
	for (j = 1; j <= axis_len[sc, "irr"]; j++)
		if (axis[sc, "irr", j] > 0 && at(strategy, class, 1, axis[sc, "irr", j]) in value)
			I1 = axis[sc, "irr", j]
	for (i = 1; i <= axis_len[sc, "rel"]; i++)
		if (axis[sc, "rel", i] > 1 && at(strategy, class, axis[sc, "rel", i], 0) in value)
			R1 = axis[sc, "rel", i]
	if (!I1 || !R1)
		return
	a = (value[at(strategy, class, R1, 0)] - value[k]) / (R1 - 1)
	b = (value[at(strategy, class, 1, I1)] - value[k]) / I1
	base = value[k] - a
	off = 0
	for (i = 1; i <= axis_len[sc, "rel"]; i++)
		for (j = 1; j <= axis_len[sc, "irr"]; j++) {
			k10 = at(strategy, class, axis[sc, "rel", i], axis[sc, "irr", j])
			if (axis[sc, "rel", i] > 0 && k10 in value) {
				ncells++
				if ((d = value[k10] - base - a * axis[sc, "rel", i] - b * axis[sc, "irr", j]) > 0.5 || d < -0.5)
					off++
			}
		}
	say(code(strategy) " takes " num_plain(base) " + " num_plain(a) "&thinsp;R + " num_plain(b) "&thinsp;I for R ops at the site and I elsewhere" \
	    (off ? " (" off " of " ncells " cells are off that line)" : ", exactly, in all " ncells " cells") \
	    (ver == "" ? "." : "; the kernel's list takes " k_base[ver, "list", "args"] " + " k_rel[ver, "list", "args"] "&thinsp;R + " k_irr[ver, "list", "args"] "&thinsp;I."))
}

# From two ops on, up to the most.
function further(strategy,    i, k, k2, last)
{
	last = 2
	for (i = 1; i <= axis_len[sc, "rel"]; i++)
		if (axis[sc, "rel", i] > last && at(strategy, class, axis[sc, "rel", i], 0) in value)
			last = axis[sc, "rel", i]
	k = at(strategy, class, last, 0)
	k2 = at(strategy, class, 2, 0)
	if (last > 2 && k2 in value)
		say(code(strategy) " takes " whole(value[k2]) " with two ops at the site, and " num_plain((value[k] - value[k2]) / (last - 2)) \
		    " more for each further one (" whole(value[k]) " with " last ").")
}
