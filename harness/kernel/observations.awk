# SPDX-License-Identifier: MIT
# What kernels were seen to do: facts down, kernels across.
# awk -f observations.awk [-v form=text|html] .../TAG/observations.tsv...

BEGIN { FS = "\t" }

FNR == 1 {
	n = split(FILENAME, part, "/")
	columns[++nr_columns] = part[n - 1]
}

{
	if (!($1 in known)) {
		known[$1]
		names[++nr_names] = $1
	}
	value[nr_columns, $1] = $2
}

END {
	if (form == "html")
		printf "<table class=open><thead><tr><th>observed</th>"
	else
		printf "%-84s", "observed"
	for (c = 1; c <= nr_columns; c++)
		printf form == "html" ? "<th><code>%s</code></th>" : " %-24s", columns[c]
	print form == "html" ? "</tr></thead><tbody>" : ""
	for (i = 1; i <= nr_names; i++) {
		printf form == "html" ? "<tr><td>%s</td>" : "%-84s", names[i]
		for (c = 1; c <= nr_columns; c++)
			printf form == "html" ? "<td>%s</td>" : " %-24s", (c, names[i]) in value ? value[c, names[i]] : "-"
		print form == "html" ? "</tr>" : ""
	}
	if (form == "html")
		print "</tbody></table>"
}
