# SPDX-License-Identifier: MIT
# Sentences to one paragraph; what is markup of its own passes.
function flush() { if (text != "") print "<p>" text "</p>"; text = "" }
/^<table/	{ flush(); print "<div class=scroll>" $0; next }
/^<\/tbody>/	{ print $0 "</div>"; next }
/^<\/?(t|p|div)/ { flush(); print; next }
		{ text = text (text == "" ? "" : "\n") $0 }
END		{ flush() }
