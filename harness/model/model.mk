# SPDX-License-Identifier: MIT
# make model          random calls of the API beside a model of it: STEPS= SEED= IMPL= CLASS=
# See harness/model/README.md.

STEPS	?= 1000000
MODEL_OBJ := $(patsubst %,$B/%.o,$(MODEL_SRC) harness/model/main.c harness/tester/tap.c harness/tracee.c)

$B/model: $(MODEL_OBJ) $(IMPL_OBJ) $(MODULE_OBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic -o $@ $^ $(LDLIBS)

model-bin: $B/model $B/solib-plain.so

MODEL_ARGS := $(if $(IMPL),--impl '$(IMPL)') $(if $(CLASS),--class '$(CLASS)') $(if $(SEED),--seed '$(SEED)')

model: model-bin
	@$(EXEC) $B/model --orders --steps $(STEPS) $(MODEL_ARGS)

.PHONY: model model-bin
