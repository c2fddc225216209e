# SPDX-License-Identifier: MIT
# title: Exact instructions, kernels too
# The kernel's cost matrix beside the strategies': ops at the site, elsewhere, flags.

END {
	sc = "kernel_matrix"; m = "insns"
	load(side "/kernels/user-matrix.csv")
	nkernels = split("x86-6.1 x86-6.12 x86-own arm-6.1 arm-6.12 arm-own", kernels, " ")
	nspare = split("#000000 #56B4E9 #882255 #999933 #332288 #AA4499", spare, " ")
	for (i = 1; i <= nkernels; i++) {
		known(kernels[i], spare[i], 4 + 2 * i)
		load(side "/kernels/" kernels[i] "/matrix.csv")
	}
	if (!rows[sc, m])
		absent("kernel's instruction counts", "<code>make check-kernel</code> counts them.")
	ns = get_strategies(sc)
	legend_start(1100, 0.955)
	for (s = 1; s <= ns; s++)
		legend(strategies[s], colour_of[strategies[s]], point_of[strategies[s]])
	gp_curves(ns)
	gp("$data << EOD")
	series("irr")
	series("rel")
	gp("EOD")
	gp(settings)
	gp("count_yrange = 'set yrange " log_range() "'")
	while ((getline line < (side "/kernels/matrix.html")) > 0)
		print line > table
	say("Instructions of one traced call over an untraced one; the callback is empty on both sides. Strategies are single-stepped; kernels run on one emulated processor whose counter moves by one an instruction, every cell the same in every boot.")
	for (s = 1; s <= ns; s++)
		reading(strategies[s])
	say("Plotted without flags; the numbers also have RECURSION, RCU and SAVE_REGS.")
}

# Lines: column,cell,flags,at the site,elsewhere,instructions,rest
function load(file,    line, f, k)
{
	while ((getline line < file) > 0) {
		split(line, f, ",")
		if (f[2] != "cell" || f[3] ~ / /)
			continue
		k = key(sc, f[1], f[3], "-", f[4] + 0, f[5] + 0, 1, m)
		value[k] = low[k] = high[k] = f[6] + 0
		rows[sc, m]++
		note(sc, "strategy", f[1]); note(sc, "class", f[3])
		note(sc, "rel", f[4] + 0); note(sc, "irr", f[5] + 0)
	}
	close(file)
}

function at(column, rel, irr) { return key(sc, column, "none", "-", rel, irr, 1, m) }

function series(what,    i, n, s, k)
{
	n = get_numbers(sc, what)
	for (s = 1; s <= ns; s++) {
		gp_block()
		for (i = 1; i <= n; i++) {
			k = what == "rel" ? at(strategies[s], numbers[i], 0) : at(strategies[s], 1, numbers[i])
			if (k in value && (what == "irr" || numbers[i] > 0))
				point(pos(numbers[i]), k, 1)
		}
	}
	settings = settings what "_tics = '" tics(n, what == "rel") "'; " what "_range = 'set xrange [" \
		pos(what == "rel" ? 1 : numbers[1]) - 0.4 ":" pos(numbers[n]) + 0.4 "]'\n"
}

# What one ops alone, one elsewhere, and a second at the site cost.
function reading(column,    one, more, two)
{
	one = at(column, 1, 0); more = at(column, 1, 1); two = at(column, 2, 0)
	if ((one in value) && (more in value) && (two in value))
		say(code(column) ": " whole(value[one]) " for one ops alone, " \
		    (value[more] == value[one] ? "the same" : whole(value[more])) " with another elsewhere, " \
		    whole(value[two]) " for two at the site.")
}
