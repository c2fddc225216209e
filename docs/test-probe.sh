#!/bin/sh
# SPDX-License-Identifier: MIT
# test-probe.sh ARCH COMMAND: runs the commands of docs/probe.md, those in blocks
# for any architecture and for ARCH, and compares what they print; "..." on the
# page stands for anything.  COMMAND, words for a shell, is the client.
set -eu
cd "${0%/*}/.."
page=docs/probe.md arch=$1 client=$2

probe() { eval "$client \"\$@\""; }

case $(probe p:add) in
*'# SKIP'*)
	echo "# skip: $page: $(probe p:add | sed -n 's/.*# SKIP //p')"
	exit 0 ;;
esac

blocks=$(awk -v arch="$arch" '/^```/ { inside = $0 == "```console" || $0 == "```console " arch; next } inside' "$page")
nr=0 command='' want=''

compare() {
	[ -n "$command" ] || return 0
	nr=$((nr + 1))
	got=$(eval "$command" 2>&1) || :
	echo "# \$ $command"
	printf '%s\n' "$got" | sed 's/^/# /'
	# shellcheck disable=SC2254 # a pattern
	case $got in
	$want) ;;
	*) echo "$page says something else:" >&2; printf '%s\n' "$want" >&2; exit 1 ;;
	esac
}

nl='
'
while IFS= read -r line; do
	case $line in
	'$ '*)
		compare
		command=${line#??} want='' ;;
	*)
		want=$want${want:+$nl}$(printf '%s' "$line" | sed 's/\.\.\./*/g') ;;
	esac
done <<END
$blocks
END
compare
[ $nr -gt 5 ] || { echo "$page: only $nr commands for $arch" >&2; exit 1; }
echo "# ok: $page: $nr commands print what it says"
