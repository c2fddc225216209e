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
$B/kernel.ktap: check-bin
	@$(EXEC) $(CHECK) --file 'harness/cases/*.c' $(if $(CASE),--case '$(CASE)') >$@.new || { cat $@.new; exit 1; }
	@mv $@.new $@

# The cost matrix of the strategies.
$B/kernel-matrix.csv: $B/kernel-matrix
	@$< $(if $(FULL),100) >$@.new
	@mv $@.new $@

check-kernel: $B/kernel.ktap $B/kernel-matrix.csv
	@$(K_ENV) harness/kernel/run.sh $B/kernel $(KERNELS)

.PHONY: check-kernel $B/kernel.ktap $B/kernel-matrix.csv

KERNEL_MATRIX := $(patsubst %,$B/harness/%.c.o,kernel/user/matrix step/step step/self copies tracee) $B/$(H_ARCH)/copied.S.o
$B/kernel-matrix: $(KERNEL_MATRIX) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter-out $(LIB),$^) $(LIB) $(LDLIBS)
$B/harness/kernel/user/matrix.c.o: CFLAGS += $(CALLBACK_CFLAGS)

# What is stored becomes the copy that the tree comes with.
reference-kernel:
	@test -s results/kernel/conformance.txt || { echo "reference-kernel: nothing is stored; make check-kernel KERNEL=all" >&2; exit 1; }
	@rm -rf results/reference/kernel && cp -r results/kernel results/reference/kernel

.PHONY: reference-kernel
