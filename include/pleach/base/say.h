/* SPDX-License-Identifier: BSD-2-Clause */
/* How the user is told something: one line on standard error; and which process of a job speaks. */
#ifndef PLEACH_SAY_H
#define PLEACH_SAY_H

#include <stdarg.h>
#include <stdbool.h>

/*
 * Writes "pleach: ..." and a newline in one piece. What would break the line, or steer a terminal, is written as '?'.
 * Neither errno nor a signal of a failing write reaches the application, and a reader that has stopped does not stop it.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vsay(const char *format, va_list ap) __attribute__((format(printf, 1, 0)));

/* From now on say() begins "pleach COMMAND: ...". The text must stay. */
void say_as(const char *command);

/* From now on say() writes nothing, or writes again: only one process of a job is to speak. */
void say_nothing(bool silent);
bool says_nothing(void);

/* Is this rank 0 of its job, as its launcher tells, or one that no launcher has started? */
bool is_speaker(void);

#endif
