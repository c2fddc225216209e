# SPDX-License-Identifier: MIT
# The harness is tested, too:
#   make golden    generated code and encodings, byte for byte, against assembly
#   make broken    strategies that are wrong on purpose must be caught
#   make mutants   generated code less one instruction must be caught
#   make model-caught  random calls must catch some of these strategies, by a few calls
#   make check-tester  all four, the runner and the judge of make check-kernel
# make golden-propose writes golden files as the code is now, to read and copy.

# For another architecture the disassembler is fetched, not installed.
DISASM_DIR := build/capstone-$(ARCH)
DISASM := $(if $(CROSS),$(DISASM_DIR)/libcapstone.a,-lcapstone)
$(DISASM_DIR)/libcapstone.a:
	@echo "# fetching libcapstone from Debian to $(@D)"
	@sh harness/fetch.sh $(@D) '' libcapstone-dev:$(DEB_ARCH) \
		./usr/include ./usr/lib/$(ARCH)-linux-gnu/libcapstone.a
	@mv $(@D)/usr/lib/*/libcapstone.a $@

TESTER_OBJ := $B/harness/tester/tap.c.o $B/harness/tester/listing.c.o
$B/harness/tester/%.o $B/arch/$(ARCH)/test/%.o: CPPFLAGS += -Iharness/arch/$(ARCH)
DISASM_OBJ := $B/harness/tester/listing.c.o $B/harness/step/list.c.o
$(DISASM_OBJ): CPPFLAGS += $(if $(CROSS),-I$(DISASM_DIR)/usr/include)
$(DISASM_OBJ): | $(filter-out -l%,$(DISASM))

# --- golden ---

GOLDEN_SRC := $(wildcard harness/tester/golden.c harness/tester/encodings.c impls/*/golden/$(ARCH)-*.S \
	$(addprefix arch/$(ARCH)/test/,*.c *.S))
GOLDEN_OBJ := $(GOLDEN_SRC:%=$B/%.o) $(TESTER_OBJ)

$B/golden: $(GOLDEN_OBJ) $(IMPL_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(DISASM) $(LDLIBS)

golden: $B/golden
	@$(EXEC) $B/golden

golden-propose: $B/golden
	@$(EXEC) $B/golden --propose $B/golden-proposed

.PHONY: golden golden-propose

# --- mutants: the cases without the runner ---

CASE_OBJ := $(filter-out $B/harness/check.c.o,$(H_OBJ))
MUTANTS_OBJ := $(addprefix $B/harness/tester/,mutants.c.o run.c.o allow.c.o) $(TESTER_OBJ)

$B/mutants: $(MUTANTS_OBJ) $(CASE_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) $(H_LDFLAGS) -o $@ $^ $(DISASM) $(LDLIBS)

mutants: $B/mutants
	@$(EXEC) $B/mutants $(MUTANTS_ALLOW)

.PHONY: mutants

# --- broken: the runner with strategies that no other program has ---

BROKEN_SRC := $(wildcard harness/broken/*.c $(H_ARCH)/broken/*.c)
BROKEN_OBJ := $(BROKEN_SRC:%=$B/%.o)

$B/check-broken: $(H_OBJ) $(BROKEN_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) $(H_LDFLAGS) -o $@ $^ $(LDLIBS)
$B/broken: $B/harness/tester/broken.c.o $B/harness/tester/tap.c.o $(BROKEN_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

broken: $B/broken $B/check-broken
	@$(EXEC) $B/broken $B/check-broken

.PHONY: broken

# --- all of it ---

MUTANTS_ALLOW := arch/$(ARCH)/mutants.allow

check-tester: $B/golden $B/broken $B/check-broken $B/mutants $B/model-broken $B/solib-plain.so
	@sh harness/tester/all.sh golden "$(EXEC) $B/golden" broken "$(EXEC) $B/broken $B/check-broken" \
		mutants "$(EXEC) $B/mutants $(MUTANTS_ALLOW)" \
		"random calls" "sh harness/model/caught.sh '$(EXEC) $B/model-broken'" \
		runner "sh harness/tester/runner.sh '$(EXEC) $B/check-broken'" "table of kernels" harness/kernel/test-table.sh

.PHONY: check-tester
