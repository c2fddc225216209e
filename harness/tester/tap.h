/* SPDX-License-Identifier: MIT */
/* KTAP on stdout for the programs that test the harness itself. */
#ifndef TRAMPLAB_TAP_H
#define TRAMPLAB_TAP_H

/* Tests to come; before the first result. */
void tap_plan(unsigned int nr);

/* One result each; @fmt is the test's name, for tap_skip() without the reason. */
void tap_ok(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tap_not_ok(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void tap_skip(const char *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A line for the reader of the result that follows. */
void tap_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The closing line "N passed, N failed, N skipped"; the exit status. */
int tap_done(void);

#endif
