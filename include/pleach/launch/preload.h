/* SPDX-License-Identifier: BSD-2-Clause */
/* The command becomes a program with Pleach's libraries preloaded. */
#pragma once

#include "parts.h"
#include "program.h"

/* Exit statuses if that fails, those of env(1). */
enum { STATUS_PLEACH = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* For the --help of such a command. */
#define PRELOAD_STATUSES                                                                                                    \
    "The exit status is the program's; 127 if it is not found, 126 if it cannot be run, 125 if a\n"                         \
    "library cannot be preloaded.\n"

/*
 * Becomes operand[0] with its arguments. LD_PRELOAD: its sanitizer, part[0 .. parts - 1], what was there without other
 * libraries of Pleach. Ends the command if that fails.
 */
_Noreturn void preload(char **operand, const struct program *p, int parts, const enum part *part);
