/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts about this process. library.c sets them once, at the start; after that they are only read. */
#ifndef PLEACH_PROCESS_H
#define PLEACH_PROCESS_H

#include "pmpi.h"
#include "say.h"
#include "settings.h"

/*
 * Why this process cannot take part in engines. The first message on every communicator carries this number. If it is not
 * CAN on some rank, no rank uses engines there (agree.c). The layout of the first message never changes, and these numbers
 * are part of it.
 */
enum cannot {
    CAN = 0,
    CANNOT_CONTEXT = 1, /* no context id for the probe */
    CANNOT_MEMORY = 2,  /* no memory, or no keyval */
    CANNOT_REMEMBER = 3 /* no memory to keep what the ranks have found out, so later communicators ask again */
};

struct process {
    int rank;            /* in MPI_COMM_WORLD; if the library was used before MPI_Init, what the launcher says, or 0 */
    int ranks;           /* size of MPI_COMM_WORLD; 0 if the library was used before MPI_Init */
    MPI_Comm probe;      /* a communicator of this process alone whose errors return, or MPI_COMM_NULL; see probe.h */
    enum cannot cannot;  /* CAN if it takes part */
    uint64_t algorithms; /* that MPI can switch to (algorithms.h); 0 if several threads may call MPI: a switch affects all */
    struct settings settings;
};

extern struct process process;

/* Has MPI_Init been called, but not MPI_Finalize? Then MPI_COMM_WORLD and MPI_COMM_SELF exist. */
bool process_initialized(void);

/*
 * The number of ranks in MPI_COMM_WORLD. It is 0 if MPI_COMM_WORLD does not exist now and did not exist when the library
 * was first used.
 */
int process_ranks(void);

/* May several threads call MPI at once? Before MPI_Init and after MPI_Finalize this is unknown, and the result is true. */
bool process_threaded(void);

/*
 * Waits long enough for the launcher to forward the lines that we have printed. When a rank aborts the job, the launcher
 * drops lines that it has not forwarded.
 */
void let_through(void);

/* Calls let_through(), then MPI_Abort. */
void abort_job(void);

#endif
