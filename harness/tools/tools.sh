#!/bin/sh
# SPDX-License-Identifier: MIT
# The tools that users look at programs with, on a program that is traced
# (traced.c).  As builds.sh, which runs it:
#
#	tools.sh list
#	tools.sh run NAME
#
# GDB is another gdb than the one that is found.
set -u

TABLE="
tools_input|TRAMP_TOOLS: what is wrong with it is said, and nothing is left behind
tools_fork|a child writes files of its own; its parent's stay as they are
perf_map|perf report names trampolines by the map
perf_jitdump|perf inject and annotate show a trampoline's code
perf_jitdump_reuse|an address that is used again has the name of its time
gdb_names|backtraces through trampolines, by name, while there are any
gdb_unwind|gdb walks the stack from every instruction of a traced call
gdb_trap|the same of a call that meets its site while that changes
gdb_steps|gdb steps over sites and out of callbacks
gdb_breakpoint|a breakpoint of gdb's on a site is not written over
gdb_threads|ops join and leave under gdb while threads call: every call is counted
gdb_refused|a debugger that keeps SIGTRAP is refused, not run into
"

exe=$PWD/${B:-}/traced
tmp=
export ASAN_OPTIONS="detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"	# it needs ptrace for itself

cleanup() {
	[ -z "$tmp" ] || rm -rf "$tmp"
}

verdict() {
	[ -z "${2:-}" ] || echo "# $2"
	if [ "$1" != ok ] && [ -n "${3:-}" ]; then tail -n 40 "$3" | sed 's/^/# | /'; fi
	cleanup
	echo "verdict $1"
	exit 0
}

skip() {
	cleanup
	echo "verdict skip $*"
	exit 0
}

fail() {
	verdict "not ok" "$@"
}

traced() {
	# shellcheck disable=SC2086
	${EMULATOR:-} "$exe" "$@"
}

# expect FILE PATTERN: a line like it, or the file is shown.
expect() {
	grep -Eq -- "$2" "$1" || fail "no line like: $2" "$1"
}

refuse() {
	! grep -Eq -- "$2" "$1" || fail "a line like: $2" "$1"
}

# --- what is asked for ---

# wrong TOOLS PATTERN: refused, with this reason, and nothing written.
wrong() {
	# shellcheck disable=SC2016,SC2086
	(cd "$tmp/dir" && TRAMP_TOOLS=$1 exec sh -c 'echo $$ >../pid; exec "$@"' sh \
		${EMULATOR:-} "$exe" dyn_tramp args alone) >"$tmp/out" 2>&1 && fail "TRAMP_TOOLS=$1 is taken" "$tmp/out"
	expect "$tmp/out" "^register: environment variable TRAMP_TOOLS: .*$2"
	[ -z "$(ls -A "$tmp/dir")" ] || fail "TRAMP_TOOLS=$1 leaves $(ls -A "$tmp/dir")"
	[ ! -e "/tmp/perf-$(cat "$tmp/pid").map" ] || fail "TRAMP_TOOLS=$1 leaves a map in /tmp"
}

tools_input() {
	mkdir "$tmp/dir"
	wrong gdb,prof 'no tool "prof"; there are gdb, perf-map and jitdump'
	wrong gdb=1 'gdb takes no argument'
	wrong perf-map=/tmp 'perf looks in /tmp alone'
	wrong perf-map,jitdump=nowhere 'jitdump=nowhere: No such file or directory'
	wrong jitdump,perf-map,jitdump=/proc,what 'no tool "what"'
	wrong perf-map,jitdump=/proc '/proc/jit-[0-9]*.dump: '
	wrong ,gdb,=, 'no tool ""'
	verdict ok
}

names_in_dump() {
	strings -a "$1" | grep '^tramplab:' | sort | tr '\n' ' '
}

