#!/bin/sh
# SPDX-License-Identifier: MIT
# tables.sh DIR text|html [TAGS]: the tables of what is stored in DIR, which run.sh
# filled: conformance, matrix, observations; summary.txt holds what is wrong with
# the kernels TAGS, or with all.
set -eu
export LC_ALL=C
here=${0%/*}
dir=$1 form=$2 judge=${3:-}
suffix=txt
[ "$form" = text ] || suffix=html

tags=
for tag in x86-6.1 x86-6.12 x86-own arm-6.1 arm-6.12 arm-own; do
	[ ! -s "$dir/$tag/cases.ktap" ] || tags="$tags $tag"
done
files() { for tag in $tags; do echo "$dir/$tag/$1"; done; }

# The verdict is in summary.txt, for who wants it.
# shellcheck disable=SC2046
awk -v form="$form" -v summary="$dir/summary.txt" -v judge="$judge" -f "$here/table.awk" "$here/differs" "$dir/user.ktap" $(files cases.ktap) >"$dir/conformance.$suffix" || true
# shellcheck disable=SC2046
awk -v form="$form" -f "$here/matrix.awk" "$dir/user-matrix.csv" $(files matrix.csv) >"$dir/matrix.$suffix"
# shellcheck disable=SC2046
awk -v form="$form" -f "$here/observations.awk" $(files observations.tsv) >"$dir/observations.$suffix"
