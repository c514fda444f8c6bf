/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts about this process. library.c sets them at the start, and when MPI begins anew; other files only read them. */
#pragma once

#include "pmpi.h"
#include "say.h"
#include "settings.h"

/*
 * Why engines cannot serve calls of this process. The first message of an agreement carries this number (agree.c). If the
 * number of a rank is not CAN, no engine serves the communicator. The layout of the first message never changes, and these
 * numbers are part of it.
 */
enum cannot {
    CAN = 0,
    CANNOT_CONTEXT = 1, /* no context id for the self communicator */
    CANNOT_MEMORY = 2,  /* no memory, or no keyval */
    CANNOT_REMEMBER = 3 /* no memory to keep what the ranks have found out, so later communicators ask again */
};

struct process {
    int rank;            /* in MPI_COMM_WORLD; if the library was first used before MPI_Init, what the launcher says, or 0 */
    int ranks;           /* size of MPI_COMM_WORLD; 0 if the library was first used before MPI_Init */
    MPI_Comm self_comm;  /* contains only this process; its errors return; MPI_COMM_NULL: none; see self_comm.h */
    enum cannot cannot;  /* CAN if engines can serve calls of this process */
    uint64_t algorithms; /* that MPI can switch to (algorithms.h); 0 with several threads: a switch affects all threads */
    _Atomic int sessions; /* number of open sessions of MPI; see library.h */
    struct settings settings;
    uint64_t hash[SETTINGS_AGREED_MOST]; /* of the settings when they were read; see settings_hash() */
    /* Full paths of the files that settings name, as the program may change its working directory; "" if there is none. */
    char rules[SETTING_VALUE], places[SETTING_VALUE], learn[SETTING_VALUE];
};

extern struct process process;

/* Has MPI_Init been called, but not MPI_Finalize? Then MPI_COMM_WORLD and MPI_COMM_SELF exist. */
bool process_initialized(void);

/* The number of ranks in MPI_COMM_WORLD; 0 if it does not exist now and did not when the library was first used. */
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
