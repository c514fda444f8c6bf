/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines for the user, on standard error. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

/* Writes "pleach: ..." in one piece, after make_printable(). Raises no signal, and errno stays. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vsay(const char *format, va_list ap) __attribute__((format(printf, 1, 0)));

/* Replaces control characters but those in `but` by '?'. */
void make_printable(char *text, const char *but);

/* say() now begins with "pleach COMMAND: ". Keeps the pointer. */
void say_as(const char *command);

/* say() now writes nothing, or writes again. For ranks of pleach-mpi. */
void say_nothing(bool silent);
bool says_nothing(void);

/* Is this rank 0 of the job, by its launcher? True if there is none. */
bool is_speaker(void);
