/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces the command by a program that has Pleach's libraries preloaded. */
#pragma once

#include "parts.h"
#include "program.h"

/* The exit statuses of a command that cannot become the program. They are those of env(1). */
enum { STATUS_PLEACH = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* The lines on exit statuses in the --help of a command that becomes a program. */
#define PRELOAD_STATUSES                                                                                                    \
    "The exit status is the program's; 127 if it is not found, 126 if it cannot be run, 125 if a\n"                         \
    "library cannot be preloaded.\n"

/*
 * Becomes the program operand[0] with its arguments. Takes all libraries of Pleach out of LD_PRELOAD. Puts part[0] to
 * part[parts - 1] before what is left, and before these the program's sanitizer. Ends the command if that fails.
 */
_Noreturn void preload(char **operand, const struct program *p, int parts, const enum part *part);
