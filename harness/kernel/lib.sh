# SPDX-License-Identifier: MIT
# Shared by the scripts here: what a kernel's name stands for, and how to give up.

die() { echo "check-kernel: $*" >&2; exit 1; }
# What cannot be had is a skip, not a failure.
skip() { echo "check-kernel: skipped: $*" >&2; exit 77; }
need() { command -v "$1" >/dev/null || skip "$1 is missing; 'make deps-kernel' installs it (Debian package $2)"; }

# kernel TAG: sets the variables below.
kernel() {
	tag=$1
	case $tag in
	x86-6.1)  meta=cloud-amd64 ;;
	x86-6.12) meta=6.12-cloud-amd64 ;;
	arm-6.1)  meta=cloud-arm64 ;;
	arm-6.12) meta=6.12-cloud-arm64 ;;
	x86-own|arm-own) meta= ;;
	*) die "no kernel is called $tag; there are x86-6.1 x86-6.12 arm-6.1 arm-6.12, and with KDIR= x86-own arm-own" ;;
	esac
	case $tag in
	x86-*) deb_arch=amd64 arch=x86_64 make_arch=x86 triple=x86_64-linux-gnu qemu=qemu-system-x86_64 qemu_package=qemu-system-x86 ;;
	arm-*) deb_arch=arm64 arch=aarch64 make_arch=arm64 triple=aarch64-linux-gnu qemu=qemu-system-aarch64 qemu_package=qemu-system-arm ;;
	esac
	cross=
	[ "$(uname -m)" = $arch ] || cross=$triple-
	dir=build/kernel/$tag
	root=$PWD/$dir/root
}
