# SPDX-License-Identifier: MIT
# Flattens JSON: one line a value, "path<TAB>value", e.g. results.0.mean	0.25
# Exit status 1 when the text is not JSON.

{ text = text $0 "\n" }

END {
	at = 1
	bad = 0
	parse("")
	blank()
	if (bad || at <= length(text))
		exit 1
}

function blank()
{
	while (substr(text, at, 1) ~ /[ \t\r\n]/ && at <= length(text))
		at++
}

function take(c)
{
	blank()
	if (substr(text, at, 1) != c)
		return 0
	at++
	return 1
}

function string(    s, c)
{
	s = ""
	if (!take("\"")) { bad = 1; return "" }
	while (at <= length(text)) {
		c = substr(text, at++, 1)
		if (c == "\"")
			return s
		if (c == "\\") {
			c = substr(text, at++, 1)
			if (c == "n" || c == "t" || c == "r")
				c = " "
			else if (c == "u") {
				c = "?"
				at += 4
			}
		}
		s = s c
	}
	bad = 1
	return s
}

function parse(path,    n, name, start)
{
	blank()
	if (bad)
		return
	if (take("{")) {
		if (take("}"))
			return
		do {
			name = string()
			if (!take(":"))
				bad = 1
			parse(path == "" ? name : path "." name)
		} while (!bad && take(","))
		if (!take("}"))
			bad = 1
	} else if (take("[")) {
		if (take("]"))
			return
		n = 0
		do
			parse(path == "" ? n++ : path "." n++)
		while (!bad && take(","))
		if (!take("]"))
			bad = 1
	} else if (substr(text, at, 1) == "\"") {
		print path "\t" string()
	} else {
		start = at
		while (at <= length(text) && substr(text, at, 1) ~ /[-+.0-9A-Za-z]/)
			at++
		if (at == start)
			bad = 1
		else
			print path "\t" substr(text, start, at - start)
	}
}
