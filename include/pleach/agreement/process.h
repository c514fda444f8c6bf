/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's knowledge of this process. Set once, at the start (library.c), and only read from then on. */
#ifndef PLEACH_PROCESS_H
#define PLEACH_PROCESS_H

#include "pmpi.h"
#include "say.h"
#include "settings.h"

/*
 * Why this process can take part in no engine. The first message on every communicator carries it, and all ranks then do
 * without engines (agree.c). The layout of that message never changes, and these numbers are part of it.
 */
enum cannot {
    CAN = 0,
    CANNOT_CONTEXT = 1, /* no context id for the probe */
    CANNOT_MEMORY = 2,  /* no memory, or no keyval */
    CANNOT_REMEMBER = 3 /* no memory even to remember this answer: later communicators ask again */
};

struct process {
    int rank;           /* in MPI_COMM_WORLD; before MPI_Init, as the launcher says, else 0 */
    int ranks;          /* of MPI_COMM_WORLD; 0: the library was used before MPI_Init */
    MPI_Comm probe;     /* a communicator of this process alone whose errors return, or MPI_COMM_NULL; see probe.h */
    enum cannot cannot; /* CAN: it takes part */
    struct settings settings;
};

extern struct process process;

/* Is this between MPI_Init and MPI_Finalize? Then MPI_COMM_WORLD and MPI_COMM_SELF exist. */
bool process_initialized(void);

/*
 * The number of ranks in MPI_COMM_WORLD, now or when the library was first used. 0: MPI_COMM_WORLD does not exist, and the
 * first use was before MPI_Init.
 */
int process_ranks(void);

/* May several threads call MPI at once? True, too, if unknown: outside MPI_Init .. MPI_Finalize. */
bool process_threaded(void);

/* Waits until messages have passed through the launcher, which drops output under way when a rank aborts the job. */
void let_through(void);

/* let_through(), then MPI_Abort. */
void abort_job(void);

#endif