check_maps() {
	[ -f "/tmp/perf-$parent.map" ] && [ -f "/tmp/perf-$child.map" ] || fail "a map is missing" "$tmp/out"
	mv "/tmp/perf-$parent.map" "$tmp/parent.map"
	mv "/tmp/perf-$child.map" "$tmp/child.map"
	expect "$tmp/parent.map" ':callback$'
	refuse "$tmp/parent.map" ':list$'
	expect "$tmp/child.map" ':callback$'
	expect "$tmp/child.map" ':list$'
}

# QEMU's user mode has no second view of anonymous memory, which the map takes.
tools_fork() {
	wanted=jitdump
	[ -n "${EMULATOR:-}" ] || wanted=$wanted,perf-map
	(cd "$tmp" && TRAMP_TOOLS=$wanted traced dyn_tramp args fork) >"$tmp/out" 2>&1 ||
		fail "exit status $?" "$tmp/out"
	parent=$(sed -n 's/^parent \([0-9]*\)$/\1/p' "$tmp/out")
	child=$(sed -n 's/^child \([0-9]*\)$/\1/p' "$tmp/out")
	[ -n "${EMULATOR:-}" ] || check_maps
	# The child inherits the first and makes the second itself.
	[ "$(names_in_dump "$tmp/jit-$parent.dump")" = "tramplab:dyn_tramp:args:callback " ] &&
		[ "$(names_in_dump "$tmp/jit-$child.dump")" = \
		  "tramplab:dyn_tramp:args:callback tramplab:dyn_tramp:args:list " ] ||
		fail "the dumps hold other names: $(strings -a "$tmp"/jit-*.dump | grep '^tramplab:' | tr '\n' ' ')"
	verdict ok
}

# --- perf ---

CALLS=2000000

need_perf() {
	[ -z "${EMULATOR:-}" ] || skip "perf sees the emulator, not the program in it"
	command -v perf >/dev/null || skip "perf is missing: 'make deps' installs it (Debian package linux-perf)"
	perf record -q -e cpu-clock -o "$tmp/may" true >"$tmp/out" 2>&1 ||
		skip "perf record is not permitted here: $(grep -v '^$' "$tmp/out" | head -n 1)"
}

# record TOOLS ARG ...
record() {
	tools=$1
	shift
	(cd "$tmp" && exec perf record -q -k CLOCK_MONOTONIC -e cpu-clock -F 4000 -o data \
		env TRAMP_TOOLS="$tools" "$exe" "$@") >"$tmp/out" 2>&1 || fail "perf record: exit status $?" "$tmp/out"
	pid=$(perf script -i "$tmp/data" -F comm,pid 2>/dev/null | sed -n 's/^ *traced  *\([0-9]*\).*/\1/p' | head -n 1)
	mv "/tmp/perf-$pid.map" "$tmp/map" 2>/dev/null
}

report() {
	perf report -i "$1" --stdio --sort dso,symbol 2>/dev/null | grep -v '^#' >"$tmp/report"
}

perf_map() {
	need_perf
	for args in 'fused_tramp regs two' 'list_func noregs alone'; do
		# shellcheck disable=SC2086
		record perf-map $args $CALLS
		[ -s "$tmp/map" ] || fail "no map was written"
		cp "$tmp/map" "/tmp/perf-$pid.map"
		report "$tmp/data"
		rm "/tmp/perf-$pid.map"
		set -- $args
		case $1 in
		fused_tramp)	what='other_callback\+callback' ;;
		list_func)	what=list ;;
		esac
		expect "$tmp/report" "JIT.* tramplab:$1:$2:$what( |\$)"
		refuse "$tmp/report" 'memfd:tramplab'
		n=$((${n:-0} + $(perf script -i "$tmp/data" -F comm 2>/dev/null | wc -l)))
	done
	echo "survived $n samples of perf"
	verdict ok
}

inject() {
	(cd "$tmp" && perf inject --jit -i data -o data.jit) >"$tmp/out" 2>&1 || fail "perf inject: exit status $?" "$tmp/out"
}

