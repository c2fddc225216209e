# SPDX-License-Identifier: MIT
# make report [RUN=results/...] [OTHER=results/...] [TORTURE=results/...-torture]: plots, page
# and mail text of a stored run, what is no time of a run of another port beside it, and what
# runs of make torture survived.
# Reads results/ and nothing else; never measures.

# Runs under an emulator have their port in their name.
PORTS	:= $(notdir $(patsubst %/,%,$(wildcard arch/*/)))
emulated = $(foreach p,$(PORTS),$(filter %-$p %-$p/,$1))
REFERENCES := $(sort $(wildcard results/reference/2*/))
REFERENCE := $(filter-out %-torture/,$(REFERENCES))
# The last run of this machine, else the reference run that comes with the tree.
RUN	?= $(firstword $(wildcard results/latest) $(lastword $(filter-out $(call emulated,$(REFERENCE)),$(REFERENCE))))
OTHER	?= $(foreach p,$(PORTS),$(firstword $(wildcard results/latest-$p) $(lastword $(filter %-$p/,$(REFERENCE)))))
TORTURES := $(patsubst %-torture/,%,$(filter %-torture/,$(REFERENCES)))
last_torture = $(firstword $(wildcard results/latest$1-torture) $(addsuffix -torture,$(lastword $2)))
TORTURE	?= $(call last_torture,,$(filter-out $(call emulated,$(TORTURES)),$(TORTURES))) \
	   $(foreach p,$(PORTS),$(call last_torture,-$p,$(filter %-$p,$(TORTURES))))

report:
	@$(call need,gnuplot)
	@test -n "$(RUN)" || { echo "report: no stored run under results/; 'make bench' makes one" >&2; exit 1; }
	@TORTURE='$(strip $(TORTURE))' report/report.sh "$(RUN)" build/report $(OTHER)

# make reference RUN=results/...: the stored run that the tree comes with, and the README's plot of it.
# The same of a run of make torture; one of each port is enough.
reference:
	@test -s "$(RUN)/summary.csv" || test -s "$(RUN)/survived.csv" || \
		{ echo "reference: no whole run; RUN=results/..." >&2; exit 1; }
	@mkdir -p results/reference
	cp -r "$$(readlink -f "$(RUN)")" results/reference/
	@test ! -s "$(RUN)/summary.csv" || $(MAKE) --no-print-directory readme-plot

# docs/traced_call.svg, the README's plot: from the reference run, on white.
readme-plot:
	@$(call need,gnuplot)
	@report/report.sh "$(lastword $(filter-out $(call emulated,$(REFERENCE)),$(REFERENCE)))" build/readme-plot
	@report/on-white.sh build/readme-plot/traced_call.svg >docs/traced_call.svg.tmp
	@mv docs/traced_call.svg.tmp docs/traced_call.svg

.PHONY: report readme-plot reference

# Damaged, empty and foreign runs; needs a whole one: the reference run.
check-report:
	@$(call need,gnuplot)
	@report/test-report.sh "$(lastword $(filter-out $(call emulated,$(REFERENCE)),$(REFERENCE)))"

.PHONY: check-report
