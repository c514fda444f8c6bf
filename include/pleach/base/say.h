/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes messages to the user, each as a line on standard error. Finds out whether this process writes those of its job. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>

/*
 * Writes "pleach: ..." and a newline in one piece, after make_printable(). If the write fails, the application goes on: it
 * gets no signal, and errno keeps its value.
 */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void vsay(const char *format, va_list ap) __attribute__((format(printf, 1, 0)));

/* Replaces control characters, which could break the line or disturb the terminal, by '?'. Those in `but` stay. */
void make_printable(char *text, const char *but);

/* Makes say() begin its lines with "pleach COMMAND: ". Keeps the pointer, so the text must not change. */
void say_as(const char *command);

/* Makes say() write nothing from now on or, if `silent` is false, write again. pleach-mpi silences all ranks but rank 0. */
void say_nothing(bool silent);
bool says_nothing(void);

/* Is this process rank 0 of its job, as its launcher says? The result is also true if no launcher is known. */
bool is_speaker(void);
