#!/bin/sh
# SPDX-License-Identifier: MIT
# Follows docs/add-a-strategy.md in a scratch copy of the tree: the page's C
# block is the strategy, its sh block is run as it stands.  Fails when a step
# fails or when no case ran.  CC and B as make has them.
set -eu
unset MAKEFLAGS MAKELEVEL MFLAGS 2>/dev/null || :

root=$(cd "${0%/*}/.." && pwd)
page=$root/docs/add-a-strategy.md
scratch=$root/build/check-docs
tree=$scratch/tree

die() { echo "check-docs: $*" >&2; exit 1; }

# The lines of the first fenced block of a language.
block() {
	awk -v fence="\`\`\`$1" '$0 == fence && !n { inside = n = 1; next } $0 == "```" { inside = 0 } inside' "$page"
}

rm -rf "$scratch"
mkdir -p "$tree"
# With the times of files kept, what is built already ($B) is not built again.
(cd "$root" && {
	find . -maxdepth 1 -type f
	find arch bench core docs harness impls include report -type f -o -type l
	[ ! -d "${B:-}" ] || find "$B" -path "$B/bench" -prune -o -path "$B/lua" -prune -o -type f -print
} | tar -c -T - -f -) | tar -x -p -C "$tree" -f -

name=$(block c | sed -n 's/^TRAMP_STRATEGY(\(.*\));$/\1/p')
[ -n "$name" ] || die "no C block that ends in TRAMP_STRATEGY() in $page"
[ ! -e "$tree/impls/$name" ] || die "impls/$name exists already; the page needs another example"
mkdir -p "$tree/impls/$name"
block c >"$tree/impls/$name/$name.c"
block sh >"$scratch/steps"
[ -s "$scratch/steps" ] || die "no sh block in $page"

cd "$tree"
steps=0 passed=0
while IFS= read -r step; do
	[ -n "$step" ] || continue
	steps=$((steps + 1))
	echo "# check-docs: $step"
	sh -c "$step" </dev/null >"$scratch/out" 2>&1 || {
		sed 's/^/#   /' "$scratch/out" | tail -40
		die "this step of docs/add-a-strategy.md fails: $step"
	}
	n=$(sed -n 's/^\([0-9][0-9]*\) passed, 0 failed.*/\1/p' "$scratch/out" | tail -1)
	passed=$((passed + ${n:-0}))
	tail -1 "$scratch/out" | sed 's/^/#   /'
done <"$scratch/steps"
[ "$passed" -gt 0 ] || die "no case ran"
rm -rf "$scratch"
echo "# ok: docs/add-a-strategy.md: $steps steps, $passed cases passed"
