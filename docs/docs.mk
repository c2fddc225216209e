# SPDX-License-Identifier: MIT
# make probe: docs/probe.md.
# make check-docs: what docs/ promises is tried.  Part of a make check without filters.

check-docs: check-bin $B/probe
	@docs/test-numbers.sh
	@docs/test-coverage.sh
	@docs/test-options.sh
	@CC="$(CC)" B="$B" docs/test-add-a-strategy.sh
	@docs/test-probe.sh $(ARCH) "$(EXEC) $B/probe"

# The probe client on its own page's examples.
probe: $B/probe
	@docs/test-probe.sh $(ARCH) "$(EXEC) $B/probe"

ifeq ($(IMPL)$(CASE)$(CLASS)$(SAN),)
check: check-docs
endif

.PHONY: check-docs probe
