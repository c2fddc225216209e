# SPDX-License-Identifier: MIT
# title: The same cases inside Linux
# The conformance table and what was observed, of make check-kernel.

END {
	if (!paste(side "/kernels/conformance.html", table))
		absent("kernel's answers", "<code>make check-kernel</code> asks kernels.")
	say("The cases that need only ftrace's own API, run by every strategy here and, as a module, inside Debian's kernels under software emulation.")
	while ((getline line < (side "/kernels/summary.txt")) > 0)
		if (line ~ /^# [^ ]+ +[0-9]+ passed/) {
			split(line, f, " +")
			say(code(f[2]) ": " f[3] " passed, " f[5] " failed, " f[7] " differ as documented, " f[11] " skipped.")
		}
	print "<h3>What kernels were seen to do</h3>" > table
	paste(side "/kernels/observations.html", table)
}

# Copies a file; how many lines there were.
function paste(from, to,    line, n)
{
	while ((getline line < from) > 0) {
		print line > to
		n++
	}
	close(from)
	return n
}
