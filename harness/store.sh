# SPDX-License-Identifier: MIT
# Sourced by what stores a run under results/ (bench/run.sh, harness/torture.sh):
# where it goes, and what it was made on.  In: B ARCH EXEC CC and the flags; KIND
# behind the names ("" or "-torture").
# Results appear whole or not at all: they are written to $tmp, and store() renames it.

stamp=$(date -u +%Y%m%dT%H%M%SZ)
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo uncommitted)
dirty=no
[ -z "$(git status --porcelain 2>/dev/null)" ] || dirty=yes
load=$(cut -d' ' -f1-3 /proc/loadavg)

# Through an emulator or not.
run() { eval "$EXEC \"\$@\""; }
emulated=
[ -z "$EXEC" ] || emulated=$(run --version | sed 's/ version / /; s/ (.*//; 1q')
case $emulated in
KTAP*) run --version | sed -n "s/.*# SKIP /nothing of $ARCH runs here: /p" >&2; exit 1 ;;
esac

suffix=${emulated:+-$ARCH}${KIND:-}
out=results/$stamp-$commit$suffix
tmp=$out.tmp

# Whoever is interrupted leaves nothing behind.
cleanup() { rm -rf "$tmp"; }
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

field() { sed -n "s/^$1[ \t]*: *//p" /proc/cpuinfo | head -1; }
version() { "$@" 2>/dev/null | head -1; }

# What meta.txt says of every run.
meta_common() {
	echo "date=$stamp"
	echo "commit=$commit"
	echo "dirty=$dirty"
	echo "arch=$ARCH"
	[ -z "$emulated" ] || echo "emulated=$emulated"
	echo "cpu=$(field 'model name') family $(field 'cpu family') model $(field model) stepping $(field stepping)"
	echo "cpus=$(getconf _NPROCESSORS_ONLN)"
	echo "hypervisor=$(grep -q '^flags.* hypervisor' /proc/cpuinfo && echo yes || echo no)"
	echo "kernel=$(uname -r)"
	echo "compiler=$(version "$CC" --version)"
	echo "cflags=$CFLAGS"
	echo "site_cflags=$SITE_CFLAGS"
	echo "callback_cflags=$CALLBACK_CFLAGS"
	echo "libc=$(version ldd --version | sed 's/.* //')"
	echo "seed=$SEED"
	echo "impl=$IMPL"
	echo "load_before=$load"
	echo "load_after=$(cut -d' ' -f1-3 /proc/loadavg)"
}

store() {
	mv "$tmp" "$out"
	ln -sfn "${out#results/}" "results/latest$suffix"
	echo "results: $out"
}
