/* SPDX-License-Identifier: BSD-2-Clause */
/* What all of the library knows of this process. Set once, at the start (library.c), and only read from then on. */
#ifndef PLEACH_PROCESS_H
#define PLEACH_PROCESS_H

#include "pmpi.h"
#include "say.h"
#include "settings.h"

/*
 * Why this process cannot take part in engines, whoever the others are. It is told to all ranks of every communicator, which
 * then do without engines, see agree.c: the numbers are part of the first message, whose layout never changes.
 */
enum cannot {
    CAN = 0,
    CANNOT_CONTEXT = 1, /* no context id for the probe */
    CANNOT_MEMORY = 2,  /* no memory, or no keyval */
    CANNOT_REMEMBER = 3 /* no memory even to remember this answer: each further communicator asks again */
};

struct process {
    int rank;           /* in MPI_COMM_WORLD; before MPI_Init, as the launcher says, or 0 */
    int ranks;          /* of MPI_COMM_WORLD; 0: the library was used before MPI_Init */
    MPI_Comm probe;     /* a communicator of this process alone whose errors return, or MPI_COMM_NULL; see probe.h */
    enum cannot cannot; /* CAN: it takes part */
    struct settings settings;
};

extern struct process process;

/* Between MPI_Init and MPI_Finalize? There are MPI_COMM_WORLD and MPI_COMM_SELF. */
bool process_initialized(void);

/*
 * How many ranks has MPI_COMM_WORLD, or had it when the library was first used? 0: that was before MPI_Init, and it is not
 * there.
 */
int process_ranks(void);

/* May several threads call MPI at once? Yes, too, where nobody can tell: not between MPI_Init and MPI_Finalize. */
bool process_threaded(void);

/* Gives what has been said time to pass through the launcher, which drops what is under way when a rank aborts the job. */
void let_through(void);

/* MPI_Abort, after that. */
void abort_job(void);

#endif
