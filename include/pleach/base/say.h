/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes messages to the user, each one line on standard error. Tells which process of a job is to write them. */
#ifndef PLEACH_SAY_H
#define PLEACH_SAY_H

#include <stdarg.h>
#include <stdbool.h>

/*
 * Writes "pleach: ..." and a newline in one piece; see make_printable(). If the write fails, the application sees neither a
 * signal nor another errno. If nobody reads standard error any more, the application goes on.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vsay(const char *format, va_list ap) __attribute__((format(printf, 1, 0)));

/* Replaces characters that would break a line, or control a terminal, by '?', but for those in `but`. */
void make_printable(char *text, const char *but);

/* Makes say() begin with "pleach COMMAND: ". The text must stay. */
void say_as(const char *command);

/* Makes say() silent, or ends its silence: only one process of a job is to speak. */
void say_nothing(bool silent);
bool says_nothing(void);

/* Is this process rank 0 of its job, by its launcher, or started by no launcher? */
bool is_speaker(void);

#endif
