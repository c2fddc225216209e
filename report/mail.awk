# SPDX-License-Identifier: MIT
# report.txt: the table that tracing series reprint, at most 76 columns.

function line(s) { if (length(s) > 76) s = substr(s, 1, 76); sub(/ +$/, "", s); print s }
function group(x,    s, out)
{
	s = sprintf("%.0f", x)
	out = ""
	while (length(s) > 3) {
		out = "," substr(s, length(s) - 2) out
		s = substr(s, 1, length(s) - 3)
	}
	return s out
}
# Words of @s in lines of at most 76, after @label.
function wrap(label, s,    n, w, i, out, pad)
{
	n = split(s, w, " ")
	pad = sprintf("%" length(label) "s", "")
	out = label
	for (i = 1; i <= n; i++) {
		if (length(out) + length(w[i]) + 1 > 76) {
			line(out)
			out = pad
		}
		out = out (out == label || out == pad ? "" : " ") w[i]
	}
	line(out)
}

END {
	calls = 100000
	line("tramplab: what one traced call costs")
	line("")
	wrap("machine   ", fact("cpu", "cpu_model") ", Linux " fact("kernel", "uname"))
	wrap("build     ", fact("compiler", "cc") ", commit " fact("commit") (fact("dirty") == "yes" ? " with changes" : ""))
	aa_error()
	wrap("believe   ", (fact("verdict") == "" ? "" : "verdict " fact("verdict") ", ") "quality " fact("quality") \
		(aa_where == "" ? "" : ", A/A error at worst " short(aa_part * 100) " % of an untraced call"))

	sc = "ops_matrix"
	ns = get_strategies(sc)
	ghz = fact("core_clock_mhz") / 1000
	if (ns) {
		class = main_class(sc); regime = main_regime(sc); sites = axis[sc, "sites", 1]
		nrel = get_numbers(sc, "rel")
		for (i = 1; i <= nrel; i++)
			rel[i] = numbers[i]
		nirr = get_numbers(sc, "irr")
		line("")
		wrap("", "Number of ops at the traced function (relevant) and on other functions (irrelevant); class " class ", regime " regime "; " \
			(ghz ? "total is for " group(calls) " calls, ns are core cycles at " sprintf("%.2f", ghz) " GHz." : "core cycles a call."))
		for (s = 1; s <= ns; s++) {
			line("")
			line(strategies[s])
			if (ghz) {
				line("    Ops              | Total time | Per-call time (ns)    | Core cycles")
				line("    relevant  irrel. |       (ns) |    total |   overhead |    overhead")
				line("   ------------------+------------+----------+------------+-------------")
			} else {
				line("    Ops              | Per call (core cycles)")
				line("    relevant  irrel. |    total |   overhead")
				line("   ------------------+----------+------------")
			}
			for (i = 1; i <= nrel; i++)
				for (j = 1; j <= nirr; j++) {
					k = key(sc, strategies[s], class, regime, rel[i], numbers[j], sites, "cycles_over_untraced")
					t = key(sc, strategies[s], class, regime, rel[i], numbers[j], sites, "cycles_total")
					if (!(k in value) || !(t in value))
						continue
					base = rel[i] == 0 && numbers[j] == 0
					if (ghz)
						line(sprintf("    %8d  %6d | %10s | %8.2f | %10s | %11s", rel[i], numbers[j],
							group(calls * value[t] / ghz), value[t] / ghz,
							rel[i] == 0 ? "-" : sprintf("%.2f", value[k] / ghz), rel[i] == 0 ? "-" : sprintf("%.1f", value[k])))
					else
						line(sprintf("    %8d  %6d | %8.2f | %10s", rel[i], numbers[j], value[t], rel[i] == 0 ? "-" : sprintf("%.2f", value[k])))
				}
		}
	} else {
		line("")
		line("This run has no matrix of relevant and irrelevant ops.")
	}

	sc = "traced_call"
	ns = get_strategies(sc)
	if (ns) {
		nc = get_classes(sc)
		rg = main_regime(sc)
		line("")
		wrap("", "One ops, core cycles over the untraced call by register class, regime " rg "; in brackets the ratio to the floor of the same run:")
		line("")
		head = sprintf("%-13s", "")
		for (c = 1; c <= nc && c <= 5; c++)
			head = head sprintf(" %11s", classes[c] == "args-reserved" ? "args-resrv." : classes[c])
		line(head)
		for (i = 1; i <= axis_len[sc, "class"]; i++)
			if (lookup(sc, "floor", axis[sc, "class", i], rg, "cycles_over_untraced") != "")
				fk = lookup(sc, "floor", axis[sc, "class", i], rg, "cycles_over_untraced")
		for (s = 1; s <= ns; s++) {
			out = sprintf("%-13s", strategies[s])
			for (c = 1; c <= nc && c <= 5; c++) {
				k = lookup(sc, strategies[s], classes[c], rg, "cycles_over_untraced")
				out = out sprintf(" %11s", k == "" ? "-" : short(value[k]) (fk == "" ? "" : " (" short(value[k] / value[fk]) ")"))
			}
			line(out)
		}
		if (fk != "")
			line(sprintf("%-13s %s", "floor", short(value[fk])))
	}

	many_functions_table()
	threads_table()
	read_kernel()
	for (p = 1; p <= nr_ports; p++)
		insns_table(p)
	memory_table()
	for (at_port = 1; at_port <= nr_ports; at_port++)
		big_text_table()
	nr_torture = read_torture()
	for (t = 1; t <= nr_torture; t++)
		survived_list(t)
}

