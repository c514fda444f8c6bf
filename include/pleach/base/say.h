/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages to the user: one line on standard error each; and the process of a job that writes them. */
#ifndef PLEACH_SAY_H
#define PLEACH_SAY_H

#include <stdarg.h>
#include <stdbool.h>

/*
 * Writes "pleach: ..." and a newline in one piece; see make_printable().
 * The application sees neither errno nor a signal of a failing write, and a reader that has stopped does not stop it.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vsay(const char *format, va_list ap) __attribute__((format(printf, 1, 0)));

/* Makes '?' of characters that would break a line, or steer a terminal, but for those of `but`. */
void make_printable(char *text, const char *but);

/* Makes say() begin with "pleach COMMAND: ". The text must stay. */
void say_as(const char *command);

/* Makes say() silent, or not, as only one process of a job is to speak. */
void say_nothing(bool silent);
bool says_nothing(void);

/* Is this process rank 0 of its job, by its launcher, or started by no launcher? */
bool is_speaker(void);

#endif
