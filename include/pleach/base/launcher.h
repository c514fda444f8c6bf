/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The job of this process, as the environment variables of its launcher and batch system describe it. Once MPI is
 * initialized, MPI's own answers are more reliable.
 */
#pragma once

#include "mpis.h"

#include <stdbool.h>
#include <stddef.h>

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

/* The MPI library whose ranks find each other by what the launcher has set; MPI_NONE if unknown. */
enum mpi launcher_mpi(void);

/* The value of srun's --mpi that programs for this MPI usually need; NULL if unknown. */
const char *launcher_pmi(enum mpi program);

/* The batch system's name of the job; "0" if unknown. The caller does not free it. */
const char *launcher_job(void);

/* A number for the rack of this node, which is the lowest switch above it; another one for each rack. 0 if unknown. */
int launcher_rack(void);

/* A known launcher and its job. The texts are constants or belong to the environment, so the caller does not free them. */
struct launched {
    const char *launcher; /* in words */
    enum mpi mpi;         /* the launcher's MPI library; MPI_NONE if it starts programs of any MPI library */
    const char *rank;     /* this process's rank in the job */
    const char *ranks;    /* number of the job's ranks */
    const char *here;     /* number of ranks on this node, or on each node; "4(x2),3" means 4 on two nodes, 3 on a third */
};

/* Finds the launcher that has started this process. Returns false if none is known. */
bool launched_by(struct launched *by);

#define LAUNCHED_ALONE "each is alone in its MPI_COMM_WORLD"

/*
 * For a process that is alone in its MPI_COMM_WORLD. If a launcher has started several ranks, of which this process is the
 * first, writes LAUNCHED_ALONE into the text, with the number and the remedy for a program of this MPI, whose library is
 * `library` in words, and returns true.
 */
bool launched_alone(enum mpi program, const char *library, char *text, size_t size);
