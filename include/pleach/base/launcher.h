/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The job that this process belongs to, as its launcher and its batch system tell by variables in the environment. Where MPI
 * can be asked, it knows better.
 */
#ifndef PLEACH_LAUNCHER_H
#define PLEACH_LAUNCHER_H

#include "mpis.h"

#include <stdbool.h>

/* This process's rank in its job; 0 where none tells. */
int launcher_rank(void);

/* How many ranks the job has; 0 where none tells. */
int launcher_ranks(void);

/* How many of them it has started on this node; 0 where none tells. */
int launcher_node_ranks(void);

/* Was this process started by the launcher of this MPI? */
bool launcher_of(enum mpi mpi);

/* Has a launcher told it how ranks find each other (PMI)? */
bool launcher_connects(void);

/* What the batch system calls the job; "0" where none tells. Not freed. */
const char *launcher_job(void);

/* A launcher that says which job it has started. Texts are its own, or the environment's: not freed. */
struct launched {
    const char *launcher; /* in words */
    enum mpi mpi;         /* whose; MPI_NONE: it starts programs of any */
    const char *ranks;    /* a number: of the job's ranks */
    const char *here;     /* a number: of those on this node; "4(x2),3": 4 on the first node */
};

/* The launcher that has started this process; false: none that is known. */
bool launched_by(struct launched *by);

/* Do ranks that it starts find each other in a program for this MPI? */
bool launched_fits(const struct launched *by, enum mpi program);

/*
 * The launcher of this job of several ranks, each of which is alone in a program for this MPI; false: none, as far as is
 * known.
 */
bool launched_apart(struct launched *by, enum mpi program);

#endif
