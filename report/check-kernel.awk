# SPDX-License-Identifier: MIT
# kernel.csv's rules against the stored counts of make check-kernel:
# awk -f check-kernel.awk kernel.csv .../TAG/matrix.csv...

BEGIN { FS = "," }

/^#/ || /^kernel,/ { next }

FILENAME == ARGV[1] {
	base[$1, $2, $3] = $4
	per_relevant[$1, $2, $3] = $5
	per_irrelevant[$1, $2, $3] = $6
	next
}

$2 == "cell" && $4 > 0 && ($3 == "none" || $3 == "SAVE_REGS") {
	version = $1
	sub(/^x86-/, "x86-64 ", version)
	sub(/^arm-/, "arm64 ", version)
	class = $3 == "none" ? "args" : "regs"
	path = $4 == 1 && ((version, "alone", class) in base) ? "alone" : "list"
	if (!((version, path, class) in base)) {
		print version ", " path ", " class " is not in " ARGV[1]
		wrong++
		next
	}
	want = base[version, path, class] + per_relevant[version, path, class] * $4 + per_irrelevant[version, path, class] * $5
	if ($6 != want) {
		print $1 ", " $3 ", " $4 " at the site, " $5 " elsewhere: " $6 ", the rule gives " want
		wrong++
	}
	cells++
}

END {
	print cells + 0 " cells, " wrong + 0 " off"
	exit wrong || !cells
}
