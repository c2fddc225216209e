# SPDX-License-Identifier: MIT
# A word before the function, then two instructions: mov x9, lr; bl.
SITE_CFLAGS	:= -fpatchable-function-entry=4,2 -falign-functions=8
# Entry code of the classes noregs to regs saves no vector register.
CALLBACK_CFLAGS	:= -mgeneral-regs-only -fno-stack-protector -fno-sanitize=all
