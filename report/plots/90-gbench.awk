# SPDX-License-Identifier: MIT
# title: Second opinion: google-benchmark
# google-benchmark's figures of the same scenarios: a second opinion.

END {
	file = side "/gbench.flat"
	n = 0
	while ((getline line < file) > 0) {
		split(line, f, "\t")
		split(f[1], p, ".")
		if (p[1] == "benchmarks" && p[4] == "") {
			if (p[2] + 1 > n)
				n = p[2] + 1
			what[p[2] + 1, p[3]] = f[2]
		}
	}
	if (!n)
		absent("google-benchmark figures (gbench.json)", "<code>make gbench</code> brings them.")
	begin_table("case|median time|unit|coefficient of variation")
	for (i = 1; i <= n; i++)
		if (what[i, "aggregate_name"] == "cv")
			cv[what[i, "run_name"]] = what[i, "cpu_time"]
	for (i = 1; i <= n; i++)
		if (what[i, "aggregate_name"] == "median" || what[i, "run_type"] == "iteration" && !(what[i, "run_name"] in cv)) {
			shown++
			r = what[i, "run_name"]
			add_row(esc(r) "|" num(what[i, "cpu_time"]) "|" what[i, "time_unit"] "|" (r in cv ? num(cv[r] * 100) " %" : ""))
			if (r in cv && cv[r] * 100 > worst)
				worst = cv[r] * 100
		}
	end_table()
	say(shown " cases, CPU time; a second opinion and an exchange format, not the judge" \
	    (worst ? ": repetitions of one case differ by up to " num(worst) " % (coefficient of variation)." : "."))
}
