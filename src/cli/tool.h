/* SPDX-License-Identifier: BSD-2-Clause */
/* Another program that is asked something. */
#ifndef PLEACH_TOOL_H
#define PLEACH_TOOL_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Runs a program, a path and arguments, without LD_PRELOAD and for 10 s at most: what it writes, as much as has room, is in
 * text[size]. False if it cannot be run, or fails.
 */
bool tool_asked(const char *const argv[], char *text, size_t size);

#endif