perf_jitdump() {
	need_perf
	record jitdump fused_tramp args alone $CALLS
	inject
	report "$tmp/data.jit"
	expect "$tmp/report" 'jitted-.*tramplab:fused_tramp:args:callback'
	(cd "$tmp" && perf annotate -i data.jit --stdio -s tramplab:fused_tramp:args:callback) >"$tmp/annotate" 2>&1
	# It ends in a return, and some instruction has samples.
	expect "$tmp/annotate" ':[[:space:]]+ret'
	expect "$tmp/annotate" '^ *[1-9][0-9]*\.[0-9]+ .*:[[:space:]]+[a-z]'
	verdict ok
}

perf_jitdump_reuse() {
	need_perf
	record jitdump dyn_tramp args turns $CALLS
	inject
	report "$tmp/data.jit"
	expect "$tmp/report" 'jitted-.* tramplab:dyn_tramp:args:callback( |$)'
	expect "$tmp/report" 'jitted-.* tramplab:dyn_tramp:args:other_callback( |$)'
	# Both lay at one address.
	perf script -i "$tmp/data.jit" --show-mmap-events 2>/dev/null |
		sed -n 's/.*MMAP.*\[\(0x[0-9a-f]*\)(.*jitted-.*/\1/p' >"$tmp/places"
	[ "$(wc -l <"$tmp/places")" = 2 ] && [ "$(sort -u "$tmp/places" | wc -l)" = 1 ] ||
		fail "the two pieces of code do not lie at one address" "$tmp/places"
	verdict ok
}

# --- gdb ---

# Of emulators QEMU's can be debugged, by a gdb that knows its machine.
need_gdb() {
	case ${EMULATOR:-} in
	'')	gdb=${GDB:-gdb} ;;
	*qemu-*) root=${EMULATOR##*-L }
		[ "${1:-}" = emulated ] || skip "gdb sees the emulator, not the program in it"
		gdb=${GDB:-gdb-multiarch} ;;
	*)	skip "gdb sees the emulator, not the program in it" ;;
	esac
	command -v "$gdb" >/dev/null || skip "gdb is missing: 'make deps' installs it (Debian package $gdb)"
}

# debug SCRIPT ARG ...: the program with these arguments, under gdb's script.
debug() {
	script=$1
	shift
	timeout 300 "$gdb" -nx -batch -x harness/tools/quiet.gdb -x include/tramp.gdb \
		-ex "set sysroot ${root:-/}" -x "harness/tools/$script" \
		--args "$exe" "$@" >"$tmp/out" 2>&1
	status=$?
	why=$(grep -E 'Operation not permitted|Could not trace|scripting is not supported' "$tmp/out" | head -n 1)
	[ -z "$why" ] || skip "$gdb: $why"
	[ $status != 124 ] || fail "$gdb: not done in time" "$tmp/out"
	grep '^# \|^survived ' "$tmp/out"
}

# A script in Python says so when it comes to its end.
done_well() {
	refuse "$tmp/out" '^wrong: '
	expect "$tmp/out" '^done$'
}

strategies() {
	ls impls
}

gdb_names() {
	need_gdb
	TRAMP_TOOLS=gdb debug names.gdb dyn_tramp args alone
	expect "$tmp/out" '^#0 .*callback '
	expect "$tmp/out" '^#1 .* in tramplab:dyn_tramp:args:callback \(\)'
	expect "$tmp/out" '^#2 .* traced '
	expect "$tmp/out" '^#3 .* caller '
	expect "$tmp/out" '^#4 .* call '
	expect "$tmp/out" '^#5 .* main '
	expect "$tmp/out" '^before: tramplab:dyn_tramp:args:callback \+ '
	expect "$tmp/out" '^after: No symbol matches'
	expect "$tmp/out" 'exited normally'
	verdict ok
}

