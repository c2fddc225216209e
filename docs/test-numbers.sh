#!/bin/sh
# SPDX-License-Identifier: MIT
# Every number that the tree cites (S83, BUG-51) is explained in
# docs/semantics.md or docs/coverage.md, and every link between the pages leads somewhere.
set -eu
cd "${0%/*}/.."

bad=0
files=$(find Makefile core arch impls include harness bench docs README.md CONTRIBUTING.md -type f \
	\( -name '*.[chS]' -o -name '*.md' -o -name '*.mk' -o -name '*.allow' \) 2>/dev/null || true)
known=$(sed -n 's/^- \(\*\*S[^*]*\*\*\).*/\1/p; s/^| \(BUG-[0-9]*\) |.*/\1/p' docs/semantics.md docs/coverage.md | tr -d '*' | tr ',' '\n' | tr -d ' ')
table=$(sed -n '/^## Deliberate/,/^## Rules/p' docs/semantics.md | grep -oE '\bS[0-9]+\b')
for cited in $(cat $files | grep -oE '\b(S[1-9][0-9]{0,2}|BUG-[0-9]+)\b' | sort -u); do
	printf '%s\n' $known $table | grep -qx -e "$cited" || {
		echo "check-docs: $cited is cited, but neither docs/semantics.md nor docs/coverage.md explains it:" >&2
		grep -lwE "$cited" $files | head -3 | sed 's/^/	/' >&2
		bad=1
	}
done
for page in README.md CONTRIBUTING.md docs/*.md impls/*/README.md results/README.md; do
	[ -f "$page" ] || continue
	for link in $(grep -oE '\]\([^)#: ]+' "$page" | sed 's/^](//'); do
		case $link in http|https|mailto) continue;; esac
		[ -e "$(dirname "$page")/$link" ] || { echo "check-docs: $page links to $link, which is not there" >&2; bad=1; }
	done
done
[ "$bad" = 0 ] || exit 1
echo "# ok: docs: every number cited is explained, every link leads somewhere"
