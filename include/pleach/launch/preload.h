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
    "library cannot be preloaded, or if the program's MPI cannot be found out.\n"

/*
 * Chooses the library for a program, and sets *because to the reason. If `named` is not -1, word number `named` of --mpi
 * decides; otherwise the MPI that the program is linked with decides. A program that is linked with no MPI, such as Python,
 * may load one later: it gets Open MPI's library if Open MPI's launcher started the command, else MPICH's. Ends the command
 * if the loader gave no list of libraries: a guess on one rank alone may differ from the other ranks' choice.
 */
enum part preload_choice(const struct program *p, int named, const char **because);

/*
 * Is this library installed? If not, rank 0 says that the program, `name`, runs without Pleach. Always true for MPICH's
 * library: every installation has this library, and preload() ends the command if the file is missing.
 */
bool preload_built(enum part library, const char *name, const char *because);

/* The words of --mpi, and the library for word number `named`. */
#define PRELOAD_MPIS "mpich|openmpi|abi"
enum part preload_named(int named);

/*
 * Becomes the program operand[0] with its arguments. Puts the libraries part[0] to part[parts - 1] before the contents of
 * LD_PRELOAD, and before these the program's sanitizer. Ends the command if that fails.
 */
_Noreturn void preload(char **operand, const struct program *p, int parts, const enum part *part);
