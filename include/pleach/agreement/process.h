/* SPDX-License-Identifier: BSD-2-Clause */
/* Facts about this process. library.c sets them, also when MPI begins anew; others read. */
#pragma once

#include "pmpi.h"
#include "say.h"
#include "settings.h"

/*
 * Why engines cannot serve this process; then they serve none of its communicators. The agreement's first message has these
 * numbers, which never change.
 */
enum cannot {
    CAN = 0,
    CANNOT_CONTEXT = 1, /* no context id for the self communicator */
    CANNOT_MEMORY = 2,  /* no memory, or no keyval */
    CANNOT_REMEMBER = 3 /* no memory for what ranks find out: later communicators ask again */
};

struct process {
    int rank;             /* in MPI_COMM_WORLD; if the library was first used before MPI_Init, by the launcher, or 0 */
    int ranks;            /* size of MPI_COMM_WORLD; 0 if the library was first used before MPI_Init */
    int domain;           /* domain_here() in MPI_Init */
    MPI_Comm self_comm;   /* contains this process alone; or MPI_COMM_NULL; see self_comm.h */
    enum cannot cannot;   /* CAN: engines can serve this process */
    bool compares;        /* pleach-mpi: calls may use any algorithm of the MPI library */
    _Atomic int sessions; /* open sessions of MPI; library.h */
    struct settings settings;
    uint64_t hash[SETTINGS_AGREED_MOST]; /* of the settings as read; settings_hash() */
    /* Full paths of files that settings name, or "": the program may change its folder. */
    char rules[SETTING_VALUE], places[SETTING_VALUE], learn[SETTING_VALUE];
};

extern struct process process;

/* Is this between MPI_Init and MPI_Finalize? Then MPI_COMM_WORLD and MPI_COMM_SELF exist. */
bool process_initialized(void);

/* The size of MPI_COMM_WORLD; 0 if it does not exist now, and did not when the library was first used. */
int process_ranks(void);

/* May several threads call MPI at once? True where unknown: before MPI_Init, after MPI_Finalize. */
bool process_threaded(void);

/* Waits long enough for the launcher to forward our lines, which it drops when a rank aborts the job. */
void let_through(void);

/* Calls let_through(), then MPI_Abort(). */
void abort_job(void);
