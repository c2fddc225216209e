# SPDX-License-Identifier: MIT
# What every plot shares: reads summary.csv, knows names, colours, number
# formats; writes the gnuplot data, the sentences and the table of one plot.
# Runs before plots/*.awk; POSIX awk, so mawk does.
#
# -v plot=FILE     data and settings for gnuplot
# -v words=FILE    HTML: the sentences under the plot
# -v table=FILE    HTML: the numbers of the plot
# -v kernel=FILE   kernel.csv: what a real kernel costs, with sources
# -v ports=FILE    arch, run and emulator of each port that there are figures of; the
#                  scenarios of all but the first have "@arch" behind their name
# -v port=ARCH     which of them a section is about; "-" or nothing: the first

BEGIN {
	FS = ","
	# One colour and one point a strategy, everywhere (Okabe and Ito's palette).
	known("list_func",    "#D55E00", 7)
	known("direct_tramp", "#0072B2", 5)
	known("dyn_tramp",    "#009E73", 9)
	known("call_ops",     "#CC79A7", 13)
	known("fused_tramp",  "#E69F00", 11)
	nspare = split("#56B4E9 #882255 #999933 #332288 #AA4499", spare, " ")
	nr_class_order = split("noregs args args-reserved regs vec", class_order, " ")
	while ((getline portline < ports) > 0) {
		split(portline, portfield, "\t")
		port_of[++nr_ports] = portfield[1]
		port_run[nr_ports] = portfield[2]
		port_emulator[nr_ports] = portfield[3]
	}
	close(ports)
	for (at_port = nr_ports; at_port > 1; at_port--)
		if (port_of[at_port] == port)
			break
}

# The scenario as the port's rows have it.
function of_port(scenario, p) { return p == 1 ? scenario : scenario "@" port_of[p] }
# Whose instruction counts in kernel.csv stand beside the port's.
function kernel_of(p) { return port_of[p] == "aarch64" ? "arm64 6.12" : port_of[p] == "x86_64" ? "x86-64 6.12" : "" }
# Where the port's figures come from.
function said_of(p)
{
	return port_of[p] ": run " code(port_run[p]) (port_emulator[p] == "" ? "" : ", emulated by " esc(port_emulator[p]) ": counts and bytes only")
}

function known(name, c, p)
{
	strategy_order[++nr_strategy_order] = name
	colour_of[name] = c
	point_of[name] = p
}

FNR == 1 { next }

# A line without a figure: its note says why there is none.
$9 !~ /[0-9]/ {
	why_not[$1, $4] = $12
	next
}

{
	k = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4 SUBSEP $5 SUBSEP $6 SUBSEP $7 SUBSEP $8
	value[k] = $9 + 0
	low[k] = $10 == "" ? $9 + 0 : $10 + 0
	high[k] = $11 == "" ? $9 + 0 : $11 + 0
	rows[$1, $8]++
	if ($6 + 0 == 0 && $5 + 0 <= 1)
		plain[$1, $2, $3, $4, $8] = k
	if (!($2 in seen_strategy)) {
		seen_strategy[$2]
		if (!is_reference($2) && !($2 in colour_of)) {
			known($2, spare[nused % nspare + 1], 6 + 2 * nused)
			nused++
		}
	}
	note($1, "class", $3); note($1, "regime", $4); note($1, "rel", $5 + 0)
	note($1, "irr", $6 + 0); note($1, "sites", $7 + 0); note($1, "strategy", $2)
}

# Rows that no strategy made: the untraced call, and hand-written code.
function is_reference(name)
{
	return name ~ /^(untraced|floor|kernel_|popfq|pushregs|no_sites|none$|-$)/
}

# The values that column @what has in @scenario, in order of appearance.
function note(scenario, what, v)
{
	if (!((scenario, what, v) in noted)) {
		noted[scenario, what, v]
		axis[scenario, what, ++axis_len[scenario, what]] = v
	}
}

# Fills strategies[1..n] with those that @scenario has, in the house order.
function get_strategies(scenario,    i, n)
{
	n = 0
	for (i = 1; i <= nr_strategy_order; i++)
		if ((scenario, "strategy", strategy_order[i]) in noted)
			strategies[++n] = strategy_order[i]
	return n
}

# Fills classes[1..n] likewise.
function get_classes(scenario,    i, n)
{
	n = 0
	for (i = 1; i <= nr_class_order; i++)
		if ((scenario, "class", class_order[i]) in noted)
			classes[++n] = class_order[i]
	return n
}

