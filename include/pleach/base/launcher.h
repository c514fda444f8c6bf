/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The job of this process, by variables of its launcher and batch system. After MPI_Init, MPI's own answers are better.
 * Numbers are 0 if unknown.
 */
#pragma once

#include "mpis.h"

#include <stdbool.h>
#include <stddef.h>

/* This process's rank in its job. */
int launcher_rank(void);

/* Is it the job's first process on this node? True if unknown. */
bool launcher_first_here(void);

int launcher_ranks(void);

int launcher_node_ranks(void);

/* If their number is unknown, that of the cores. */
int launcher_node_ranks_or_cores(void);

/* The MPI library whose ranks find each other by the launcher's variables; MPI_NONE if unknown. */
enum mpi launcher_mpi(void);

/* The value of srun's --mpi for programs of this MPI; NULL if unknown. */
const char *launcher_pmi(enum mpi program);

/* The batch system's name of the job; "0" if unknown. */
const char *launcher_job(void);

/* A number for the lowest switch above this node. */
int launcher_rack(void);

/* Texts are constants or the environment's. */
struct launched {
    const char *launcher;
    enum mpi mpi; /* MPI_NONE: of any */
    const char *rank;
    const char *ranks;
    const char *here; /* ranks on this node, or on each: "4(x2),3" is 4 on two nodes, 3 on a third */
};

/* Returns false if no launcher is known. */
bool launched_by(struct launched *by);

#define LAUNCHED_ALONE "each is alone in its MPI_COMM_WORLD"

/*
 * For a process alone in MPI_COMM_WORLD: is it the first of several that a launcher has started? Then writes LAUNCHED_ALONE
 * with their number and the remedy for a program of this MPI, whose library is `library` in words.
 */
bool launched_alone(enum mpi program, const char *library, char *text, size_t size);
