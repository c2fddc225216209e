#!/bin/sh
# SPDX-License-Identifier: MIT
# boot.sh TAG [MODULE PARAMETERS]: boots the kernel with its initramfs, console on stdout.
# KVM=1 uses the processor instead of the emulator; SECONDS_MAX bounds the run.
#
# One processor and -icount: time is counted in instructions and jumps over
# idling, so that runs are alike and waiting costs nothing.  QEMU 7.2's threads
# (thread=multi) lose changes of live text, so it is never used.  nokaslr: with it an arm64
# module may reach ftrace through its PLT, which costs three instructions.
set -eu
. harness/kernel/lib.sh
kernel "$1"
shift
if [ -n "${KDIR:-}" ]; then
	case $arch in x86_64) image=$KDIR/arch/x86/boot/bzImage ;; *) image=$KDIR/arch/arm64/boot/Image ;; esac
else
	image=$(echo "$root"/boot/vmlinuz-*)
fi
[ -e "$image" ] || die "$image is not there"

case $arch in
x86_64) machine='-cpu max' console=ttyS0 ;;
*) machine='-machine virt,gic-version=3 -cpu max,pauth-impdef=on' console=ttyAMA0 ;;
esac
accel='-accel tcg,thread=single -icount shift=0,sleep=off'
if [ -n "${KVM:-}" ]; then
	[ "$(uname -m)" = $arch ] && [ -w /dev/kvm ] || die "KVM=1 needs a writable /dev/kvm and a kernel of this machine's architecture"
	accel='-accel kvm' machine=$(echo "$machine" | sed 's/-cpu max.*/-cpu host/')
fi
# shellcheck disable=SC2086
timeout -k 5 "${SECONDS_MAX:-600}" $qemu $machine $accel -smp 1 -m 512 -nodefaults -no-reboot \
	-display none -monitor none -serial stdio -kernel "$image" -initrd "$dir/initramfs.gz" \
	-append "console=$console panic=-1 quiet printk.time=0 nokaslr oops=panic -- tag=$tag $*" </dev/null |
	tr -d '\r'
