/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The job of this process, as the environment variables of its launcher and batch system describe it. Once MPI is
 * initialized, MPI's own answers are more reliable.
 */
#pragma once

#include "mpis.h"

#include <stdbool.h>

/* This process's rank in its job; 0 if unknown. */
int launcher_rank(void);

/* Is this process the first one of its job on this node? True if unknown. */
bool launcher_first_here(void);

/* The number of ranks in the job; 0 if unknown. */
int launcher_ranks(void);

/* The number of the job's ranks on this node; 0 if unknown. */
int launcher_node_ranks(void);

/* The same number or, if it is unknown, the number of cores. */
int launcher_node_ranks_or_cores(void);

/* Did the launcher of this MPI start this process? */
bool launcher_of(enum mpi mpi);

/* Has a launcher given this process the means to find the other ranks (PMI)? */
bool launcher_connects(void);

/* The batch system's name of the job; "0" if unknown. The caller does not free it. */
const char *launcher_job(void);

/* A number for the rack of this node, which is the lowest switch above it; another one for each rack. 0 if unknown. */
int launcher_rack(void);

/* A known launcher and its job. The texts are constants or belong to the environment, so the caller does not free them. */
struct launched {
    const char *launcher; /* in words */
    enum mpi mpi;         /* the launcher's MPI library; MPI_NONE if it starts programs of any MPI library */
    const char *ranks;    /* number of the job's ranks */
    const char *here;     /* number of ranks on this node, or on each node; "4(x2),3" means 4 on two nodes, 3 on a third */
};

/* Finds the launcher that has started this process. Returns false if none is known. */
bool launched_by(struct launched *by);

/* Do ranks that this launcher starts find each other if their program is for this MPI? */
bool launched_fits(const struct launched *by, enum mpi program);

/*
 * Has a launcher started several ranks that do not find each other in a program for this MPI? Then each rank runs alone, as
 * a job of its own. If so, sets *by to this launcher and returns true. Always false for an MPI library without a launcher.
 */
bool launched_apart(struct launched *by, enum mpi program);
