/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs another program for its output. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define TOOL_SECONDS 10 /* enough for a slow file system */

/*
 * Runs argv[0], a path, without LD_PRELOAD, for at most `seconds`. Its output and standard error go to text[size], as far as
 * they fit. Returns false if it cannot run, fails, or does not end in time. It is killed if this process dies.
 */
bool tool_asked(const char *const argv[], double seconds, char *text, size_t size);
