#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs, built in the ways that users build.
#
#	builds.sh list			name, tab, description
#	builds.sh torture		the same of those that go on for TORTURE seconds
#	builds.sh run NAME STRATEGY	build, run, and say what came of it
#
# What tools/tools.sh has comes behind them.
#
# The last line of run is the verdict, as in check.h; lines with # precede it, and
# lines "survived NR WHAT".  From the runner: SEED, and in make torture TORTURE.
# From the makefile: B LIB OBJ MODULE FAULTS FLAGS LDLIBS, GCC and CLANG, PADS, NO_PADS, NO_WORDS;
# from emulator.sh, where one is needed: EMULATOR.

TABLE="
build_gcc|gcc|the defaults|
build_gcc_O0|gcc|without optimisation|-O0
build_gcc_pie|gcc|position-independent|-fPIE -pie
build_gcc_no_pie|gcc|at a fixed address|-fno-pie -no-pie
build_gcc_static|gcc|static|-static
build_gcc_static_pie|gcc|static and position-independent|-static-pie -fPIE
build_gcc_cet|gcc|landing pads (BUG-37)|$PADS
build_gcc_no_cet|gcc|no landing pads|$NO_PADS
build_gcc_Os|gcc|for size, functions packed: words where they happen to be aligned (BUG-11)|-Os -falign-functions=1
build_gcc_no_words|gcc|sites without words|$NO_WORDS
build_gcc_own_malloc|gcc|a program whose allocator is traced, too (BUG-12)|-fno-builtin
build_gcc_locked|gcc|the allocator's lock is held while text is to change, and where a thread is asked where it is (BUG-12)|-fno-builtin
build_gcc_locked_static|gcc|the same, static (BUG-12)|-fno-builtin -static
build_gcc_shut_in|gcc|started where membarrier(), memfd_create(), signals or /proc are refused (BUG-20)|
build_gcc_shut_in_static|gcc|the same, static (BUG-20)|-static
build_gcc_early|gcc|traced code before and behind main() (BUG-53)|
build_gcc_early_static|gcc|the same, static (BUG-53)|-static
build_gcc_stripped|gcc|stripped of all but what is exported (BUG-54)|-rdynamic -s
build_gcc_weak|gcc|weak functions that lost: their sites have no names (BUG-50)|
build_gcc_weak_static|gcc|the same, static (BUG-50)|-static
build_gcc_throws|gcc|C++: exceptions past traced functions, and out of callbacks (BUG-55)|
build_gcc_throws_static|gcc|the same, static (BUG-55)|-static
build_gcc_throws_lld|gcc|the same, linked by lld (BUG-46 BUG-55)|-fuse-ld=lld
build_gcc_first_failures|gcc|each step of what comes before main() fails in turn|
build_gcc_lto|gcc|link-time optimisation|-flto
build_gcc_sections|gcc|a section a function, none dropped|-ffunction-sections
build_gcc_ipa_ra|gcc|callers that know what a callee leaves alone|-O3 -fipa-ra
build_gcc_gc_sections|gcc|dropped sections take the table along: it must say so (BUG-51)|-ffunction-sections -Wl,--gc-sections
build_gcc_lld_gc_sections|gcc|the same with lld, which drops more (BUG-51)|-fuse-ld=lld -ffunction-sections -Wl,--gc-sections
build_clang|clang|the defaults|
build_clang_Os|clang|for size, functions packed (BUG-11)|-Os -falign-functions=1
build_clang_no_words|clang|sites without words|$NO_WORDS
build_clang_pie|clang|position-independent|-fPIE -pie
build_clang_static|clang|static|-static
build_clang_cet|clang|landing pads (BUG-37)|$PADS
build_clang_lld|clang|linked by lld|-fuse-ld=lld
build_clang_gc_sections|clang|dropped sections|-ffunction-sections -Wl,--gc-sections
"

tools=$(dirname "$0")/tools/tools.sh

