# SPDX-License-Identifier: MIT
# The cost matrix: ops at the site, ops elsewhere and flags down, strategies and
# kernels across.  awk -f matrix.awk [-v form=text|html] MATRIX.csv...
# Lines: column,base|cell|refused,flags,at the site,elsewhere,instructions,rest

BEGIN {
	FS = ","
	n = split("list_func direct_tramp dyn_tramp call_ops fused_tramp", house, " ")
	for (i = 1; i <= n; i++)
		place[house[i]] = i
	nr_places = n
}

!($1 in place) { place[$1] = ++nr_places }
!($1 in seen) { seen[$1]; column[place[$1]] = $1 }

$2 == "base" && $3 == "untraced" { untraced[$1] = $6 }
$2 == "refused" { refused[$1, $3] = 1 }
$2 == "cell" {
	row = $3 FS $4 FS $5
	if (!(row in known)) {
		known[row]
		rows[++nr_rows] = row
	}
	value[$1, row] = $6
}

END {
	for (p = 1; p <= nr_places; p++)
		if (p in column)
			columns[++nr_columns] = column[p]
	start()
	line("the untraced call itself", "", "")
	for (c = 1; c <= nr_columns; c++)
		cell(untraced[columns[c]])
	end_line()
	for (r = 1; r <= nr_rows; r++) {
		split(rows[r], f, FS)
		# Without ops at the site nothing may be added, whatever is elsewhere.
		if (f[2] == 0)
			continue
		line(f[1], f[2], f[3])
		for (c = 1; c <= nr_columns; c++)
			cell((columns[c], rows[r]) in value ? value[columns[c], rows[r]] : (columns[c], f[1]) in refused ? "refused" : "-")
		end_line()
	}
	finish()
}

function start(    c)
{
	if (form == "html")
		printf "<table class=open><thead><tr><th>flags</th><th>at the site</th><th>elsewhere</th>"
	else
		printf "%-32s %11s %9s", "flags", "at the site", "elsewhere"
	for (c = 1; c <= nr_columns; c++)
		printf form == "html" ? "<th><code>%s</code></th>" : " %12s", columns[c]
	print form == "html" ? "</tr></thead><tbody>" : ""
}

function line(flags, rel, irr)
{
	printf form == "html" ? "<tr><td>%s</td><td>%s</td><td>%s</td>" : "%-32s %11s %9s", flags, rel, irr
}

function cell(v)
{
	printf form == "html" ? "<td>%s</td>" : " %12s", v == "" ? "-" : v
}

function end_line()
{
	print form == "html" ? "</tr>" : ""
}

function finish()
{
	if (form == "html")
		print "</tbody></table>"
}
