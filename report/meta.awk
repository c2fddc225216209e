# SPDX-License-Identifier: MIT
# meta.txt, key=value a line; runs before what wants it.  Sets meta[key].
BEGIN {
	while ((getline metaline < metafile) > 0)
		if (metaline ~ /^[A-Za-z0-9_.]+=/) {
			metakey = metaline
			sub(/=.*/, "", metakey)
			sub(/^[^=]*=/, "", metaline)
			meta[metakey] = metaline
			metakeys[++nr_meta] = metakey
		}
	close(metafile)
}

# The first of the named keys that the run has.
function fact(a, b, c)
{
	if (a in meta) return meta[a]
	if (b in meta) return meta[b]
	if (c in meta) return meta[c]
	return ""
}
