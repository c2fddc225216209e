#!/bin/sh
# SPDX-License-Identifier: MIT
# A campaign: every link order several times, then the other tools, then the
# summary.  Started by bench.mk, which passes everything in the environment.
# Results appear whole or not at all: they are written beside, then renamed.
set -eu

bin=$B/bench/order-$SEED
. harness/store.sh
skipped=

say() { echo "bench: $*" >&2; }

# --- what is asked for ---

# lua and gbench are words of ours; the rest is for the engine.
engine=
want_lua=''
want_gbench=''
if [ -z "$SCENARIO" ]; then
	want_lua=1 want_gbench=1
else
	for word in $(echo "$SCENARIO" | tr ',' ' '); do
		case $word in
		lua) want_lua=1 ;;
		gbench) want_gbench=1 ;;
		*) engine=${engine:+$engine,}$word ;;
		esac
	done
fi
want_engine=1
[ -n "$SCENARIO" ] && [ -z "$engine" ] && want_engine=
if [ -n "$emulated" ]; then
	[ -n "$want_engine" ] || { echo "bench: $SCENARIO is timed, and nothing can be under an emulator" >&2; exit 2; }
	want_lua='' want_gbench=''
fi
run "$bin-0" --check --scenario "$engine" --impl "$IMPL" || exit 2

if [ -n "$FULL" ]; then
	scale=3 full=--full lua_runs=10 lua_scale=1
	gbench_args="--benchmark_min_time=0.1 --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true"
else
	scale=1 full='' lua_runs=3 lua_scale=0.5
	gbench_args="--benchmark_min_time=0.01"
fi
tail=0
[ -z "$want_gbench" ] || tail=$((tail + 6))
[ -z "$want_lua" ] || tail=$((tail + 20))
[ -z "$FULL" ] || tail=$((tail * 8))

mkdir -p "$tmp/raw"

cpu=$(sed -n 's/^Cpus_allowed_list:.*[-,\t]\([0-9]*\)$/\1/p' /proc/self/status)
pin() {
	if command -v taskset >/dev/null && [ -n "$cpu" ]; then
		taskset -c "$cpu" "$@"
	else
		"$@"
	fi
}

# --- the engine ---

campaign() {
	segment=0
	process=0
	while [ $process -lt "$PROCESSES" ]; do
		order=0
		while [ $order -lt "$ORDERS" ]; do
			segment=$((segment + 1))
			[ -t 2 ] || say "process $segment of $((ORDERS * PROCESSES)), link order $order"
			listings=
			[ $order$process = 00 ] && listings="--listings $tmp"
			# shellcheck disable=SC2086 # words
			run "$bin-$order" --out "$tmp/raw/$order-$process" --scenario "$engine" \
				--impl "$IMPL" --order $order --process $process --seed "$SEED" \
				--scale $scale $full $listings \
				--segment $segment/$((ORDERS * PROCESSES)) --tail $tail
			order=$((order + 1))
		done
		process=$((process + 1))
	done
}

# --- google-benchmark ---

run_gbench() {
	if [ ! -x "$B/bench/gbench" ]; then
		skipped="$skipped gbench: libbenchmark-dev is missing (make deps);"
		return 0
	fi
	say "google-benchmark"
	# shellcheck disable=SC2086 # words
	pin "$B/bench/gbench" --impl="$IMPL" $gbench_args --benchmark_format=console \
		--benchmark_out="$tmp/gbench.full" --benchmark_out_format=json \
		>"$tmp/gbench.out" 2>&1 || { cat "$tmp/gbench.out" >&2; return 1; }
	# Whose machine it was is nobody's business.
	grep -v '"host_name"\|"executable"' "$tmp/gbench.full" >"$tmp/gbench.json"
	[ "$engine$want_engine" ] || cat "$tmp/gbench.out"
	rm -f "$tmp/gbench.full" "$tmp/gbench.out"
}

# --- Lua under hyperfine ---

lua_set_up() {
	command -v hyperfine >/dev/null || { echo "hyperfine is missing (make deps)"; return 1; }
	sh bench/lua/fetch.sh build/lua || return 1
	$MAKE --no-print-directory -s lua-bin CC="$CC" >&2 || { echo "Lua does not build"; return 1; }
}

# STRATEGY CLASS of everything that runs here.
lua_variants() {
	"$bin-0" --variants --impl "$IMPL"
}

