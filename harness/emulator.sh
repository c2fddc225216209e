#!/bin/sh
# SPDX-License-Identifier: MIT
# emulator.sh ARCH PROGRAM [ARG ...]: runs a program built for ARCH on a machine
# of another kind, with QEMU's user mode.
#
#	EMULATOR	how, if the caller knows better; exported to what is run
#	EMULATOR_DIR	where a QEMU of Debian's is kept that is fetched, not installed
#
# Without an emulator the program is a skip, as KTAP, with the reason.
#
# Before 8.1 QEMU never sees code that was written at another address than it
# runs at, which is how all code here is written; Debian 12 has 7.2, and its
# backports have a newer one.
set -u
arch=$1
shift
root=/usr/$arch-linux-gnu

skip() {
	echo "KTAP version 1"
	echo "1..0 # SKIP $*"
	echo "0 passed, 0 failed, 1 skipped"
	exit 0
}

new_enough() {
	command -v "$1" >/dev/null || return 1
	set -- $("$1" --version 2>/dev/null | sed -n 's/^qemu.* version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
	[ $# = 2 ] && [ $(($1 * 100 + $2)) -ge 801 ]
}

# Debian 12's own is too old.
suite() {
	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	[ "$codename" = bookworm ] && codename=bookworm-backports
	echo "$codename"
}

fetch() (
	sh "$(dirname "$0")/fetch.sh" "$EMULATOR_DIR" "$(suite)" qemu-user "./usr/bin/qemu-$arch" &&
		mv "$EMULATOR_DIR/usr/bin/qemu-$arch" "$kept" && rm -rf "$EMULATOR_DIR/usr"
)

find_emulator() {
	kept=${EMULATOR_DIR:=build/emulator}/qemu-$arch
	case $kept in
	/*) ;;
	*) kept=$PWD/$kept ;;
	esac
	[ -e "$root/lib" ] ||
		skip "programs for $arch need its C library in $root: 'make deps' installs it (Debian package libc6-dev-arm64-cross)"
	for qemu in "qemu-$arch" "qemu-$arch-static" "$kept"; do
		new_enough "$qemu" && return
	done
	echo "# fetching qemu-$arch from Debian to $EMULATOR_DIR" >&2
	log=$(fetch 2>&1) || skip "qemu-$arch 8.1 or newer is missing, and cannot be fetched: $(echo "$log" | tail -n 1)"
	new_enough "$qemu" || skip "the qemu-$arch that was fetched does not run"
}

if [ -z "${EMULATOR:-}" ]; then
	find_emulator
	EMULATOR="$qemu -L $root"
fi
export EMULATOR
if ! command -v "${EMULATOR%% *}" >/dev/null; then
	echo "EMULATOR: there is no program ${EMULATOR%% *}; leave it empty, and one is looked for" >&2
	exit 2
fi
# Counts depend on addresses where filters hash: the same ones every time.
same_place=$(setarch -R true 2>/dev/null && echo "setarch -R")
# shellcheck disable=SC2086
exec $same_place $EMULATOR "$@"
