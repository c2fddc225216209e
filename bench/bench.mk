# SPDX-License-Identifier: MIT
# make bench   numbers for every strategy, stored under results/ (FULL=1: everything)
# make insns   exact instruction counts and listings alone
# make gates   what instruction counts must be, as a test
# make gbench  the same variants under google-benchmark
# Options: IMPL= SCENARIO= (wildcards, several with commas; SCENARIO also takes lua and gbench)
# FULL=1 SEED= ORDERS= PROCESSES=

SEED	?= 1
# Under an emulator: counts and bytes alone, which are the same every time.
ORDERS	?= $(if $(EXEC),1,$(if $(FULL),7,3))
PROCESSES ?= $(if $(EXEC),1,$(if $(FULL),3,2))

BENCH_SRC := $(filter-out bench/main.c bench/gbench.c bench/summary.c,$(wildcard bench/*.c)) \
	     $(wildcard bench/arch/$(ARCH)/*.S) $(wildcard harness/step/*.c) \
	     harness/copies.c harness/arch/$(ARCH)/copied.S
BENCH_SRC := $(filter-out harness/step/gates.c,$(BENCH_SRC))
BENCH_OBJ := $(BENCH_SRC:%=$B/%.o)
BENCH_MAIN := $(patsubst %,$B/%.o,bench/main.c $(wildcard bench/scenarios/*.c))
BENCH_LDFLAGS := -rdynamic
BENCH_LDLIBS := $(DISASM) -lm $(LDLIBS)

$B/bench/tracee.c.o $B/bench/many.c.o: FILE_CFLAGS += $(SITE_CFLAGS)
$B/bench/callback.c.o $B/bench/stop.c.o: FILE_CFLAGS += $(CALLBACK_CFLAGS)
# Ten thousand functions of one line each.
$B/bench/many.c.o: FILE_CFLAGS += -O1 -g0
# Where a loop happens to start must not decide how fast it is.
$B/bench/loops.c.o: FILE_CFLAGS += -falign-loops=64 -falign-functions=64

# The same objects in an order of their own each: number 0 as they are written.
BENCH_ALL := $(BENCH_MAIN) $(BENCH_OBJ) $(LIB_OBJ) $(IMPL_OBJ) $(MODULE_OBJ)
BENCH_BIN := $(foreach o,$(shell seq 0 $$(($(ORDERS) - 1))),$B/bench/order-$(SEED)-$o)

$B/bench/order-$(SEED)-%: $(BENCH_ALL)
	$(CC) $(CFLAGS) $(LDFLAGS) $(BENCH_LDFLAGS) -o $@ $(shell bench/shuffle.sh $* $(SEED) $(BENCH_ALL)) $(BENCH_LDLIBS)
.SECONDARY: $(BENCH_BIN)

$B/bench/summary: $B/bench/summary.c.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$B/gates: $B/harness/step/gates.c.o $(BENCH_OBJ) $(LIB_OBJ) $(IMPL_OBJ) $(MODULE_OBJ)
	$(CC) $(CFLAGS) $(LDFLAGS) $(BENCH_LDFLAGS) -o $@ $^ $(BENCH_LDLIBS)

include bench/lua/lua.mk

# --- google-benchmark ---
GBENCH	:= $B/bench/gbench
GBENCH_OBJ := $B/bench/gbench.c.o $B/bench/gbench_shim.cc.o $(BENCH_OBJ) $(LIB_OBJ) $(IMPL_OBJ) $(MODULE_OBJ)

$B/%.cc.o: %.cc
	@mkdir -p $(@D)
	$(CXX) $(CPPFLAGS) -std=gnu++17 -O2 -g $(WARN) -c -o $@ $<
$(GBENCH): $(GBENCH_OBJ)
	$(CXX) -O2 $(LDFLAGS) $(BENCH_LDFLAGS) -o $@ $^ -lbenchmark $(BENCH_LDLIBS)

# --- running ---
have_header = echo '\#include <$1>' | $2 -E - >/dev/null 2>&1

# Without these nothing can be measured or stored; what else is missing is skipped, with its reason.
bench-tools:
	@$(if $(CROSS),:,$(call have_header,capstone/capstone.h,$(CC) -x c)) || \
		{ echo "capstone/capstone.h is missing: 'make deps' installs it (Debian package libcapstone-dev)" >&2; exit 2; }
	@$(call need,xz)

# +: the line runs make, which make cannot see in a call.
define bench_run
@echo "bench: building" >&2
+@$(MAKE) --no-print-directory -s ORDERS=$2 $(foreach o,$(shell seq 0 $$(($2 - 1))),$B/bench/order-$(SEED)-$o) $B/bench/summary
+@test -z "$(EXEC)" && $(call have_header,benchmark/benchmark.h,$(CXX) -x c++) && \
	$(MAKE) --no-print-directory -s $(GBENCH) || rm -f $(GBENCH)
+@B='$B' CC='$(CC)' MAKE='$(MAKE)' SEED='$(SEED)' ORDERS=$2 PROCESSES=$3 FULL='$(FULL)' IMPL='$(IMPL)' \
	SCENARIO='$1' CPPFLAGS='$(filter-out -M%,$(CPPFLAGS))' CFLAGS='$(CFLAGS)' SITE_CFLAGS='$(SITE_CFLAGS)' \
	CALLBACK_CFLAGS='$(CALLBACK_CFLAGS)' ARCH='$(ARCH)' EXEC="$(EXEC)" sh bench/run.sh
endef

bench: bench-tools
	$(call bench_run,$(SCENARIO),$(ORDERS),$(PROCESSES))
insns: FULL := 1
insns: bench-tools
	$(call bench_run,insns,1,1)
gbench: bench-tools
	$(call bench_run,gbench,1,1)
gates: bench-tools $B/gates
	@$(EXEC) $B/gates

.PHONY: bench bench-tools insns gates gbench
