/* SPDX-License-Identifier: BSD-2-Clause */
/* What all of the library knows of this process. Set once, at the start (library.c), and only read from then on. */
#ifndef PLEACH_PROCESS_H
#define PLEACH_PROCESS_H

#include "pmpi.h"
#include "say.h"
#include "settings.h"

struct process {
    int rank;       /* in MPI_COMM_WORLD */
    MPI_Comm probe; /* a communicator of this process alone whose errors return: arguments are checked on it */
    struct settings settings;
};

extern struct process process;

/* MPI_Abort, when what has been said has had time to pass through the launcher, which drops what is under way. */
void abort_job(void);

#endif