# Fills numbers[1..n] with the values of a numeric column, ascending.
function get_numbers(scenario, what,    i, j, n, t)
{
	n = axis_len[scenario, what]
	for (i = 1; i <= n; i++) {
		t = axis[scenario, what, i]
		for (j = i; j > 1 && numbers[j - 1] > t; j--)
			numbers[j] = numbers[j - 1]
		numbers[j] = t
	}
	return n
}

function key(scenario, strategy, class, regime, rel, irr, sites, metric)
{
	return scenario SUBSEP strategy SUBSEP class SUBSEP regime SUBSEP rel SUBSEP irr SUBSEP sites SUBSEP metric
}

# The row with nothing else in the way: one ops or none, no irrelevant ones.  "": none.
function lookup(scenario, strategy, class, regime, metric,    i)
{
	i = scenario SUBSEP strategy SUBSEP class SUBSEP regime SUBSEP metric
	return i in plain ? plain[i] : ""
}

# The class a plot with one class shows: args, or the first that there is.
function main_class(scenario)
{
	if ((scenario, "class", "args") in noted)
		return "args"
	return get_classes(scenario) ? classes[1] : axis[scenario, "class", 1]
}

function main_regime(scenario)
{
	if ((scenario, "regime", "tight") in noted)
		return "tight"
	return axis[scenario, "regime", 1]
}

# --- numbers in words ---

# Three significant digits, thousands apart.
function num(x,    a, s, out)
{
	a = x < 0 ? -x : x
	if (a != 0 && a < 0.0095)
		return sprintf("%.1g", x)
	if (a < 9.995)
		s = sprintf("%.2f", x)
	else if (a < 99.95)
		s = sprintf("%.1f", x)
	else
		s = sprintf("%.0f", x)
	return thousands(s)
}

function thousands(s,    sign, out)
{
	if (s ~ /\./)
		return s
	sign = ""
	if (s ~ /^-/) { sign = "-"; s = substr(s, 2) }
	out = ""
	while (length(s) > 3) {
		out = "\302\240" substr(s, length(s) - 2) out
		s = substr(s, 1, length(s) - 3)
	}
	return sign s out
}

function whole(x) { return thousands(sprintf("%.0f", x)) }
function times(x) { return num(x) " times" }
function code(s) { return "<code>" esc(s) "</code>" }

function esc(s)
{
	gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s)
	return s
}

# "a", "a and b", "a, b and c" of list[1..n]
function and_list(list, n,    i, s)
{
	s = list[1]
	for (i = 2; i <= n; i++)
		s = s (i == n ? " and " : ", ") list[i]
	return s
}

function interval(k)
{
	return low[k] == high[k] ? num(value[k]) : num(value[k]) " [" num(low[k]) ", " num(high[k]) "]"
}

# --- output ---

function gp(s) { print s > plot }
function say(s) { print s > words }
function begin_table(head) { print "<table><thead><tr>" cells("th", head) "</tr></thead><tbody>" > table; in_table = 1 }
function add_row(s) { print "<tr>" cells("td", s) "</tr>" > table }
function end_table() { print "</tbody></table>" > table }

# "a|b|c" to cells
function cells(tag, s,    n, i, f, out)
{
	n = split(s, f, "|")
	out = ""
	for (i = 1; i <= n; i++)
		out = out "<" tag ">" f[i] "</" tag ">"
	return out
}

# The run has nothing for this plot: say so, plot nothing.
function absent(what, how)
{
	if (port_emulator[1] != "")
		how = "It was emulated: instruction counts and bytes only."
	say("<span class=\"absent\">This run has no " what ". " how "</span>")
	close(words)
	exit 0
}

# Where a count goes on an axis that has 0, 1, 2, 4 ... at equal distances.
function pos(n) { return n <= 0 ? -1 : log(n) / log(2) }

# set xtics for the counts in numbers[1..n], leaving out those that would touch.
function tics(n, no_zero,    i, s, last)
{
	s = ""
	last = -9
	for (i = 1; i <= n; i++)
		if (pos(numbers[i]) - last > 0.55 && !(no_zero && numbers[i] == 0)) {
			s = s (s == "" ? "" : ", ") sprintf("\"%s\" %.3f", numbers[i], pos(numbers[i]))
			last = pos(numbers[i])
		}
	return "set xtics (" s ")"
}