run_lua() {
	if ! why=$(lua_set_up); then
		say "lua skipped: $why"
		skipped="$skipped lua: $why;"
		return 0
	fi
	script="bench/lua/workload.lua $lua_scale"
	set -- --command-name no_sites/- "$B/lua/lua-plain $script" \
		--command-name untraced/- "$B/lua/lua-sites $script"
	for variant in $(lua_variants); do
		set -- "$@" --command-name "$variant" \
			"env TRAMP_STRATEGY=${variant%/*} TRAMP_CLASS=${variant#*/} $B/lua/lua-sites $script"
	done
	say "lua: $((($# - 6) / 3 + 2)) variants under hyperfine"
	pin hyperfine -N --style none --warmup 1 --runs $lua_runs --export-json "$tmp/lua.json" "$@" \
		>"$tmp/lua.out" 2>&1 || { cat "$tmp/lua.out" >&2; return 1; }
	rm -f "$tmp/lua.out"
	calls=$(env TRAMP_STRATEGY=list_func TRAMP_COUNT=1 "$B/lua/lua-sites" bench/lua/workload.lua $lua_scale 2>&1)
	lua_raw "$calls" >"$tmp/raw/lua"
}

# hyperfine's file, one value a line, as lines of the raw data.
lua_raw() {
	awk -v calls="${1%% *}" -v sites="$(echo "$1" | sed 's/.* of \([0-9]*\) .*/\1/')" '
		function after_colon() { sub(/.*: */, ""); sub(/,.*/, "") }
		function kind() {
			if (name[2] != "-")
				return "every function traced"
			return name[1] == "untraced" ? "sites off" : "built without sites"
		}
		function row(metric, value, note) {
			printf "M,lua,%s,%s,-,%d,0,%d,%s,%s,%s\n", name[1], name[2], name[2] != "-",
				name[1] == "no_sites" ? 0 : sites, metric, value, note
		}
		/"command":/ { split($0, q, "\""); split(q[4], name, "/") }
		/"user":/ { after_colon(); user = $0 }
		/"system":/ { after_colon(); row("cpu_seconds", user + $0, "user and system; mean of the runs") }
		/"times":/ { times = 1; next }
		times && /\]/ { times = 0 }
		times {
			gsub(/[ ,]/, "")
			row("seconds", $0, kind())
		}
		END { printf "M,lua,untraced,-,-,0,0,%d,calls,%d,of all functions in one run\n", sites, calls }
	' "$tmp/lua.json"
}

# --- text ---

# Part of scenario memory; needs no program to run.
run_text() {
	case ,${engine:-memory}, in
	*,memory,*) sh bench/text-bytes.sh "$CC" "$SITE_CFLAGS" "$CPPFLAGS $CFLAGS" >"$tmp/raw/text" ;;
	esac
}

# --- what it was measured on ---

timer() { sed -n 's/^T,//p' "$tmp"/raw/0-0 2>/dev/null | cut -d, -f"$1"; }

meta() {
	meta_common
	echo "full=${FULL:+1}"
	echo "scenario=$SCENARIO"
	if [ -n "$want_engine" ]; then
		echo "link_orders=$ORDERS"
		echo "processes_per_order=$PROCESSES"
	fi
	if [ -n "$want_engine" ] && [ -z "$emulated" ]; then
		echo "ticks_per_second=$(timer 1)"
		echo "cycles_per_tick=$(timer 2)"
		echo "core_clock_mhz=$(timer 1 | awk -v c="$(timer 2)" '{ printf "%.0f", $1 * c / 1e6 }')"
		echo "timer_step_ticks=$(timer 3)"
		echo "timer_empty_ticks=$(timer 4)"
		echo "pinned_cpu=$(timer 5)"
		echo "memory_locked=$(timer 6)"
		echo "hardware_counters=$(timer 7)"
	fi
	echo "libbenchmark=$(dpkg-query -W -f '${Version}' libbenchmark-dev 2>/dev/null || echo missing)"
	echo "hyperfine=$(version hyperfine --version | sed 's/.* //')"
	echo "lua=$(sed -n 's/.*(\(.*\)) .*/\1/p' build/lua/unpacked/debian/changelog 2>/dev/null | head -1)"
	echo "skipped=$skipped"
	cat "$tmp/quality"
}

# --- all of it ---

[ -z "$want_engine" ] || campaign
[ -z "$want_engine" ] || run_text
[ -z "$want_gbench" ] || run_gbench
[ -z "$want_lua" ] || run_lua

: >"$tmp/raw/none"
BENCH_LOAD=${load%% *} BENCH_EMULATED=$emulated run "$B/bench/summary" "$tmp/summary.csv" "$tmp/quality" "$tmp"/raw/* || exit 1
meta >"$tmp/meta.txt"
cat "$tmp"/raw/* | xz -1 -c >"$tmp/raw.csv.xz"
rm -rf "$tmp/raw" "$tmp/quality"
[ -z "$skipped" ] || say "skipped:$skipped"
store
