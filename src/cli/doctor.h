/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach doctor: what its files share. Each looks at one thing, and tells a line for whatever it finds. */
#ifndef PLEACH_DOCTOR_H
#define PLEACH_DOCTOR_H

#include "program.h"

/* A verdict on a finding: Pleach serves; it serves, with a note; it does not serve, and what to do. */
enum verdict { VERDICT_OK, VERDICT_NOTE, VERDICT_PROBLEM };

/* Collectives, bit c is collective c, as "bcast, scan". Returns text. */
enum { CALLS_TEXT = 80, CALLS_ALL = (1 << COLLECTIVES) - 1 };
const char *doctor_calls(unsigned calls, char text[CALLS_TEXT]);

/* Prints a line. */
void doctor_tell(enum verdict v, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The program, as it was called on the command line. */
void doctor_program(const char *name, struct program *p);

/*
 * The launchers at hand, and the job that this process belongs to, if any; a program that needs `mpi` (MPI_NONE: that is not
 * known) is to be run with them. Returns what to type for "mpiexec", or NULL: there is none for MPICH's programs, or
 * this is in a job already.
 */
const char *doctor_job(enum mpi mpi);

#endif
