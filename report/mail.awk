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

	sc = "insns"
	ns = get_strategies(sc)
	if (ns) {
		line("")
		wrap("", "Instructions of one traced call over an untraced one, counted exactly; in brackets Linux x86-64 6.12's (" \
			"trampolines for one ops at the site, else the list):")
		line("")
		read_kernel()
		class = main_class(sc); sites = axis[sc, "sites", 1]; regime = axis[sc, "regime", 1]
		head = sprintf("%8s %8s", "relevant", "irrel.")
		for (s = 1; s <= ns && s <= 4; s++)
			head = head sprintf(" %13s", strategies[s])
		line(head sprintf(" %13s", "(kernel)"))
		nrel = get_numbers(sc, "rel")
		for (i = 1; i <= nrel; i++)
			rel[i] = numbers[i]
		nirr = get_numbers(sc, "irr")
		for (i = 1; i <= nrel; i++)
			for (j = 1; j <= nirr; j++) {
				if (rel[i] == 0)
					continue
				out = sprintf("%8d %8d", rel[i], numbers[j])
				any = 0
				for (s = 1; s <= ns && s <= 4; s++) {
					k = key(sc, strategies[s], class, regime, rel[i], numbers[j], sites, "insns_over_untraced")
					if (k in value)
						any = 1
					out = out sprintf(" %13s", k in value ? group(value[k]) : "-")
				}
				if (any && class == "args")
					line(out sprintf(" %13s", "(" group(kernel_cost("x86-64 6.12", rel[i] == 1 ? "alone" : "list", "args", rel[i], numbers[j])) ")"))
				else if (any)
					line(out)
			}
	}
}

function short(x) { return x < 9.995 ? sprintf("%.2f", x) : x < 99.95 ? sprintf("%.1f", x) : sprintf("%.0f", x) }
