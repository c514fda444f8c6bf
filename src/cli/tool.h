/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs another program for its output. */
#ifndef PLEACH_TOOL_H
#define PLEACH_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#define TOOL_SECONDS 10 /* long enough for a file system that is far */

/*
 * Runs the program argv[0], a path, with its arguments and without LD_PRELOAD, for at most so many seconds. Copies to
 * text[size] as much of its output, standard error included, as has room. False if it cannot be run, fails, or does not end.
 */
bool tool_asked(const char *const argv[], double seconds, char *text, size_t size);

#endif
