# SPDX-License-Identifier: MIT
# Everything from Debian that the project uses, in one place.
#   make deps            installs what is missing (as root, or with sudo)
#   make deps-kernel     the same for make check-kernel
#   make deps-list    says what is there and what is not
# A recipe that needs a program says  $(call need,PROGRAM)  and so names the
# command that brings it.

# The second architecture.  Its emulator is harness/emulator.sh's business.
DEPS_CROSS := $(if $(filter x86_64,$(HOST)),gcc-aarch64-linux-gnu libc6-dev-arm64-cross gdb-multiarch)

DEPS := \
	gcc g++ make libc6-dev binutils	\
	clang libclang-rt-dev		\
	libcapstone-dev			\
	libbenchmark-dev		\
	hyperfine			\
	linux-perf gdb			\
	gnuplot-nox			\
	xz-utils			\
	dpkg-dev patch			\
	$(DEPS_CROSS)

# What make check-kernel needs besides: 25 MB to fetch, 120 MB installed.
DEPS_KERNEL := qemu-system-x86 qemu-system-arm cpio libelf1 $(DEPS_CROSS)

deps_missing = for p in $(DEPS); do \
	dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q '^install ok' || echo $$p; done

# The Debian package of a program, where the name differs.
need_package = $(or $(need_package_$1),$1)
need_package_gnuplot := gnuplot-nox
need_package_aarch64-linux-gnu-gcc := gcc-aarch64-linux-gnu
need_package_perf := linux-perf
need_package_xz := xz-utils
need_package_dpkg-source := dpkg-dev

need = command -v $1 >/dev/null || { echo "$1 is missing: 'make deps' installs it (Debian package $(call need_package,$1))" >&2; exit 1; }

deps-kernel: DEPS := $(DEPS_KERNEL)
deps deps-kernel:
	@missing=$$($(deps_missing) | tr '\n' ' '); \
	if [ -z "$$missing" ]; then echo "deps: everything is installed"; exit 0; fi; \
	echo "deps: installing $$missing"; \
	if [ "$$(id -u)" = 0 ]; then as=; \
	elif command -v sudo >/dev/null; then as=sudo; \
	else echo "deps: needs root or sudo; as root: apt-get install -y --no-install-recommends $$missing" >&2; exit 1; fi; \
	$$as apt-get update -q && \
	DEBIAN_FRONTEND=noninteractive $$as apt-get install -y -q --no-install-recommends $$missing

deps-list:
	@for p in $(sort $(DEPS) $(DEPS_KERNEL)); do \
		v=$$(dpkg-query -W -f '$${Status}\t$${Version}' $$p 2>/dev/null | sed -n 's/^install ok installed\t//p'); \
		printf '%-18s %s\n' $$p "$${v:-MISSING}"; done

.PHONY: deps deps-kernel deps-list
