/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The job of this process, from the environment variables of its launcher and batch system. MPI's own answers are better,
 * once MPI can give them.
 */
#ifndef PLEACH_LAUNCHER_H
#define PLEACH_LAUNCHER_H

#include "mpis.h"

#include <stdbool.h>

/* This process's rank in its job; 0 if unknown. */
int launcher_rank(void);

/* The number of ranks in the job; 0 if unknown. */
int launcher_ranks(void);

/* The number of the job's ranks on this node; 0 if unknown. */
int launcher_node_ranks(void);

/* Did the launcher of this MPI start this process? */
bool launcher_of(enum mpi mpi);

/* Has a launcher told this process how ranks find each other (PMI)? */
bool launcher_connects(void);

/* The batch system's name of the job; "0" if unknown. Not to be freed. */
const char *launcher_job(void);

/* A known launcher and its job. Texts are static, or the environment's: not to be freed. */
struct launched {
    const char *launcher; /* in words */
    enum mpi mpi;         /* the MPI library of the launcher; MPI_NONE: a launcher for all of them */
    const char *ranks;    /* number of the job's ranks */
    const char *here;     /* number of the job's ranks on this node, or on each node: "4(x2),3" */
};

/* The launcher that has started this process; false: it is unknown. */
bool launched_by(struct launched *by);

/* Do the ranks of this launcher find each other in a program for this MPI? */
bool launched_fits(const struct launched *by, enum mpi program);

/*
 * Finds a launcher that has started several ranks, each of which would be alone in a program for this MPI; false: none is
 * known.
 */
bool launched_apart(struct launched *by, enum mpi program);

#endif
