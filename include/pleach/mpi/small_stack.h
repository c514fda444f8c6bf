/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Collective functions for the library's own messages, for callers with little stack. MPICH 4.0 needs 132 KiB of stack to
 * reduce integers by its own operations, and also does that when it makes a communicator.
 */
#pragma once

#include "pmpi.h"

/*
 * Makes the operations of the functions below, for the first time or after MPI has begun anew. If memory is short, returns
 * false: then MPI's own operations serve. A rank that has them may reduce with a rank that has ours, provided that all words
 * in one place are at most ABI_LARGEST_COMPARED, or all are above it.
 */
bool words_open(void);

/* Collective over comm. Each word becomes the largest, or the bits, of all ranks' words in its place. */
void words_largest(MPI_Comm comm, uint64_t *word, int count);
void words_united(MPI_Comm comm, uint64_t *word, int count);

/* Begins words_largest(). */
void words_begin_largest(MPI_Comm comm, uint64_t *word, int count, MPI_Request *request);

/* Collective over comm. Returns the largest (MPI_MAX) or the smallest (MPI_MIN) number of all ranks. */
int pmpi_agreed(MPI_Comm comm, int mine, MPI_Op op);

/* MPI_Comm_split() with a colour >= 0, and MPI_Comm_split_type() for nodes. Both return errors, as calls on *part do. */
int split_ranks(MPI_Comm comm, int colour, int key, MPI_Comm *part);
int split_nodes(MPI_Comm comm, int key, MPI_Comm *node);
