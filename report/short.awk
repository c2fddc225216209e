# SPDX-License-Identifier: MIT
# The head of the page: can the run be believed, and what does it say in short.

END {
	print "<p class=verdict>"
	if (fact("verdict") != "")
		print "Verdict of the run: <b>" esc(fact("verdict")) "</b>. "
	if (fact("quality") != "")
		print "Quality: <b>" esc(fact("quality")) "</b>" \
		      (fact("rounds_tried") > 0 ? ", " whole(fact("rounds_kept")) " of " whole(fact("rounds_tried")) " rounds kept" : "") ". "
	aa_error()
	if (aa_where != "")
		print "The experiment's own error, two copies of the untraced call against each other: at worst " interval(aa_key) " cycles, " num(aa_part * 100) " % of an untraced call (" aa_where ")."
	print "</p>"
	print "<p>" esc(fact("cpu", "cpu_model")) "; Linux " esc(fact("kernel", "uname")) "; " esc(fact("compiler", "cc")) \
	      "; commit <code>" esc(fact("commit")) "</code>" (fact("dirty") == "yes" ? " with changes that are in no commit" : "") (fact("date") == "" ? "" : "; " esc(fact("date"))) ".</p>"
	if (fact("skipped") != "")
		print "<p class=absent>Skipped in this run: " esc(fact("skipped")) "</p>"

	if (port_emulator[1] != "")
		print "<p class=absent>Emulated by " esc(port_emulator[1]) ": instruction counts and bytes only.</p>"
	for (i = 2; i <= nr_ports; i++)
		print "<p>Beside it, " said_of(i) ".</p>"

	ns = get_strategies("traced_call")
	if (!ns)
		exit 0
	rg = main_regime("traced_call")
	for (i = 1; i <= axis_len["traced_call", "class"]; i++)
		if (lookup("traced_call", "floor", axis["traced_call", "class", i], rg, "cycles_over_untraced") != "")
			fk = lookup("traced_call", "floor", axis["traced_call", "class", i], rg, "cycles_over_untraced")
	n = get_numbers("enable_sites", "sites")
	last = n ? numbers[n] : 0
	n = get_numbers("memory", "irr")
	many = n ? numbers[n] : 0
	print "<table class=open><thead><tr><th>one ops at the site, " rg "</th><th>args: cycles over untraced</th><th>of the floor</th>" \
	      "<th>regs: of the floor</th><th>instructions, args</th><th>stack bytes, args</th><th>bytes an ops, args</th><th>ns a site, enabling" (last ? " " whole(last) : "") "</th></tr></thead><tbody>"
	for (s = 1; s <= ns; s++) {
		st = strategies[s]
		a = lookup("traced_call", st, "args", rg, "cycles_over_untraced")
		r = lookup("traced_call", st, "regs", rg, "cycles_over_untraced")
		i = cell_of("insns", st, "args", "insns_over_untraced", 1, 0)
		b = cell_of("insns", st, "args", "stack_bytes", 1, 0)
		o = cell_of("memory", st, "args", "bytes_per_ops", 1, many)
		e = key("enable_sites", st, "args", axis["enable_sites", "regime", 1], axis["enable_sites", "rel", 1], axis["enable_sites", "irr", 1], last, "ns_per_site_enable")
		if (!(e in value))
			e = ""
		print "<tr><td>" code(st) "</td><td>" show(a) "</td><td>" ratio(a) "</td><td>" ratio(r) "</td><td>" plain_number(i) \
		      "</td><td>" plain_number(b) "</td><td>" plain_number(o) "</td><td>" show(e) "</td></tr>"
	}
	if (fk != "")
		print "<tr><td>the floor</td><td>" show(fk) "</td><td>" ratio(fk) "</td><td></td><td></td><td></td><td></td><td></td></tr>"
	print "</tbody></table>"
	print "<p>Figures in brackets are the interval. The floor is the least hand-written code that could do the job for one known callback, measured in the same run.</p>"
}

function show(k) { return k == "" ? "" : interval(k) }
function plain_number(k) { return k == "" ? "" : num_plain(value[k]) }
function ratio(k) { return k == "" || fk == "" ? "" : num(value[k] / value[fk]) }
