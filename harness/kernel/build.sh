#!/bin/sh
# SPDX-License-Identifier: MIT
# build.sh TAG: the module against that kernel, and an initramfs of it and init.
# With KDIR=, a configured and built tree of your own.
set -eu
. harness/kernel/lib.sh
kernel "$1"
need "${cross}gcc" "gcc${cross:+-aarch64-linux-gnu}"

# A tree of its own: the cases as they are, and what surrounds them.
module=$PWD/$dir/module
mkdir -p "$module/cases" "$module/kernel/include"
# Only what changed, so that make builds no more than that.
bring() {
	to=$1
	shift
	for f; do cmp -s "$f" "$to/${f##*/}" || cp "$f" "$to/"; done
}
bring "$module" harness/case.h harness/probe.c harness/tracee.c harness/tracee.h harness/kernel/Kbuild
bring "$module/cases" harness/cases/*.c
bring "$module/kernel" harness/kernel/*.c harness/kernel/*.h
bring "$module/kernel/include" harness/kernel/include/*.h include/tramp.h "harness/arch/$arch/case_arch.h"
for f in "$module"/cases/*.c; do
	[ -e "harness/cases/${f##*/}" ] || rm "$f"
done

if [ -n "${KDIR:-}" ]; then
	headers=$KDIR
else
	headers=$(echo "$root"/usr/src/linux-headers-*-cloud-*)
fi
# Debian's Makefile asks for its own names; no BTF, which would need pahole.
MAKEFLAGS= make -s -C "$headers" M="$module" ARCH=$make_arch CROSS_COMPILE=$cross CONFIG_DEBUG_INFO_BTF_MODULES= \
	DEB_BUILD_ARCH="$(dpkg --print-architecture 2>/dev/null || echo amd64)" DEB_HOST_ARCH=$deb_arch DEB_HOST_GNU_TYPE=$triple \
	modules >"$dir/build.log" 2>&1 || { cat "$dir/build.log" >&2; die "the module does not build against $headers"; }

ird=$dir/initramfs
rm -rf "$ird"
mkdir -p "$ird/proc" "$ird/dev"
"${cross}strip" -d -o "$ird/harness.ko" "$module/harness.ko"
"${cross}gcc" -std=gnu11 -O2 -Wall -Wextra -static -o "$ird/init" harness/kernel/init.c
(cd "$ird" && find . | cpio -o -H newc -R 0:0 --quiet) | gzip -1 >"$dir/initramfs.gz"
