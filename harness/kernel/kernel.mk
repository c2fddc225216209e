# SPDX-License-Identifier: MIT
# make check-kernel [KERNEL='x86-6.12 arm-6.12']: the same cases inside Linux, in QEMU.
#   KERNEL=all      x86-6.1 x86-6.12 arm-6.1 arm-6.12
#   KDIR=~/linux    your own configured and built tree; KERNEL=x86-own or arm-own
#   CASE=           a glob, as for make check;  FULL=1 adds what takes minutes or kills the guest
#   KVM=1           this machine's processor instead of the emulator

KERNEL	?= $(if $(KDIR),x86-own,x86-6.12)
KERNELS	:= $(if $(filter all,$(KERNEL)),x86-6.1 x86-6.12 arm-6.1 arm-6.12,$(KERNEL))
K_ENV	:= $(if $(KDIR),KDIR='$(abspath $(KDIR))') $(if $(KVM),KVM=1) $(if $(FULL),FULL=1) \
	   $(if $(CASE),CASE='$(CASE)')

# The user-space columns: what the module is built from, and no other cases.
$B/portable.ktap: check-bin
	@mkdir -p $(@D)
	@$(EXEC) $(CHECK) --file 'harness/cases/*.c' $(if $(CASE),--case '$(CASE)') >$@.new || { cat $@.new; exit 1; }
	@mv $@.new $@

check-kernel: $B/portable.ktap
	@$(K_ENV) harness/kernel/run.sh $B/portable.ktap $(KERNELS)

.PHONY: check-kernel $B/portable.ktap
