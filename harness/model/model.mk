# SPDX-License-Identifier: MIT
# make model STEPS= | model-caught | fuzz TIME=: see harness/model/README.md

STEPS	?= 1000000
MODEL_OBJ := $(patsubst %,$B/%.o,$(MODEL_SRC) harness/model/main.c harness/tester/tap.c harness/tracee.c)

$B/model: $(MODEL_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic -o $@ $^ $(LDLIBS)

model-bin: $B/model $B/solib-plain.so

MODEL_ARGS := $(if $(IMPL),--impl '$(IMPL)') $(if $(CLASS),--class '$(CLASS)') $(if $(SEED),--seed '$(SEED)')

model: model-bin
	@# The orders of four ops on a site, some 550 000 calls more; too slow for an emulator.
	@$(EXEC) $B/model $(if $(CROSS),,--orders) --steps $(STEPS) $(MODEL_ARGS)

.PHONY: model model-bin

# --- make model-caught: strategies that are wrong on purpose ---

$B/model-broken: $(MODEL_OBJ) $(BROKEN_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic -o $@ $^ $(LDLIBS)

model-caught: $B/model-broken $B/solib-plain.so
	@sh harness/model/caught.sh "$(EXEC) $B/model-broken"

.PHONY: model-caught

# --- make fuzz TIME=: the compiler's libFuzzer chooses the calls ---

# Of the whole core; the fuzzer's own main comes with the last link.
FUZZ_SAN := fuzzer-no-link,address
FUZZ_OBJ := $(patsubst %,$B/%.o,$(MODEL_SRC) harness/model/fuzz.c harness/tracee.c)

$B/fuzz: $(FUZZ_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) -fsanitize=fuzzer,address -rdynamic -o $@ $^ $(LDLIBS)

fuzz: TIME := $(or $(TIME),30)
fuzz: SEED := $(SEED)
fuzz:
	@sh harness/model/fuzz.sh '$(ARCH)' '$(TIME)' '$(SEED)' '$(MAKE)'

.PHONY: fuzz
