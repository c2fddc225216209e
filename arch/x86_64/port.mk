# SPDX-License-Identifier: MIT
# Five bytes that the core turns into one nop, then into a call, and eight before
# the function for the site's word, which has to be aligned.
SITE_CFLAGS	:= -fpatchable-function-entry=13,8 -falign-functions=16
# Entry code of the classes noregs to regs saves no vector register.
CALLBACK_CFLAGS	:= -mgeneral-regs-only -fno-stack-protector -fno-sanitize=all
