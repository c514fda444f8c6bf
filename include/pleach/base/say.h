/* SPDX-License-Identifier: BSD-2-Clause */
/* How the user is told something. */
#ifndef PLEACH_SAY_H
#define PLEACH_SAY_H

/* Writes "pleach: ..." and a newline to standard error in one piece. Leaves errno alone. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
