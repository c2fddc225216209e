# SPDX-License-Identifier: MIT
# Stored runs of make torture, for the page and the mail: side/torture-N.csv with
# side/torture-N.txt, its meta.txt.

# The runs' number; of run t, in the order of the file: kind[t, 1..kinds[t]],
# sum[t, kind, strategy] and whole_sum[t, kind], strategy "-" for programs;
# skip[t, 1..skips[t]] with skip_count, failure[t, 1..failures[t]].
function read_torture(    t, line, f, m)
{
	for (t = 1; (getline line < (side "/torture-" t ".txt")) > 0; t++) {
		do {
			m = index(line, "=")
			of_run[t, substr(line, 1, m - 1)] = substr(line, m + 1)
		} while ((getline line < (side "/torture-" t ".txt")) > 0)
		getline line < (side "/torture-" t ".csv")
		while ((getline line < (side "/torture-" t ".csv")) > 0) {
			split(line, f, ",")
			read_survived(t, f)
		}
	}
	return t - 1
}

function read_survived(t, f)
{
	if (f[5] > 0) {
		if (!((t, f[6]) in whole_sum))
			kind[t, ++kinds[t]] = f[6]
		whole_sum[t, f[6]] += f[5]
		sum[t, f[6], f[2]] += f[5]
		if (!((t, f[2]) in had_strategy)) {
			had_strategy[t, f[2]]
			if (f[2] != "-" && !(f[2] in colour_of))
				known(f[2], "#000000", 1)
		}
	} else if (f[4] == "skipped") {
		if (!((t, f[6]) in skip_count))
			skip[t, ++skips[t]] = f[6]
		skip_count[t, f[6]]++
	} else if (f[4] == "failed")
		failure[t, ++failures[t]] = f[1] " (" f[2] "/" f[3] "): " (f[6] == "" ? "no reason given" : f[6])
}

# "300 s from seed 7" and "x86_64, commit ..." of a run.
function torture_how(t) { return of_run[t, "seconds"] " s from seed " of_run[t, "seed"] }
function torture_what(t)
{
	return of_run[t, "arch"] (of_run[t, "emulated"] == "" ? "" : ", emulated by " of_run[t, "emulated"]) \
		", commit " of_run[t, "commit"] (of_run[t, "dirty"] == "yes" ? " with changes that are in no commit" : "")
}
function torture_count(t)
{
	return of_run[t, "passed"] " cases passed, " of_run[t, "failed"] " failed, " of_run[t, "skipped"] " skipped"
}