# As many threads as there are CPUs, and one while sites are changed.
function threads_table(    ns, s, n, own, same, column, metric, i, k, head, out)
{
	ns = get_strategies("threads")
	if (!ns)
		return
	own = most_threads("own", "")
	same = most_threads("same", "")
	column[++n] = "own-1"; head = sprintf(" %8s", "1 thread")
	if (own > 1) { column[++n] = "own-" own; head = head sprintf(" %8s", own " own") }
	if (same > 1) { column[++n] = "same-" same; head = head sprintf(" %8s", same " same") }
	column[++n] = "own-1-there"; head = head sprintf(" %8s", "elsewh.")
	column[++n] = "own-1-here"; head = head sprintf(" %8s", "here")
	column[++n] = "own-1-there"; metric[n] = "changes_per_s"; head = head sprintf(" %8s", "ch/s el.")
	column[++n] = "own-1-here"; metric[n] = "changes_per_s"; head = head sprintf(" %8s", "ch/s h.")
	line("")
	wrap("", "Threads that call at once, core cycles over untraced: one; " (own > 1 ? own " in functions of their own; " : "") \
		(same > 1 ? same " in the same function; " : "") "one while another registers and unregisters a second ops as fast as it can, elsewhere " \
		"and on the function that is called; how many such changes a second went through:")
	line("")
	line(sprintf("%-12s", "") head)
	for (s = 1; s <= ns; s++) {
		out = sprintf("%-12s", strategies[s])
		for (i = 1; i <= n; i++) {
			k = in_crowd(strategies[s], column[i], i in metric ? metric[i] : "cycles_over_untraced")
			out = out sprintf(" %8s", !(k in value) ? "-" : i in metric ? group(value[k]) : short(value[k]))
		}
		line(out)
	}
}

function survived_list(t,    i)
{
	line("")
	wrap("", "Survived in " torture_how(t) " (" torture_what(t) "), all strategies and register classes; " torture_count(t) ":")
	line("")
	for (i = 1; i <= kinds[t]; i++)
		wrap(sprintf("%18s ", group(whole_sum[t, kind[t, i]])), kind[t, i])
	for (i = 1; i <= failures[t]; i++)
		wrap("  failed: ", failure[t, i])
}

