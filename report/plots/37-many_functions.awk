# SPDX-License-Identifier: MIT
# title: Many functions, many tracers
# Many functions in turn, traced by one ops or, neighbours by different ones, by many.

END {
	sc = "many_functions"; m = "cycles_over_untraced"
	for (p = 1; p <= nr_ports; p++)
		shown = shown code_rows(p)
	if (rows[sc, m])
		cycles()
	if (shown != "") {
		ns = get_strategies(sc)
		print "<table class=open><thead><tr>" cells("th", count_head(ns, "port|functions|ops")) "</tr></thead><tbody>" shown "</tbody></table>" > words
		say("Bytes of generated code in use while all of these functions are traced.")
	}
	for (p = 2; p <= nr_ports; p++)
		if (rows[of_port(sc, p), "code_bytes"])
			say(said_of(p) ".")
	if (!rows[sc, m])
		absent("many_functions figures", "<code>make bench</code> measures them.")
}

# The regimes with cycles, the numbers of functions, and of ops of which a round was kept.
function read_axes(    i, n, irr)
{
	for (i = 1; i <= axis_len[sc, "regime"]; i++)
		if (axis[sc, "regime", i] != "-")
			order[++nr] = axis[sc, "regime", i]
	n = get_numbers(sc, "irr")
	for (i = 1; i <= n; i++)
		irr[i] = numbers[i]
	nn = get_numbers(sc, "sites")
	for (i = 1; i <= n; i++)
		if (kept(irr[i] + 1))
			ops[++nm] = irr[i] + 1
		else
			lost[++nlost] = whole(irr[i] + 1)
}

function kept(nr_ops,    r, i, s)
{
	for (r = 1; r <= nr; r++)
		for (i = 1; i <= nn; i++)
			for (s = 1; s <= ns; s++)
				if (at(strategies[s], order[r], numbers[i], nr_ops) in value)
					return 1
	return 0
}

function order_in_words(rg) { return rg == "in_turn" ? "in memory order" : rg == "shuffled" ? "shuffled" : rg }
function with_ops(n) { return n == 1 ? "one ops for all" : whole(n) " ops" }
function at(strategy, rg, n, nr_ops) { return key(sc, strategy, class, rg, 1, nr_ops - 1, n, m) }
# References have no ops.
function ref_at(name, rg, n) { return key(sc, name, "-", rg, 1, 0, n, m) }
function cell_at(k) { return k in value ? interval(k) : "" }

function cycles(    r, i, j, s)
{
	class = main_class(sc)
	ns = get_strategies(sc)
	read_axes()
	if (nlost)
		say("Of " and_list(lost, nlost) " ops no round was kept: the machine was busy.")
	if (!nm)
		return
	draw()
	begin_table(count_head(ns, "order|functions|ops") "|the floor|untraced again")
	for (r = 1; r <= nr; r++)
		for (i = 1; i <= nn; i++)
			for (j = 1; j <= nm; j++)
				if ((line = figures(order[r], numbers[i], ops[j])) != "")
					add_row(line)
	end_table()
	print "<table class=open><thead><tr>" cells("th", count_head(ns, whole(numbers[nn]) " functions|ops") "|the floor|untraced again") "</tr></thead><tbody>" > words
	for (r = 1; r <= nr; r++)
		for (j = 1; j <= nm; j++)
			if ((line = figures(order[r], numbers[nn], ops[j])) != "") {
				sub(/\|[^|]*/, "", line)
				print "<tr>" cells("td", line) "</tr>" > words
			}
	print "</tbody></table>" > words
	sentences()
}

function figures(rg, n, nr_ops,    s, line, any)
{
	line = order_in_words(rg) "|" whole(n) "|" whole(nr_ops)
	for (s = 1; s <= ns; s++) {
		any = any || (at(strategies[s], rg, n, nr_ops) in value)
		line = line "|" cell_at(at(strategies[s], rg, n, nr_ops))
	}
	return any ? line "|" cell_at(ref_at("floor", rg, n)) "|" cell_at(ref_at("untraced_b", rg, n)) : ""
}

# A row of panels an order, a column a number of ops.
function draw(    r, j, s)
{
	legend_start(1000, 1 - 16 / (60 + 280 * nr))
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], point_of[strategies[s]])
	legend_line("#777777", "2", "the floor")
	gp_curves(ns)
	gp("rows = " nr "; columns = " nm "; array heading[" nr * nm "]")
	gp(tics(nn))
	gp("set xrange [" pos(numbers[1]) - 0.8 ":" pos(numbers[nn]) + 0.8 "]")
	gp("$data << EOD")
	for (r = 1; r <= nr; r++)
		for (j = 1; j <= nm; j++) {
			settings = settings "heading[" (r - 1) * nm + j "] = \"" with_ops(ops[j]) ", " order_in_words(order[r]) "\"\n"
			panel(order[r], ops[j])
		}
	gp("EOD")
	gp(settings)
	gp("set yrange " log_range())
}

# The floor, then the strategies.
function panel(rg, nr_ops,    i, s)
{
	gp_block()
	for (i = 1; i <= nn; i++)
		if (ref_at("floor", rg, numbers[i]) in value)
			point(pos(numbers[i]), ref_at("floor", rg, numbers[i]), 1)
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (i = 1; i <= nn; i++)
			if (at(strategies[s], rg, numbers[i], nr_ops) in value)
				point(pos(numbers[i]) + 0.12 * (s - (ns + 1) / 2), at(strategies[s], rg, numbers[i], nr_ops), 1)
	}
}

# What most of the ops that were measured cost the most functions over one ops for all.
function sentences(    r, j, s, n, a, b, list, nl, flat, nf)
{
	n = numbers[nn]
	for (r = 1; r <= nr; r++) {
		for (j = nm; j > 1; j--) {
			nl = nf = 0
			for (s = 1; s <= ns; s++) {
				a = at(strategies[s], order[r], n, ops[1])
				b = at(strategies[s], order[r], n, ops[j])
				if (!(a in value) || !(b in value) || value[a] <= 0)
					continue
				if (value[b] < 1.25 * value[a])
					flat[++nf] = code(strategies[s]) " (" num(value[a]) " and " num(value[b]) ")"
				else
					list[++nl] = code(strategies[s]) " from " num(value[a]) " to " num(value[b])
			}
			if (nl || nf)
				break
		}
		if (j > 1)
			say(whole(n) " functions called " order_in_words(order[r]) ": " whole(ops[j]) " ops, neighbours by different ones, in place of one " \
			    (nl ? "take " and_list(list, nl) " core cycles a call" : "") (nl && nf ? "; they " : "") \
			    (nf ? "leave " and_list(flat, nf) " within a quarter" : "") ".")
	}
}

function code_rows(p,    scp, i, j, s, n, k, class, irr, sites, out)
{
	scp = of_port(sc, p)
	if (!rows[scp, "code_bytes"])
		return ""
	class = main_class(scp)
	ns = get_strategies(scp)
	n = get_numbers(scp, "irr")
	for (j = 1; j <= n; j++)
		irr[j] = numbers[j]
	sites = numbers[get_numbers(scp, "sites")]
	for (j = 1; j <= n; j++) {
		out = out "<tr><td>" port_of[p] "</td><td>" whole(sites) "</td><td>" whole(irr[j] + 1) "</td>"
		for (s = 1; s <= ns; s++) {
			k = key(scp, strategies[s], class, "-", 1, irr[j], sites, "code_bytes")
			out = out "<td>" (k in value ? whole(value[k]) : "") "</td>"
		}
		out = out "</tr>"
	}
	return out
}
