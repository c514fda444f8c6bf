/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs another program for its output. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define TOOL_SECONDS 10 /* long enough for a slow file system */

/*
 * Runs the program argv[0], a path, with its arguments and without LD_PRELOAD, for at most `seconds`. Copies its output,
 * standard error included, to text[size], as far as there is room. Returns false if it cannot be run, fails, or does not end
 * in time. If this process dies first, the program is killed.
 */
bool tool_asked(const char *const argv[], double seconds, char *text, size_t size);
