/* SPDX-License-Identifier: BSD-2-Clause */
/* Becoming a program that has Pleach's libraries preloaded. */
#ifndef PLEACH_PRELOAD_H
#define PLEACH_PRELOAD_H

#include "parts.h"
#include "program.h"

/* Their own exit statuses are those of env(1). */
enum { STATUS_PLEACH = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* For --help: what the exit statuses of a command mean that becomes a program. */
#define PRELOAD_STATUSES                                                                                                    \
    "The exit status is the program's; 127 if it is not found, 126 if it cannot be run, 125 if the\n"                       \
    "library is missing.\n"

/*
 * The library for a program, and why that one: `named` is the number of a word of --mpi, or -1. Else it is the one for the
 * MPI that the program needs. A program that needs none, as an interpreter, may load one later: then the launcher's own is
 * the best guess.
 */
enum part preload_choice(const struct program *p, int named, const char **because);

/*
 * Is it there? That for MPICH always is, or the installation is broken; the others may not have been built. Then rank 0 says
 * that the program, `name`, runs without Pleach.
 */
bool preload_built(enum part library, const char *name, const char *because);

/* For the option --mpi. */
#define PRELOAD_MPIS "mpich|openmpi|abi"
enum part preload_named(int named);

/*
 * Becomes the program operand[0] with its arguments, some parts, or none, preloaded before all that is preloaded
 * already. Ends the command where that fails.
 */
_Noreturn void preload(char **operand, int parts, const enum part *part);

#endif
