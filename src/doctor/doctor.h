/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of pleach doctor share. Each file examines one thing, and prints a line for each finding. */
#pragma once

#include "program.h"
#include "settings.h"

#include <stdarg.h>

/* OK: all is well. NOTE: the user should know this, but need not act. PROBLEM: the user must act; exit status 1. */
enum verdict { VERDICT_OK, VERDICT_NOTE, VERDICT_PROBLEM };

/* Writes the names of the collectives in `calls` (bit c: collective c), such as "bcast, scan". Returns text. */
enum { CALLS_TEXT = 80, CALLS_ALL = (1 << COLLECTIVES) - 1 };
const char *doctor_calls(unsigned calls, char text[CALLS_TEXT]);

/* Prints a finding and its verdict in a line, between the first two. */
void doctor_begin(void);
void doctor_end(void);
void doctor_vtell(enum verdict v, const char *format, va_list ap);
void doctor_tell(enum verdict v, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern int doctor_problems; /* how often VERDICT_PROBLEM so far */

/* Finds out by trial whether the ranks of a node can share memory. */
void doctor_shared(const struct settings *s);

/*
 * In a job, finds out by trial whether its ranks find each other and share memory. The trial uses the program's MPI library
 * or, if that is unknown, one that fits the launcher. Every rank of the job calls the function; rank 0 alone prints what
 * they have found. If MPI does not work, the launcher may end the job, so the call comes last.
 */
void doctor_ranks(const struct program *p);

/* Examines the program that the command line names, and fills *p. */
void doctor_program(const char *name, struct program *p);

/*
 * Checks whether the launcher fits a program that needs `mpi` (MPI_NONE: unknown). In a job, examines this job and returns
 * NULL. Outside of a job, examines the launchers in PATH; returns the name of one that can start the program, or NULL.
 */
const char *doctor_job(const struct settings *s, enum mpi mpi);
