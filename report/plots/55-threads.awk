# SPDX-License-Identifier: MIT
# title: Threads
# Several threads that call at once, alone and while another changes sites.

END {
	sc = "threads"; m = "cycles_over_untraced"
	ns = get_strategies(sc)
	if (!rows[sc, m] || !ns)
		absent("threads figures", "<code>make bench</code> measures them.")
	room = 1.4
	heading_of[1] = "alone"
	panel_of(1, "", m)
	heading_of[2] = "changes elsewhere"
	panel_of(2, "there", m)
	heading_of[3] = "changes here"
	panel_of(3, "here", m)
	heading_of[4] = "changes/s elsewhere"
	panel_of(4, "there", "changes_per_s")
	heading_of[5] = "changes/s here"
	panel_of(5, "here", "changes_per_s")
	place_panels()

	height = 40 + 330 * nr_lines
	gp("height = " height)
	legend_start(1120, 1 - 18 / height)
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], point_of[strategies[s]])
	gp_curves(ns)
	gp("panels = " panels "; array heading[panels]; array tics[panels]; array range[panels]; array cats[panels]; array unit[panels]")
	gp("array at_x[panels]; array at_y[panels]; array size_x[panels]")
	gp("$data << EOD")
	for (p = 1; p <= panels; p++)
		put_panel(p)
	gp("EOD")
	gp(settings)
	put_table()
	say_threads()
	say_changes()
	say_skipped()
}

# A panel, if there is a figure for it: its regimes are its categories.
function panel_of(nr, change, metric,    i, s, f, rg)
{
	cats_of[panels + 1] = 0
	for (i = 1; i <= axis_len[sc, "regime"]; i++) {
		rg = axis[sc, "regime", i]
		split(rg, f, "-")
		if (f[3] != change || !any_figure(rg, metric))
			continue
		cat[panels + 1, ++cats_of[panels + 1]] = rg
	}
	if (!cats_of[panels + 1])
		return
	panels++
	metric_of[panels] = metric
	heading_at[panels] = heading_of[nr]
}
function any_figure(rg, metric,    s)
{
	for (s = 1; s <= ns; s++)
		if (in_crowd(strategies[s], rg, metric) in value)
			return 1
	return 0
}

# Side by side, as wide as they have categories; a new line where there would be too many.
function place_panels(    p, q, x, width)
{
	nr_lines = 0
	for (p = 1; p <= panels; p = q) {
		nr_lines++
		width = 0
		for (q = p; q <= panels && (q == p || width + cats_of[q] + room < 14.5); q++) {
			width += cats_of[q] + room
			line_of[q] = nr_lines
		}
		x = 0
		for (; p < q; p++) {
			left_of[p] = x / width
			width_of[p] = (cats_of[p] + room) / width
			x += cats_of[p] + room
		}
	}
}

function put_panel(p,    s, i, k, t)
{
	# All panels of one metric have one scale.
	if (p == 1 || metric_of[p] != metric_of[p - 1])
		nr_points = 0
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (i = 1; i <= cats_of[p]; i++) {
			k = in_crowd(strategies[s], cat[p, i], metric_of[p])
			if (k in value)
				point(i + dodge(s, ns), k, 1)
		}
	}
	t = ""
	for (i = 1; i <= cats_of[p]; i++) {
		for (s = 1; s <= ns; s++) {
			label_x[s] = i + dodge(s, ns)
			label_k[s] = in_crowd(strategies[s], cat[p, i], metric_of[p])
			# Four digits each would lie on each other.
			if (metric_of[p] != m || !(label_k[s] in value))
				label_k[s] = ""
		}
		add_labels(ns)
		t = t (i > 1 ? ", " : "") "\"" threads_in(cat[p, i], "\\n") "\" " i
	}
	gp_labels()
	settings = settings "heading[" p "] = \"" heading_at[p] "\"; cats[" p "] = " cats_of[p] "; tics[" p "] = '(" t ")'" \
		"; unit[" p "] = \"" (p > 1 && line_of[p] == line_of[p - 1] ? "" : metric_of[p] == m ? "core cycles over untraced" : "changes a second") "\"" \
		"; at_x[" p "] = " left_of[p] "; size_x[" p "] = " width_of[p] "; at_y[" p "] = " nr_lines - line_of[p] "\n"
	for (i = p; i >= 1 && metric_of[i] == metric_of[p]; i--)
		range_of[i] = log_range()
	if (p < panels)
		return
	for (i = 1; i <= panels; i++)
		settings = settings "range[" i "] = \"" range_of[i] "\"\n"
}