# Where each ops has a function of its own at least.
function many_functions_table(    sc, class, r, rg, i, j, n, irr, nirr, s, ns, head, out, any)
{
	sc = "many_functions"
	ns = get_strategies(sc)
	if (!rows[sc, "cycles_over_untraced"] || !ns)
		return
	class = main_class(sc)
	line("")
	wrap("", "Many functions called in turn, each traced by one ops, neighbours by different ones: core cycles over the untraced calls of the same functions, class " class "; last, the floor:")
	line("")
	head = "functions    ops"
	for (s = 1; s <= ns && s <= 5; s++)
		head = head sprintf(" %9s", short_name(strategies[s]))
	nirr = get_numbers(sc, "irr")
	for (j = 1; j <= nirr; j++)
		irr[j] = numbers[j]
	n = get_numbers(sc, "sites")
	for (r = 1; r <= axis_len[sc, "regime"]; r++) {
		rg = axis[sc, "regime", r]
		if (rg == "-")
			continue
		line(rg == "in_turn" ? "in memory order" : rg)
		line(head sprintf(" %9s", "(floor)"))
		for (i = 1; i <= n; i++)
			for (j = 1; j <= nirr && irr[j] < numbers[i]; j++) {
				out = sprintf("%9s %6s", group(numbers[i]), group(irr[j] + 1))
				any = 0
				for (s = 1; s <= ns && s <= 5; s++) {
					k = key(sc, strategies[s], class, rg, 1, irr[j], numbers[i], "cycles_over_untraced")
					any = any || (k in value)
					out = out sprintf(" %9s", !(k in value) ? "-" : value[k] < 999.5 ? short(value[k]) : group(value[k]))
				}
				k = key(sc, "floor", "-", rg, 1, 0, numbers[i], "cycles_over_untraced")
				if (any)
					line(out sprintf(" %9s", k in value ? "(" short(value[k]) ")" : ""))
			}
	}
	any = 0
	for (j = 1; j <= nirr; j++) {
		out = sprintf("%9s %6s", "bytes", group(irr[j] + 1))
		for (s = 1; s <= ns && s <= 5; s++) {
			k = key(sc, strategies[s], class, "-", 1, irr[j], numbers[n], "code_bytes")
			any = any || (k in value)
			out = out sprintf(" %9s", bytes(k in value ? k : ""))
		}
		if (any && !said++)
			line("generated code in use")
		if (any)
			line(out)
	}
}

# Five of them fit into a line.
function short_name(s) { sub(/_(func|tramp)$/, "", s); return s }
function insns_table(p,    sc, ns, s, class, sites, regime, nrel, nirr, i, j, k, out, any, ver)
{
	sc = of_port("insns", p)
	ns = get_strategies(sc)
	if (!ns)
		return
	ver = kernel_of(p)
	line("")
	wrap("", port_of[p] (port_emulator[p] == "" ? "" : " (emulated by " port_emulator[p] ")") ": instructions of one traced call over an untraced one, " \
		"counted exactly" (ver == "" ? ":" : "; last, those of Linux " ver \
		(port_of[p] == "aarch64" ? " (a word beside the site for one ops, else the list):" : " (a trampoline for one ops at the site, else the list):")))
	line("")
	class = main_class(sc); sites = axis[sc, "sites", 1]; regime = axis[sc, "regime", 1]
	out = sprintf("%8s %6s", "relevant", "irrel.")
	for (s = 1; s <= ns && s <= 5; s++)
		out = out sprintf(" %9s", short_name(strategies[s]))
	line(out sprintf(" %10s", "(kernel)"))
	nrel = get_numbers(sc, "rel")
	for (i = 1; i <= nrel; i++)
		rel[i] = numbers[i]
	nirr = get_numbers(sc, "irr")
	for (i = 1; i <= nrel; i++)
		for (j = 1; j <= nirr; j++) {
			if (rel[i] == 0)
				continue
			out = sprintf("%8d %6d", rel[i], numbers[j])
			any = 0
			for (s = 1; s <= ns && s <= 5; s++) {
				k = key(sc, strategies[s], class, regime, rel[i], numbers[j], sites, "insns_over_untraced")
				if (k in value)
					any = 1
				out = out sprintf(" %9s", k in value ? group(value[k]) : "-")
			}
			if (any && class == "args" && ver != "")
				line(out sprintf(" %10s", "(" group(kernel_cost(ver, rel[i] == 1 ? "alone" : "list", "args", rel[i], numbers[j])) ")"))
			else if (any)
				line(out)
		}
}

