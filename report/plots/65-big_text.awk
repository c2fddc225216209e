# SPDX-License-Identifier: MIT
# title: Text larger than a branch reaches
# Who is served, with how many images: spans, layouts, one ops and many.
# of each port

END {
	sc = big_text()
	if (!rows[sc, "images"])
		absent("figures of big text", "<code>make bench</code> counts them.")
	class = main_class(sc)
	ns = get_strategies(sc)
	reach = 2 * least_span()
	say("A call reaches " whole(reach) " MiB either way on " port_of[at_port] ". Synthetic text of that and other sizes, traced all over, each ops on functions of its own: " \
	    "how many pieces of code the strategy made, and the bytes of executable memory that they take; class " class ". " \
	    "<i>Solid</i> text is one piece, and trampolines lie below or above it; text with <i>rooms</i> has 64 KiB for them linked into each stretch as long as a branch; <i>pieces</i> have free addresses between them, as modules do.")
	print "<table class=open><thead><tr><th>MiB of text</th><th></th><th>ops</th>" > words
	for (s = 1; s <= ns; s++)
		print "<th>" code(strategies[s]) "</th>" > words
	print "</tr></thead><tbody>" > words
	for (r = 1; r <= axis_len[sc, "regime"]; r++)
		for (i = 1; i <= axis_len[sc, "irr"]; i++)
			big_row(axis[sc, "regime", r], axis[sc, "irr", i])
	print "</tbody></table>" > words
	if (beyond != "")
		say("Refused is registration, with an error that names the site and the distance; nothing is half done. Of the places with sites, evenly over the text, out of reach of all memory that is free: " beyond ".")
	for (s = 1; s <= ns; s++) {
		k = cell_in("room", strategies[s], "", "ops_served")
		if (k == "")
			continue
		split(k, f, SUBSEP)
		full = value[k] < f[6] + 1
		list[++nl] = code(strategies[s]) " " (full ? whole(value[k]) : "at least " whole(value[k]))
	}
	if (nl)
		say("Where all within reach is taken but " whole(value[cell_in("room", strategies[1], "", "mapped_bytes")] / 1024) " KiB, so many ops can be registered until that is full: " and_list(list, nl) ".")
}

function big_row(regime, irr,    f, s, line, any, k, out)
{
	if (split(regime, f, "-") < 2)
		return
	line = ""
	any = 0
	for (s = 1; s <= ns; s++) {
		k = cell_in(regime, strategies[s], irr, "images")
		any = any || k != ""
		line = line "<td>" (k == "" ? "" : served(regime, strategies[s], irr)) "</td>"
		out = cell_in(regime, strategies[s], irr, "places_out_of_reach")
		if (out != "" && value[out] > 0 && !(regime in told)) {
			told[regime]
			split(out, g, SUBSEP)
			beyond = beyond (beyond == "" ? "" : ", ") whole(value[out]) " of " g[7] " (" f[1] ", " whole(f[2]) " MiB)"
		}
	}
	if (any)
		print "<tr><td>" whole(f[2]) "</td><td>" f[1] "</td><td>" irr + 1 "</td>" line "</tr>" > words
}

function served(regime, strategy, irr)
{
	if (value[cell_in(regime, strategy, irr, "ops_served")] < irr + 1)
		return "refused"
	return whole(value[cell_in(regime, strategy, irr, "images")]) " (" whole(value[cell_in(regime, strategy, irr, "room_bytes")]) ")"
}
