# SPDX-License-Identifier: MIT
# make check | torture | bench | report | list | deps; everything is found by wildcard.
# The user interface: ARCH CC IMPL= CASE= CLASS= SAN= FULL= TIME= SEED= EMULATOR= (see README.md).

HOST	:= $(shell uname -m)
ARCH	?= $(HOST)
# Of another kind than this machine: Debian's cross tools, and what runs their programs.
CROSS	:= $(if $(filter-out $(HOST),$(ARCH)),$(ARCH)-linux-gnu-)
CC	:= $(if $(filter default,$(origin CC)),$(CROSS)gcc,$(CC))
CXX	:= $(if $(findstring clang,$(CC)),clang++,$(CROSS)g++)
AR	:= $(CROSS)ar
OBJDUMP	:= $(CROSS)objdump
SAN	?=
EMULATOR ?=
EXEC	:= $(if $(CROSS)$(EMULATOR),EMULATOR='$(EMULATOR)' EMULATOR_DIR=build/emulator sh harness/emulator.sh $(ARCH))

ifeq ($(wildcard arch/$(ARCH)/port.mk),)
$(error no port for ARCH=$(ARCH); there is: $(notdir $(patsubst %/,%,$(wildcard arch/*/))))
endif

B	:= build/$(ARCH)-$(patsubst $(CROSS)%,%,$(notdir $(CC)))$(if $(SAN),-$(SAN))
ifneq ($(and $(CROSS),$(findstring clang,$(CC))),)
override CC += --target=$(ARCH)-linux-gnu
override CXX += --target=$(ARCH)-linux-gnu
endif

WARN	:= -Wall -Wextra $(if $(CI),-Werror)
CPPFLAGS := -D_GNU_SOURCE -Iinclude -Iarch/$(ARCH) -I. -MMD -MP
CFLAGS	:= -std=gnu11 -O2 -g $(WARN) $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer)
LDFLAGS	:= $(if $(SAN),-fsanitize=$(SAN))
# Headers and text in one segment: ThreadSanitizer dies of a memcpy() that goes from one that is
# only read on to another, and tests copy all text.
LDFLAGS	+= $(if $(filter thread,$(SAN)),-z noseparate-code)
LDLIBS	:= -lpthread -ldl

# The port says how sites are compiled and how code on the callback path is.
include arch/$(ARCH)/port.mk

all: lib

LIB	:= $B/libtramp.a
LIB_SRC	:= $(filter-out core/module.c,$(wildcard core/*.c arch/$(ARCH)/*.c arch/$(ARCH)/*.S))
LIB_OBJ	:= $(LIB_SRC:%=$B/%.o)
# Strategies register in a linker section, so they are linked as objects.
IMPL_OBJ := $(patsubst %,$B/%.o,$(foreach d,$(wildcard impls/*/),$(wildcard $d$(notdir $(d:/=)).c)))
# Goes into every executable or library that has sites.
MODULE_OBJ := $B/core/module.c.o

lib: $(LIB) $(IMPL_OBJ) $(MODULE_OBJ)

$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

# A thread runs this code while it is inside a trampoline.
$B/core/list.c.o $B/arch/$(ARCH)/regs.c.o: CFLAGS += $(CALLBACK_CFLAGS)
# It also goes into shared libraries.
$B/core/module.c.o: CFLAGS += -fPIC

# Its flags decide what sites look like.
$B/%.c.o: %.c arch/$(ARCH)/port.mk | $B/compiler
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(FILE_CFLAGS) -c -o $@ $<
$B/%.S.o: %.S | $B/compiler
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(FILE_CFLAGS) -g -c -o $@ $<

# Once: does it make what is wanted?
$B/compiler:
	@$(call need,$(firstword $(CC)))
	@case "$$($(CC) -dumpmachine)" in $(ARCH)-*) ;; *) \
		echo "CC=$(firstword $(CC)) makes code for $$($(CC) -dumpmachine), not for ARCH=$(ARCH); leave CC empty, or use clang" >&2; exit 1;; esac
	@mkdir -p $(@D) && touch $@

include deps.mk docs/docs.mk
-include harness/harness.mk harness/tester.mk harness/model/model.mk harness/kernel/kernel.mk bench/bench.mk report/report.mk

clean:
	rm -rf build

.PHONY: all lib clean
-include $(shell find build -name '*.d' 2>/dev/null)
