# SPDX-License-Identifier: MIT
# title: A whole program: lua
# A whole program, from hyperfine's own JSON.

END {
	file = side "/lua.flat"
	n = 0
	while ((getline line < file) > 0) {
		split(line, f, "\t")
		split(f[1], p, ".")
		if (p[1] == "results" && p[3] == "times")
			wall[p[2] + 0, p[3], p[4] + 0]
		if (p[1] != "results" || p[4] != "")
			continue
		if (p[2] + 1 > n)
			n = p[2] + 1
		what[p[2] + 1, p[3]] = f[2]
	}
	if (!n)
		absent("whole program (lua.json)", "<code>make bench</code> runs it under hyperfine where Debian's source package can be had.")
	base = 1
	for (i = 1; i <= n; i++)
		if (what[i, "command"] ~ /no.?sites|plain|uninstrumented/)
			base = i
	gp("n = " n)
	gp("set ytics (" ytics() ")")
	gp("$data << EOD")
	begin_table("what ran|mean, ms|± σ|user + system, ms|least, ms|least, of " esc(what[base, "command"]))
	for (i = 1; i <= n; i++) {
		mean = what[i, "mean"]; sd = what[i, "stddev"] + 0
		ratio = what[i, "min"] / what[base, "min"]
		gp(sprintf("%.6g %d %.6g %.6g %s %.6g", mean * 1e3, n - i, (mean > sd ? mean - sd : 0) * 1e3, (mean + sd) * 1e3, num(ratio), what[i, "min"] * 1e3))
		tint = tint (i > 1 ? ", " : "") "\"" colour(what[i, "command"]) "\""
		add_row(esc(what[i, "command"]) "|" num(mean * 1e3) "|" num(sd * 1e3) "|" num((what[i, "user"] + what[i, "system"]) * 1e3) "|" num(what[i, "min"] * 1e3) "|" num(ratio))
		if ((mean + sd) * 1e3 > most)
			most = (mean + sd) * 1e3
	}
	gp("EOD")
	gp("array colours[" n "] = [" tint "]")
	gp("set xrange [0:" most * 1.12 "]")
	end_table()
	off = worst = best = ""
	for (i = 1; i <= n; i++) {
		name = what[i, "command"]
		r = what[i, "min"] / what[base, "min"]
		if (name ~ /off|^untraced/) off = r
		if (colour(name) == "#777777")
			continue
		if (best == "" || r < best) { best = r; best_name = name }
		if (worst == "" || r > worst) { worst = r; worst_name = name }
	}
	if (off != "")
		say("Sites that are compiled in and switched off make the program take " num(off) " of its time without them (least of " runs() " runs; noise only adds).")
	if (best != "")
		say("With a callback on every function it takes " times(best) " as long (" code(best_name) ") to " times(worst) " as long (" code(worst_name) ").")
	if (off == "" && best == "")
		say("Mean, σ and least of each run; the base is " code(what[base, "command"]) ".")
}

function runs(    r)
{
	r = 0
	while ((0, "times", r) in wall)
		r++
	return r
}

function ytics(    i, s)
{
	for (i = 1; i <= n; i++)
		s = s (i > 1 ? ", " : "") "\"" what[i, "command"] "\" " n - i
	return s
}
function colour(name,    i)
{
	for (i = 1; i <= nr_strategy_order; i++)
		if (index(name, strategy_order[i]))
			return colour_of[strategy_order[i]]
	return "#777777"
}
