# SPDX-License-Identifier: MIT
# Five bytes that the core turns into one nop, then into a call.
SITE_CFLAGS	:= -fpatchable-function-entry=5
# Entry code of the classes noregs to regs saves no vector register.
CALLBACK_CFLAGS	:= -mgeneral-regs-only -fno-stack-protector -fno-sanitize=all
