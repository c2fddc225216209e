# SPDX-License-Identifier: MIT
# make check-docs: what docs/ promises is tried.  Part of a make check without filters.

check-docs: check-bin
	@docs/test-numbers.sh
	@CC="$(CC)" B="$B" docs/test-add-a-strategy.sh

ifeq ($(IMPL)$(CASE)$(CLASS)$(SAN),)
check: check-docs
endif

.PHONY: check-docs
