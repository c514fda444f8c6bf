/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Collective functions for callers with little stack: MPICH 4.0's reductions of integers, also in making communicators, need
 * 132 KiB.
 */
#pragma once

#include "pmpi.h"

/*
 * Makes the operations. Call it first, and again when MPI has begun anew. Returns false if memory is short: then MPI's
 * operations serve. Ranks with either may reduce together if all words in one place are at most ABI_LARGEST_COMPARED, or all
 * above.
 */
bool words_open(void);

/* Collective over comm. Each word: the largest, or all bits, of all ranks' words in its place. */
void words_largest(MPI_Comm comm, uint64_t *word, int count);
void words_united(MPI_Comm comm, uint64_t *word, int count);

void words_begin_largest(MPI_Comm comm, uint64_t *word, int count, MPI_Request *request);

/* Collective over comm. The largest (MPI_MAX) or smallest (MPI_MIN) number of all ranks. */
int pmpi_agreed(MPI_Comm comm, int mine, MPI_Op op);

/* MPI_Comm_split(), colour >= 0, and MPI_Comm_split_type() for nodes. Errors return, also on *part. */
int split_ranks(MPI_Comm comm, int colour, int key, MPI_Comm *part);
int split_nodes(MPI_Comm comm, int key, MPI_Comm *node);