function bytes(k) { return k == "" ? "-" : group(value[k]) }
function memory_table(    p, sc, ns, s, class, n, irr, rel)
{
	if (!get_strategies("memory"))
		return
	line("")
	wrap("", "Memory in bytes, class " main_class("memory") ": generated code of one ops; all that one ops takes, alone on its site and as one of many " \
		"on one site; all that a distinct set of two ops takes:")
	line("")
	line(sprintf("%-9s %-13s %9s %9s %9s %9s", "port", "", "code", "alone", "shared", "a set"))
	n = get_numbers("memory", "irr"); irr = numbers[n]
	n = get_numbers("memory", "rel"); rel = numbers[n]
	for (p = 1; p <= nr_ports; p++) {
		sc = of_port("memory", p)
		class = main_class(sc)
		ns = get_strategies(sc)
		for (s = 1; s <= ns; s++)
			line(sprintf("%-9s %-13s %9s %9s %9s %9s", port_of[p], strategies[s], \
				bytes(cell_of(sc, strategies[s], class, "code_bytes_per_ops", 1, irr)), \
				bytes(cell_of(sc, strategies[s], class, "bytes_per_ops", 1, irr)), \
				bytes(cell_of(sc, strategies[s], class, "bytes_per_ops", rel, 0)), \
				bytes(cell_of(sc, strategies[s], class, "bytes_per_set", "", ""))))
	}
}

function big_text_table(    sc, ns, s, nirr, i, j, head, out, f)
{
	sc = big_text()
	ns = get_strategies(sc)
	if (!ns)
		return
	nirr = get_numbers(sc, "irr")
	line("")
	wrap("", port_of[at_port] ": pieces of code for text of so many MiB that is traced all over, each ops on functions of its own; a call reaches " \
		group(2 * least_span()) " MiB. Solid text is one piece, rooms are linked into it, pieces have free addresses between them:")
	line("")
	head = sprintf("%-11s %4s", "MiB of text", "ops")
	for (s = 1; s <= ns && s <= 5; s++)
		head = head " " strategies[s]
	line(head)
	for (i = 1; i <= axis_len[sc, "regime"]; i++)
		for (j = 1; j <= nirr && axis[sc, "regime", i] ~ /-/; j++) {
			if (cell_in(axis[sc, "regime", i], strategies[1], numbers[j], "images") == "")
				continue
			split(axis[sc, "regime", i], f, "-")
			out = sprintf("%4d %-6s %4d", f[2], f[1], numbers[j] + 1)
			for (s = 1; s <= ns && s <= 5; s++)
				out = out sprintf(" %" length(strategies[s]) "s", served(axis[sc, "regime", i], strategies[s], numbers[j]))
			line(out)
		}
}

function served(regime, strategy, irr,    k)
{
	k = cell_in(regime, strategy, irr, "ops_served")
	if (k == "")
		return "-"
	return value[k] < irr + 1 ? "refused" : group(value[cell_in(regime, strategy, irr, "images")])
}

function short(x) { return x < 9.995 ? sprintf("%.2f", x) : x < 99.95 ? sprintf("%.1f", x) : sprintf("%.0f", x) }