# Those of make torture, by name.
LONG="gdb_unwind gdb_trap gdb_threads"

field() {
	printf '%s\n' "$TABLE" | sed -n "s/^$1|\\([^|]*\\)|\\([^|]*\\)|\\(.*\\)\$/\\$2/p"
}

verdict() {
	sed '/^survived /!s/^/# /' "$log" 2>/dev/null
	[ -z "$2" ] || echo "# $2"
	echo "verdict $1"
	exit 0
}

skip() {
	echo "verdict skip $1"
	exit 0
}

# Something in the program must be missing and be said, or nothing be missing and all be counted.
judge_dropped() {
	if grep -q 'have a site but no record' "$log.err"; then
		verdict ok
	elif [ "$status" = 0 ]; then
		verdict ok
	fi
	verdict "not ok" "sites are missing, and nothing on stderr says so"
}

run() {
	name=$1 strategy=$2
	flags=$(field "$name" 3)
	case $(field "$name" 1) in
	gcc)	cc=$GCC ;;
	clang)	cc=$CLANG ;;
	*)	echo "builds.sh: no build $name" >&2; exit 2 ;;
	esac
	command -v "${cc%% *}" >/dev/null || skip "${cc%% *} is not installed"
	case $flags in
	*=lld*)
		command -v ld.lld >/dev/null || skip "lld is not installed"
		echo 'int main(void) { return 0; }' | $cc -fuse-ld=lld -x c -o /dev/null - 2>/dev/null ||
			skip "${cc%% *} does not find lld"
		;;
	esac
	case $name in
	*_own_malloc) source=own_malloc.c ;;
	*_locked*) source=locked.c ;;
	*_shut_in*) source=shut_in.c ;;
	*_early*) source=early.c ;;
	*_weak*) source="weak.c weak_strong.c" ;;
	*_throws*) source=throws.cc ;;
	*_first_failures) source=first_failures.c MODULE=$FAULTS ;;
	*) source=counts.c ;;
	esac
	libs=
	case $source in
	*.cc)
		libs=-lstdc++
		$cc -x c++ -E /dev/null >/dev/null 2>&1 || skip "${cc%% *} has no C++ (Debian package g++)"
		FLAGS=$(echo "$FLAGS" | sed 's/-std=[^ ]*//')
		;;
	esac
	mkdir -p "$B/builds"
	exe=$B/builds/$name log=$exe.log
	# shellcheck disable=SC2086
	if ! $cc $FLAGS $flags -o "$exe" $(for s in $source; do echo harness/programs/$s; done) $OBJ $MODULE $LIB $LDLIBS $libs >"$log" 2>&1; then
		verdict "not ok" "$cc $flags: does not build"
	fi
	# shellcheck disable=SC2086
	${EMULATOR:-} "$exe" "$strategy" >"$log" 2>"$log.err"
	status=$?
	cat "$log.err" >>"$log"
	case $name in
	*_gc_sections) judge_dropped ;;
	esac
	case $(tail -n 1 "$log") in
	"skip "*) skip "$(tail -n 1 "$log" | sed 's/^skip //')" ;;
	esac
	[ -s "$log.err" ] && verdict "not ok" "it said something on stderr"
	[ $status = 0 ] && [ "$(tail -n 1 "$log")" = good ] || verdict "not ok" "exit status $status"
	verdict ok
}

list() {
	printf '%s\n' "$TABLE" | sed -n 's/^\([^|]*\)|[^|]*|\([^|]*\)|\(.*\)$/\1\t\2: \3/p'
	sh "$tools" list
}

case $1 in
list)	list ;;
torture) for name in $LONG; do list | grep "^$name	"; done ;;
run)	case $2 in
	build_*) run "$2" "$3" ;;
	*) exec sh "$tools" run "$2" ;;
	esac
	;;
*)	echo "usage: builds.sh list | torture | run NAME STRATEGY" >&2; exit 2 ;;
esac
