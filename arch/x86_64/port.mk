# SPDX-License-Identifier: MIT
# gcc drops the stack's alignment where it sees that a callee of the same file needs none;
# callbacks need it, and so do the entries.
SITE_GCC	:= -fno-ipa-stack-alignment
# Five bytes that the core turns into one nop, then into a call, and eight before
# the function for the site's word, which has to be aligned.
SITE_CFLAGS	:= -fpatchable-function-entry=13,8 -falign-functions=16 $(if $(findstring clang,$(CC)),,$(SITE_GCC))
# Entry code of the classes noregs to regs saves no vector register.
CALLBACK_CFLAGS	:= -mgeneral-regs-only -fno-stack-protector -fno-sanitize=all
