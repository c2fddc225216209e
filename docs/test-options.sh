#!/bin/sh
# SPDX-License-Identifier: MIT
# All makefiles are one name space: where two give an option a default, the first wins for both.
set -eu
cd "${0%/*}/.."

twice=$(grep -hoE '^[A-Z_]+[ 	]*\?=' Makefile ./*.mk ./*/*.mk ./*/*/*.mk | tr -d ' \t?=' | sort | uniq -d)
for option in $twice; do
	echo "check-docs: two makefiles have a default for $option; say it at the target (target: $option := ...):" >&2
	grep -nE "^$option[ 	]*\?=" Makefile ./*.mk ./*/*.mk ./*/*/*.mk | sed 's/^/	/' >&2
done
[ -z "$twice" ] || exit 1
echo "# ok: docs: no option has two defaults"