# "2 threads", and which functions they call.
function threads_in(rg, between,    f)
{
	split(rg, f, "-")
	return f[2] (f[2] == 1 ? " thread" : " threads" between (f[1] == "own" ? "own functions" : "one function"))
}
function meanwhile(rg,    f)
{
	split(rg, f, "-")
	return f[3] == "here" ? "changes here" : f[3] == "there" ? "changes elsewhere" : "nothing"
}

function put_table(    i, s, k, one, r)
{
	begin_table("threads|meanwhile|strategy|core cycles over untraced|of one thread alone|changes a second")
	for (i = 1; i <= axis_len[sc, "regime"]; i++)
		for (s = 1; s <= ns; s++) {
			k = in_crowd(strategies[s], axis[sc, "regime", i], m)
			r = in_crowd(strategies[s], axis[sc, "regime", i], "changes_per_s")
			one = in_crowd(strategies[s], "own-1", m)
			add_row(threads_in(axis[sc, "regime", i], ", ") "|" meanwhile(axis[sc, "regime", i]) "|" code(strategies[s]) "|" \
				(k in value ? interval(k) : "no round counted") "|" ((k in value) && (one in value) && value[one] > 0 ? num(value[k] / value[one]) : "") "|" \
				(r in value ? interval(r) : ""))
		}
	end_table()
}

# The figures of a regime, as a list in words; over those of regime @of, if that is given.
function figures(rg, metric, of,    s, n, k, o, list)
{
	n = 0
	for (s = 1; s <= ns; s++) {
		k = in_crowd(strategies[s], rg, metric)
		o = in_crowd(strategies[s], of, metric)
		if ((k in value) && (of == "" || ((o in value) && value[o] > 0)))
			list[++n] = code(strategies[s]) " " num(of == "" ? value[k] : value[k] / value[o])
	}
	return n ? and_list(list, n) : ""
}

function say_threads(    own, same, t)
{
	own = most_threads("own", "")
	same = most_threads("same", "")
	if ((t = figures("own-1", m, "")) != "")
		say("One thread alone pays for a traced call, in core cycles over an untraced one: " t ".")
	if (own > 1 && (t = figures("own-" own, m, "own-1")) != "")
		say(own " threads at once, each in a function of its own, pay of that each: " t ".")
	if (same > 1 && (t = figures("same-" same, m, "own-1")) != "")
		say(same " in one and the same function: " t ".")
}

function say_changes(    t)
{
	if (!rows[sc, "changes_per_s"])
		return
	say("While another thread registers and unregisters a second ops as fast as it can, each change interrupts those who call, and what that takes is in the figure.")
	if ((t = figures("own-1-there", m, "")) != "")
		say("With that ops on other functions one thread pays " t " core cycles a call.")
	if ((t = figures("own-1-here", m, "")) != "")
		say("With it on the function that is called, where it is called, too, half of the time: " t ".")
	if ((t = figures("own-1-there", "changes_per_s", "")) != "")
		say("So many changes a second went through on other functions: " t ".")
	if ((t = figures("own-1-here", "changes_per_s", "")) != "")
		say("And on the function that is called: " t ".")
}

function say_skipped(    k, f, n, said, list)
{
	for (k in why_not) {
		split(k, f, SUBSEP)
		if (f[1] == sc && why_not[k] !~ /^orders/ && !(why_not[k] in said)) {
			said[why_not[k]]
			list[++n] = esc(why_not[k])
		}
	}
	if (n)
		say("More was not measured: " and_list(list, n) ".")
}
