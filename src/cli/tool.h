/* SPDX-License-Identifier: BSD-2-Clause */
/* Another program that is asked something. */
#ifndef PLEACH_TOOL_H
#define PLEACH_TOOL_H

#include <stdbool.h>
#include <stddef.h>

#define TOOL_SECONDS 10 /* long enough for a file system that is far */

/*
 * Runs a program, a path and arguments, without LD_PRELOAD and for so many seconds at most: what it writes, as much as has
 * room, is in text[size]. False if it cannot be run, fails, or does not end.
 */
bool tool_asked(const char *const argv[], double seconds, char *text, size_t size);

#endif
