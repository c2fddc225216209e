/* SPDX-License-Identifier: MIT */
/*
 * What encodings.c asks the port for: arch/ARCH/test/encodings.S has one form for
 * each question, with the expected bytes, and test/encodings.h what differs by port.
 */
#ifndef TRAMPLAB_ENCODINGS_H
#define TRAMPLAB_ENCODINGS_H

/* Where all code claims to run: no displacement depends on where this program is. */
#define PC		0x10000000000

/* What to ask the port for; the argument in brackets. */
#define SITE		1	/* a site at PC (that calls this) */
#define LOCATE		2	/* the site of a record at these bytes (is so far behind it) */
#define PREPARE		3	/* do these bytes have to become the port's nop (1: yes) */
#define OPS		4	/* the ops argument (is this) */
#define CALL		5	/* a call (of this) */
#define CALL_TWICE	6	/* the same again right behind it */
#define SLOT		7	/* ops from a slot, a call slot, the leave of noregs; re-pointed (to this) */
#define LOCATE_WORD	8	/* LOCATE of a record that has a word, too */
#define OPS_WORD	9	/* the ops argument from the site's word */
#define CALL_OPS	10	/* a call of that ops's func */

/* What the slot calls at first. */
#define SLOT_FIRST	0x1122334455667788

#define E_INVAL		22
#define E_RANGE		34

#endif
