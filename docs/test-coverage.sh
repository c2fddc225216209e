#!/bin/sh
# SPDX-License-Identifier: MIT
# docs/coverage.md and the cases say the same: each test that the page names exists
# and names the kind of fault, each kind that a test names is on the page, and no
# kind is there without a test or a word why.
set -eu
cd "${0%/*}/.."
page=${1:-docs/coverage.md}

# NAME NUMBERS of each case and each program.
tests() {
	cat harness/cases/*.c harness/cases/*/*.c harness/cases/*/*/*.c harness/arch/*/cases/*.c harness/arch/*/cases/*/*.c 2>/dev/null |
		sed -n 's/^CASE(\([a-zA-Z0-9_]*\), "\([^"]*\)".*/\1 \2/p'
	sh harness/builds.sh list | sed 's/\t/ /'
}

tests | awk -v page="$page" '
	function bad(why) { print "check-docs: " page ": " why; failed = 1 }
	{
		known[$1]
		text = $0
		while (match(text, /BUG-[0-9]+/)) {
			number = substr(text, RSTART, RLENGTH)
			named[$1, number]
			cited[number] = $1
			text = substr(text, RSTART + RLENGTH)
		}
	}
	# A file that is named holds the number, too.
	function file_has(name, number,    line, found) {
		while ((getline line < name) > 0)
			found = found || index(line, number)
		close(name)
		return found
	}
	function look_at(name, number) {
		if (name ~ /\//) {
			if (!file_has(name, number))
				bad(number ": no " name " that names it")
		} else if (!(name in known))
			bad(number ": there is no case " name)
		else if (name !~ /^(perf|gdb|tools)_/ && !((name, number) in named))
			bad(number ": " name " does not name it")
	}
	END {
		while ((getline line < page) > 0) {
			if (line !~ /^\| BUG-[0-9]+ \|/)
				continue
			rows++
			split(line, cell, / *\| */)
			row[cell[2]]
			if (cell[3] == "")
				bad(cell[2] ": what is it?")
			n = split(cell[4], word, "`")
			for (i = 2; i <= n; i += 2)
				look_at(word[i], cell[2])
			if (n < 3 && cell[4] !~ /^(Does not apply|Not covered): /)
				bad(cell[2] ": no case, and no reason")
		}
		for (number in cited)
			if (!(number in row))
				bad(number " is not there; " cited[number] " names it")
		if (!rows)
			bad("no row")
		if (!failed)
			print "# ok: docs: coverage.md and the cases agree, " rows " kinds of fault"
		exit failed
	}'