# Colours and points of strategies[1..n] as gnuplot arrays.
function gp_curves(n,    s)
{
	gp("curves = " n "; array colour[" n "]; array shape[" n "]")
	for (s = 1; s <= n; s++)
		gp("colour[" s "] = \"" colour_of[strategies[s]] "\"; shape[" s "] = " point_of[strategies[s]])
}

# Start the next block (gnuplot's index); never empty, so that they stay countable.
function gp_block()
{
	if (nr_blocks++)
		gp("\n")
	gp("NaN NaN NaN NaN \"\"")
}

# A data point of one curve: x y lo hi.  Log axes show nothing at or below 0.
function point(x, k, log_axis, text,    v, l, h)
{
	v = value[k]; l = low[k]; h = high[k]
	if (log_axis && v <= 0)
		return
	if (log_axis && l <= 0)
		l = v / 10
	gp(sprintf("%.4f %.6g %.6g %.6g %s", x, v, l, h, text == "" ? num(v) : text))
	widen(log_axis ? l : v, h)
}

# Where strategy @s of @n stands beside the others of one class.
function dodge(s, n) { return n < 2 ? 0 : (s - (n + 1) / 2) * (n > 3 ? 0.8 / n : 0.24) }

# Labels of the points label_x[1..n], label_k[1..n] ("": none): neighbours that
# nearly touch share one, which gives the range; above and below in turn.
function add_labels(n,    s, t, lo, hi, v, x, side, f)
{
	side = 0
	for (s = 1; s <= n; s = t) {
		t = s + 1
		if (label_k[s] == "" || value[label_k[s]] <= 0)
			continue
		lo = hi = value[label_k[s]]
		for (; t <= n && label_k[t] != ""; t++) {
			v = value[label_k[t]]
			if (v > lo * 1.2 || v < hi / 1.2)
				break
			if (v < lo) lo = v
			if (v > hi) hi = v
		}
		x = (label_x[s] + label_x[t - 1]) / 2
		v = lo == int(lo) && hi == int(hi) ? whole(lo) "|" whole(hi) : num(lo) "|" num(hi)
		split(v, f, "|")
		v = f[1] (f[1] == f[2] ? "" : "\342\200\223" f[2])
		label_lines[side] = label_lines[side] sprintf("%.4f %.6g 0 0 %s\n", x, side ? lo : hi, v)
		side = !side
	}
}
# What was added since the last time, as two blocks: those above, those below.
# gnuplot 5.4 dies of labels without a point that is a number: an empty one then.
function gp_labels(    side)
{
	for (side = 0; side < 2; side++) {
		gp_block()
		printf "%s", label_lines[side] == "" ? "1 1 0 0 \"\"\n" : label_lines[side] > plot
		label_lines[side] = ""
	}
}

# The extent of what was plotted, for axes that end where the data does.
function widen(l, h)
{
	if (!nr_points++) {
		bottom = l
		top = h
	}
	if (l < bottom) bottom = l
	if (h > top) top = h
}
function log_range()
{
	if (top > bottom * 3e4)
		gp("log_tics = decade_tics")
	return sprintf("[%.4g:%.4g]", bottom / 1.4, top * 1.7)
}

# A legend in one line at the top of the picture, the same in every plot.
function legend_start(width, y) { legend_x = 60; legend_w = width; legend_y = y }
function legend(name, c, p, text,    x)
{
	if (text == "")
		text = name
	x = legend_x / legend_w
	nr_labels++
	gp(sprintf("set label %d \"  %s\" at screen %.4f, screen %.4f left point pt %d ps 1.0 lc rgb \"%s\" font \",13\"",
		900 + nr_labels, text, x, legend_y, p, c))
	legend_x += 34 + 7.4 * length(text)
}
function legend_line(c, dash, text,    x)
{
	x = legend_x / legend_w
	nr_labels++
	gp(sprintf("set arrow %d from screen %.4f, screen %.4f to screen %.4f, screen %.4f nohead lw 2 dt %s lc rgb \"%s\"",
		900 + nr_labels, x - 0.008, legend_y, x + 0.024, legend_y, dash, c))
	gp(sprintf("set label %d \"%s\" at screen %.4f, screen %.4f left font \",13\"", 900 + nr_labels, text, x + 0.032, legend_y))
	legend_x += 56 + 7.4 * length(text)
}

