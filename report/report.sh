#!/bin/sh
# SPDX-License-Identifier: MIT
# report.sh RUN OUT [OTHER...]: plots, page and mail text of the stored run RUN, into
# OUT; counts and bytes of other ports' runs beside it.  TORTURE: runs of make torture,
# for what was survived.  Reads the runs and this folder, measures nothing.
set -eu
export LC_ALL=C

here=${0%/*}
run=${1%/}
final=$2
out=$2.new
shift 2
awk=${AWK:-awk}

die() { echo "report: $*" >&2; exit 1; }

whole() {
	[ -d "$1" ] || die "$1: no such run; the ones there are: $(ls -d results/*/ results/reference/*/ 2>/dev/null | tr '\n' ' ')"
	for file in summary.csv meta.txt; do
		[ -s "$1/$file" ] || die "$1/$file is missing or empty: not a result of 'make bench'"
	done
	$awk -f "$here/check.awk" "$1/summary.csv" >&2 || die "$1/summary.csv is damaged or not ours (see the line above)"
	# A cut within the last note leaves a line that reads well.
	[ -z "$(tail -c 1 "$1/summary.csv")" ] || die "$1/summary.csv is damaged: its last line is cut off"
	grep -q '^[a-z_]*=' "$1/meta.txt" || die "$1/meta.txt holds no key=value line: not a result of 'make bench'"
}
whole_torture() {
	[ -d "$1" ] || die "$1: no such run of 'make torture'"
	for file in survived.csv meta.txt; do
		[ -s "$1/$file" ] || die "$1/$file is missing or empty: not a result of 'make torture'"
	done
	$awk -v metafile="$1/meta.txt" -f "$here/meta.awk" -f "$here/check-survived.awk" "$1/survived.csv" >&2 ||
		die "$1/survived.csv is damaged or not ours (see the line above)"
}
fact() { sed -n "s/^$2=//p" "$1/meta.txt"; }
name_of() { readlink -f "$1" | sed 's|.*/||'; }

for one in "$run" "$@"; do
	whole "$one"
done
for one in ${TORTURE:-}; do
	whole_torture "$one"
done
command -v gnuplot >/dev/null || die "gnuplot is missing; 'make deps' brings it (Debian package gnuplot-nox)"

tmp=$out/tmp
rm -rf "$out"
mkdir -p "$tmp"

# Side files first: what other programs measured, as rows of the same table.
cp "$run/summary.csv" "$tmp/all.csv"
# Ports: arch, run, emulator; the scenarios of all but the first carry the arch.
ports() {
	printf '%s\t%s\t%s\n' "$(fact "$run" arch)" "$(name_of "$run")" "$(fact "$run" emulated)"
	for other; do
		arch=$(fact "$other" arch)
		[ "$arch" != "$(fact "$run" arch)" ] || continue
		printf '%s\t%s\t%s\n' "$arch" "$(name_of "$other")" "$(fact "$other" emulated)"
		sed -n "s/^\(insns\|memory\|big_text\|many_functions\),/\1@$arch,/p" "$other/summary.csv" >>"$tmp/all.csv"
	done
}
ports "$@" >"$tmp/ports"
for json in lua gbench; do
	[ -s "$run/$json.json" ] || continue
	$awk -f "$here/json.awk" "$run/$json.json" >"$tmp/$json.flat" || die "$run/$json.json is damaged: not JSON"
done

# What was survived, and what meta.txt says of each.
nr=0
for one in ${TORTURE:-}; do
	nr=$((nr + 1))
	cp "$one/survived.csv" "$tmp/torture-$nr.csv"
	cp "$one/meta.txt" "$tmp/torture-$nr.txt"
done

# What kernels did: as make check-kernel last stored it, else as it came with the tree.
kernels=results/kernel
[ -s "$kernels/user.ktap" ] || kernels=results/reference/kernel
if [ -s "$kernels/user.ktap" ]; then
	cp -r "$kernels" "$tmp/kernels"
	"$here/../harness/kernel/tables.sh" "$tmp/kernels" html
fi

# SCRIPT NAME PORT TITLE of each section, PORT "-" for the run's own: some scripts
# have one for each port.
sections() {
	for script in "$here"/plots/*.awk; do
		name=${script##*/}; name=${name%.awk}; name=${name#*-}
		title=$(sed -n 's/^# title: //p' "$script")
		printf '%s\t%s\t-\t%s\n' "$script" "$name" "$title"
		grep -q '^# of each port' "$script" || continue
		sed 1d "$tmp/ports" | while IFS='	' read -r arch _; do
			printf '%s\t%s\t%s\t%s\n' "$script" "${name}_$arch" "$arch" "$title, $arch"
		done
	done
}
sections >"$tmp/sections"

while IFS='	' read -r script name port title; do
	gp=${script%.awk}.gp
	$awk -v plot="$tmp/$name.gpd" -v words="$tmp/$name.words" -v table="$tmp/$name.table" \
	     -v kernel="$here/kernel.csv" -v side="$tmp" -v metafile="$run/meta.txt" \
	     -v ports="$tmp/ports" -v port="$port" \
	     -f "$here/meta.awk" -f "$here/common.awk" -f "$here/torture.awk" -f "$script" "$tmp/all.csv" || die "${script##*/} failed on $run"
	if [ -s "$tmp/$name.gpd" ]; then
		LC_ALL=C.UTF-8 gnuplot -e "lines_gp='$here/lines.gp'; bars_gp='$here/bars.gp'; svg='$out/$name.svg'; plot_name='$name'" "$here/style.gp" "$tmp/$name.gpd" "$gp" 2>"$tmp/$name.err" ||
			{ cat "$tmp/$name.err" >&2; die "gnuplot failed on $name"; }
	fi
done <"$tmp/sections"

# Text for a mail.
$awk -v metafile="$run/meta.txt" -v kernel="$here/kernel.csv" -v ports="$tmp/ports" -v side="$tmp" \
     -f "$here/meta.awk" -f "$here/common.awk" -f "$here/torture.awk" -f "$here/mail.awk" "$tmp/all.csv" >"$out/report.txt" || die "mail.awk failed on $run"

# The page: everything in one file, nothing fetched from elsewhere.
html() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$@"; }
# One picture inside the page: no prologue, ids of its own, text in the page's colour.
inline() {
	sed -e '/^<?xml/d; /^<!DOCTYPE/d; /^ *"http.*dtd">/d; /^<desc>/d; /^<title>/d' \
	    -e 's/^ viewBox="0 0 \([0-9]*\) [0-9]*"/& style="max-width:\1px" role="img"/' \
	    -e "s/id=\(['\"]\)/id=\1$1-/g; s/href='#/href='#$1-/g; s/url(#/url(#$1-/g" \
	    -e "s/\(['\"]\)black\1/\1currentColor\1/g; s/rgb( *0, *0, *0)/currentColor/g; s/#000000/currentColor/g" "$out/$1.svg"
}
{
	echo '<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content="width=device-width">'
	echo "<title>tramplab: $(name_of "$run" | html)</title><style>"
	cat "$here/page.css"
	echo '</style></head><body>'
	echo "<h1>What a traced call costs</h1><p>Run <code>$(name_of "$run" | html)</code>, made into a page by <code>make report</code>; nothing here is typed by hand.</p>"
	$awk -v metafile="$run/meta.txt" -v ports="$tmp/ports" -f "$here/meta.awk" -f "$here/common.awk" -f "$here/short.awk" "$tmp/all.csv" | $awk -f "$here/words.awk"
	echo '<nav>'
	while IFS='	' read -r script name port title; do
		echo "<a href='#$name'>$title</a>"
	done <"$tmp/sections"
	echo '</nav>'
	while IFS='	' read -r script name port title; do
		echo "<section id='$name'><h2>$title</h2>"
		[ ! -s "$out/$name.svg" ] || inline "$name"
		$awk -f "$here/words.awk" "$tmp/$name.words"
		[ ! -s "$tmp/$name.table" ] || { echo '<details><summary>The numbers</summary><div class=scroll>'; cat "$tmp/$name.table"; echo '</div></details>'; }
		echo '</section>'
	done <"$tmp/sections"
	echo '<section id=mail><h2>For a mail</h2><details><summary>report.txt</summary><pre>'
	html "$out/report.txt"
	echo '</pre></details></section>'
	echo '<section id=machine><h2>The run</h2><details><summary>meta.txt</summary><pre>'
	html "$run/meta.txt"
	echo '</pre></details></section></body></html>'
} >"$out/report.html.tmp"
mv "$out/report.html.tmp" "$out/report.html"
rm -rf "$tmp" "$final"
mv "$out" "$final"
echo "$final/report.html and $final/report.txt: $(ls "$final" | grep -c 'svg$') plots of $run"
