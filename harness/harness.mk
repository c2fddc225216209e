# SPDX-License-Identifier: MIT
# make check | list | check-bin; IMPL= CASE= CLASS= are wildcards; FULL=1 stresses longer;
# SEED= for what is random.
# make torture TIME=seconds: the long versions, stored under results/.

H_ARCH	:= harness/arch/$(ARCH)
include $(H_ARCH)/arch.mk
CHECK	:= $B/check

# The probe client, which cases try, too.
PROBE_LIB := harness/probe/trace_probe.c harness/probe/fetch.c
PROBE_OBJ := $(patsubst %,$B/%.o,$(PROBE_LIB) harness/probe/main.c harness/probe/demo.c)

# On the callback path: general registers only.
H_CALLBACK := $(wildcard harness/cases/*.c harness/cases/user/*.c) \
	      $(wildcard $(H_ARCH)/cases/*.c $(H_ARCH)/cases/user/*.c) harness/probe.c $(PROBE_LIB)
# The API's bookkeeping beside a model of it; its callbacks are in world.c.
MODEL_SRC := $(addprefix harness/model/,call.c model.c orders.c run.c world.c)
$B/harness/model/world.c.o: CFLAGS += $(CALLBACK_CFLAGS)
# Under trace.
H_TRACEE := $(wildcard harness/tracee*.c)
# The rest; cases with floating point have their callbacks elsewhere.
H_USER	:= $(addprefix harness/,check.c child.c copies.c sandbox.c stuck.c user.c step/self.c) $(MODEL_SRC) \
	   $(wildcard harness/faults/*.c harness/cases/user/fp/*.c) $(if $(filter thread,$(SAN)),harness/tsan.c)
H_PORT	:= $(wildcard $(H_ARCH)/*.c $(H_ARCH)/*.S)

H_OBJ	:= $(patsubst %,$B/%.o,$(H_CALLBACK) $(H_TRACEE) $(H_USER) $(H_PORT))
H_LIBS	:= $(patsubst harness/solib/%.c,$B/solib-%.so,$(wildcard harness/solib/*.c))

$B/harness/%.o: CPPFLAGS += -Iharness -I$(H_ARCH)
# "The ABI changed in gcc 4.6": so be it.
$B/harness/%.o: CFLAGS += -Wno-psabi
$(H_CALLBACK:%=$B/%.o): CFLAGS += $(CALLBACK_CFLAGS)
$(H_TRACEE:%=$B/%.o) $B/harness/probe/demo.c.o: CFLAGS += $(SITE_CFLAGS)
# Its cleanups are run by who unwinds.
$B/harness/cases/user/window_leave.c.o: CFLAGS += -fexceptions
$B/harness/tracee_packed.c.o: CFLAGS += -Os -falign-functions=1

# What the core asks of libc goes through harness/faults/wrap.c.
FAULTS	:= $B/harness/faults/wrap.c.o
WRAPPED	:= $(shell sed -n 's/^.*[ *]__wrap_\([a-z_]*\).*[^;]$$/\1/p' harness/faults/wrap.c)
H_LDFLAGS := -rdynamic $(WRAPPED:%=-Wl,--wrap=%)

$(CHECK): $(H_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) $(H_LDFLAGS) -o $@ $(H_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB) $(LDLIBS)

$B/probe: $(PROBE_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# What gdb and perf are tried on (tools/tools.sh).
$B/harness/tools/traced.c.o: CFLAGS += $(SITE_CFLAGS) $(CALLBACK_CFLAGS)
$B/traced: $B/harness/tools/traced.c.o $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Traced libraries that cases load and unload.
$B/solib-%.so: harness/solib/%.c $(MODULE_OBJ)
	$(CC) $(CPPFLAGS) -Iharness $(CFLAGS) $(SITE_CFLAGS) $(LDFLAGS) -fPIC -shared \
		-o $@ $< $(MODULE_OBJ)

# Ten thousand functions of one line each: nothing to optimise, and no reason to take half a minute.
$B/solib-many.so: CFLAGS += -O1 -g0

# What builds.sh builds its programs with.
H_ENV	:= B='$B' LIB='$(LIB)' OBJ='$(IMPL_OBJ)' MODULE='$(MODULE_OBJ)' \
	   GCC='$(CROSS)gcc $(SITE_GCC)' CLANG='clang$(if $(CROSS), --target=$(ARCH)-linux-gnu)' \
	   FAULTS='$(FAULTS) $(WRAPPED:%=-Wl,--wrap=%)' \
	   PADS='$(PADS)' NO_PADS='$(NO_PADS)' NO_WORDS='$(NO_WORDS)' \
	   FLAGS='-std=gnu11 -O2 -g $(filter-out -M%,$(CPPFLAGS)) $(filter-out $(SITE_GCC),$(SITE_CFLAGS))' LDLIBS='$(LDLIBS)'
CHECK_WHAT := $(if $(IMPL),--impl '$(IMPL)') $(if $(CASE),--case '$(CASE)') $(if $(CLASS),--class '$(CLASS)')
CHECK_ARGS := $(CHECK_WHAT) $(if $(FULL),--stress 10) $(if $(SEED),--seed '$(SEED)')

check-bin: $(CHECK) $(H_LIBS) $B/traced

check: check-bin
	@$(H_ENV) $(EXEC) $(CHECK) $(CHECK_ARGS) --builds "sh harness/builds.sh"

# := since a benchmark's seed is 1 where none is given; torture takes the clock.
torture: SEED := $(SEED)
torture: TIME := $(or $(TIME),300)
torture: check-bin
	@$(H_ENV) ARCH='$(ARCH)' EXEC="$(EXEC)" CC='$(CC)' CFLAGS='$(CFLAGS)' SITE_CFLAGS='$(SITE_CFLAGS)' \
		CALLBACK_CFLAGS='$(CALLBACK_CFLAGS)' SEED='$(SEED)' TIME='$(TIME)' \
		IMPL='$(IMPL)' CASE='$(CASE)' CLASS='$(CLASS)' sh harness/torture.sh $(CHECK_WHAT)

list: check-bin
	@$(H_ENV) $(EXEC) $(CHECK) --list --builds "sh harness/builds.sh"

.PHONY: check torture list check-bin