# kernel.csv: kernel,path,class,base,per_relevant,per_irrelevant,source
function read_kernel(    line, f)
{
	while ((getline line < kernel) > 0) {
		if (line ~ /^(#|kernel,)/)
			continue
		split(line, f, ",")
		k_base[f[1], f[2], f[3]] = f[4]
		k_rel[f[1], f[2], f[3]] = f[5]
		k_irr[f[1], f[2], f[3]] = f[6]
		k_source[f[1]] = f[7]
	}
	close(kernel)
}
function kernel_cost(version, path, class, rel, irr)
{
	return k_base[version, path, class] + k_rel[version, path, class] * rel + k_irr[version, path, class] * irr
}

# --- plots over a count (irrelevant_ops, relevant_ops): one line a strategy ---

# Writes settings and data; @metric over @what, one panel.  Returns the curves.
function count_plot(sc, what, metric, xlabel, ylabel,    n, ns, s, i, class, regime, k)
{
	ns = get_strategies(sc)
	n = get_numbers(sc, what)
	class = main_class(sc)
	regime = main_regime(sc)
	legend_start(900, 0.965)
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], point_of[strategies[s]])
	gp_curves(ns)
	gp(tics(n))
	gp("set xrange [" pos(numbers[1]) - 0.3 ":" pos(numbers[n]) + 0.4 "]")
	gp("set xlabel \"" xlabel "\"; set ylabel \"" ylabel "\"")
	gp("$data << EOD")
	begin_table(count_head(ns, xlabel))
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (i = 1; i <= n; i++) {
			k = count_key(sc, strategies[s], class, regime, what, numbers[i], metric)
			if (k in value)
				point(pos(numbers[i]) + 0.03 * (s - (ns + 1) / 2), k, 1)
		}
	}
	gp("EOD")
	gp("set yrange " log_range())
	for (i = 1; i <= n; i++)
		add_row(count_row(ns, sc, class, regime, what, numbers[i], metric))
	end_table()
	return ns
}

function count_head(ns, first,    s, t)
{
	t = first
	for (s = 1; s <= ns; s++)
		t = t "|" code(strategies[s])
	return t
}

function count_row(ns, sc, class, regime, what, n, metric,    s, t, k)
{
	t = n
	for (s = 1; s <= ns; s++) {
		k = count_key(sc, strategies[s], class, regime, what, n, metric)
		t = t "|" (k in value ? interval(k) : "")
	}
	return t
}

# The row's key when only one count varies and the other is what the scenario has.
function count_key(sc, strategy, class, regime, what, n, metric,    rel, irr)
{
	rel = what == "rel" ? n : other_count(sc, "rel")
	irr = what == "irr" ? n : other_count(sc, "irr")
	return key(sc, strategy, class, regime, rel, irr, axis[sc, "sites", 1], metric)
}

function other_count(sc, what) { return axis[sc, what, 1] }

# --- bars by class and strategy: bytes ---

# Panels 1..n of @metric[i] in @scenario[i]; from zero, since bars are lengths.
function bar_plot(n, scenario, metric, heading, ylabel, rel, irr,    i, s, c, ns, nc, k, t, most, seen, x)
{
	gp("panels = " n "; array heading[" n "]; array unit[" n "]; array most[" n "]; array classes[" n "]")
	legend_start(n > 1 ? 1000 : 600, 0.955)
	ns = get_strategies(scenario[1])
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], 5)
	gp_curves(ns)
	settings = ""
	gp("$data << EOD")
	begin_table("what|code|class|bytes")
	for (i = 1; i <= n; i++) {
		most = 0
		t = ""
		nc = get_classes(scenario[i])
		for (s = 1; s <= ns; s++) {
			gp_block()
			for (c = 1; c <= nc; c++) {
				k = cell_of(scenario[i], strategies[s], classes[c], metric[i], rel[i], irr[i])
				if (k == "")
					continue
				x = bar_at(c, s, ns)
				gp(sprintf("%.4f %.6g %.4f", x, value[k], 0.74 / ns))
				add_row(heading[i] "|" code(strategies[s]) "|" classes[c] "|" num_plain(value[k]))
				if (value[k] > most)
					most = value[k]
			}
		}
		# Neighbours of one height share a label.
		gp_block()
		for (c = 1; c <= nc; c++)
			for (s = 1; s <= ns; s = t + 1) {
				t = s
				k = cell_of(scenario[i], strategies[s], classes[c], metric[i], rel[i], irr[i])
				if (k == "")
					continue
				while (t < ns && (seen = cell_of(scenario[i], strategies[t + 1], classes[c], metric[i], rel[i], irr[i])) != "" &&
				       value[seen] == value[k])
					t++
				gp(sprintf("%.4f %.6g 0 0 %s", (bar_at(c, s, ns) + bar_at(c, t, ns)) / 2, value[k], num_plain(value[k])))
			}
		t = ""
		settings = settings "heading[" i "] = \"" heading[i] "\"; unit[" i "] = \"" ylabel[i] "\"; most[" i "] = " (most ? most * 1.18 : 1) "; classes[" i "] = " nc "\n"
	}
	gp("EOD")
	gp(settings)
	t = ""
	for (c = 1; c <= nc; c++)
		t = t (c > 1 ? ", " : "") "\"" classes[c] "\" " c
	gp("set xtics (" (n > 2 ? two_lines(t) : t) ") scale 0")
	end_table()
}