# Arguments of traced.c: what there is to walk through.
every_way() {
	for s in $(strategies); do
		for c in noregs args args-reserved regs vec; do
			[ "$s/$c" = list_func/noregs ] || [ $c != noregs ] || continue
			for how in alone two redirected slow; do
				case $c/$how in
				noregs/redirected | noregs/slow | args*/slow) ;;
				*) echo "$s $c $how 2" ;;
				esac
			done
		done
	done
}

some_ways() {
	every_way | grep -E '^(dyn_tramp (args alone|regs slow)|fused_tramp (args-reserved two|vec redirected)|list_func noregs two|(direct_tramp|call_ops) args alone)' 
}

gdb_unwind() {
	need_gdb emulated
	UNWIND=$(some_ways)
	# Minutes in an emulator.
	[ -z "${TORTURE:-}" ] || [ -n "${EMULATOR:-}" ] || UNWIND=$(every_way)
	UNWIND=$UNWIND TRAMP_TOOLS=gdb debug unwind.py
	done_well
	verdict ok
}

# LD_BIND_NOW: nobody wants to walk through the dynamic linker.
gdb_trap() {
	need_gdb
	[ "$(uname -m)" = x86_64 ] || skip "no port but x86_64 changes text by breakpoints"
	TRAP='dyn_tramp args churn 1
call_ops regs churn 1'
	[ -z "${TORTURE:-}" ] || TRAP=$(every_way | sed -n 's/ two 2$/ churn 1/p')
	TRAP=$TRAP LD_BIND_NOW=1 TRAMP_TOOLS=gdb debug trap.py
	done_well
	verdict ok
}

gdb_steps() {
	need_gdb
	STEPS='dyn_tramp args alone 4
fused_tramp regs two 4
list_func args idle 4' TRAMP_TOOLS=gdb debug steps.py
	done_well
	verdict ok
}

gdb_breakpoint() {
	need_gdb
	TRAMP_TOOLS=gdb debug breakpoint.py dyn_tramp args again
	done_well
	expect "$tmp/out" '^register: somebody else changed the site of traced at .*breakpoint\?\)$'
	expect "$tmp/out" '^unregister: somebody else changed the site of traced at .*breakpoint\?\)$'
	expect "$tmp/out" '^called 1, right 1, callback 1, '
	verdict ok
}

ROUNDS=${TORTURE:+100}
ROUNDS=${ROUNDS:-6}

gdb_threads() {
	need_gdb
	some='call_ops direct_tramp dyn_tramp'
	[ -z "${TORTURE:-}" ] || some=$(strategies)
	for s in $some; do
		TRAMP_TOOLS=gdb debug run.gdb "$s" args churn "$ROUNDS"
		expect "$tmp/out" 'exited normally'
		refuse "$tmp/out" 'received signal'
		n=$((${n:-0} + $(sed -n 's/^in threads //p' "$tmp/out")))
	done
	echo "survived $n calls under gdb while ops come and go"
	verdict ok
}

# What happens to who does not read the manual.
gdb_refused() {
	need_gdb
	[ "$(uname -m)" = x86_64 ] || skip "no port but x86_64 changes text by breakpoints"
	debug refused.gdb dyn_tramp args churn 3
	expect "$tmp/out" 'in tramp_debugger_must_pass_SIGTRAP \(\)'
	expect "$tmp/out" '^register: a debugger, process [0-9]+, keeps SIGTRAP .*set TRAMP_TOOLS=gdb$'
	refuse "$tmp/out" 'SIGSEGV|SIGILL'
	# Nobody is in danger of it alone.
	debug run.gdb dyn_tramp args alone
	expect "$tmp/out" 'exited normally'
	verdict ok
}

case $1 in
list)	printf '%s\n' "$TABLE" | sed -n 's/^\([^|]\{1,\}\)|\(.*\)$/\1\t\2/p' ;;
run)	tmp=$(mktemp -d) || exit 2
	export HOME="$tmp"	# perf keeps copies of what it saw there, and both tools read their settings
	$2
	;;
*)	echo "usage: tools.sh list | run NAME" >&2; exit 2 ;;
esac