function bar_at(c, s, ns) { return c + (s - (ns + 1) / 2) * 0.8 / ns }
function two_lines(t) { gsub(/args-reserved/, "args-\\nreserved", t); return t }

function num_plain(x) { return x == int(x) ? whole(x) : num(x) }

# The row with these counts ("": whatever they are) and the most sites, or "".
function cell_of(scenario, strategy, class, metric, rel, irr,    k, best, f, sites)
{
	best = ""
	for (k in value) {
		split(k, f, SUBSEP)
		if (f[1] != scenario || f[2] != strategy || f[3] != class || f[8] != metric)
			continue
		if ((rel != "" && f[5] != rel) || (irr != "" && f[6] != irr))
			continue
		if (best == "" || f[7] + 0 > sites) {
			best = k
			sites = f[7] + 0
		}
	}
	return best
}

# --- big_text of port at_port: the layout of the text is in the column of regimes ---

function big_text() { return of_port("big_text", at_port) }

# The row of this layout; @irr "": whatever it is.
function cell_in(regime, strategy, irr, metric,    k, f)
{
	for (k in value) {
		split(k, f, SUBSEP)
		if (f[1] == big_text() && f[2] == strategy && f[4] == regime && f[8] == metric && (irr == "" || f[6] == irr))
			return k
	}
	return ""
}

# MiB, by the names of the layouts.
function least_span(    i, f, least)
{
	for (i = 1; i <= axis_len[big_text(), "regime"]; i++)
		if (split(axis[big_text(), "regime", i], f, "-") == 2 && (least == "" || f[2] + 0 < least))
			least = f[2] + 0
	return least
}

# --- threads: who calls and what is changed meanwhile is in the column of regimes ---

function in_crowd(strategy, regime, metric) { return key("threads", strategy, main_class("threads"), regime, 1, 0, 1, metric) }

# The most threads, of those that call @what ("own", "same") while there is @change.
function most_threads(what, change,    i, f, most)
{
	for (i = 1; i <= axis_len["threads", "regime"]; i++) {
		split(axis["threads", "regime", i], f, "-")
		if (f[1] == what && f[3] == change && f[2] + 0 > most)
			most = f[2] + 0
	}
	return most + 0
}

# The A/A pair: untraced_b over untraced.  Sets aa_key, aa_part (of an untraced call), aa_where.
function aa_error(    k, f, t, v)
{
	aa_part = 0
	aa_where = ""
	for (k in value) {
		split(k, f, SUBSEP)
		# Of one function or eight nested, as bench/summary.c judges a run.
		if (f[2] != "untraced_b" || f[8] != "cycles_over_untraced" || f[7] + 0 > 8)
			continue
		v = value[k] < 0 ? -value[k] : value[k]
		t = key(f[1], "untraced", f[3], f[4], f[5], f[6], f[7], "cycles_total")
		if (!(t in value) || value[t] <= 0)
			continue
		name = f[1] ", " f[4]
		w = high[k] > -low[k] ? high[k] : -low[k]
		v /= value[t]
		if (aa_where == "" || v > aa_part || (v == aa_part && (w > aa_width || (w == aa_width && name < aa_where)))) {
			aa_part = v
			aa_width = w
			aa_key = k
			aa_where = name
		}
	}
}
