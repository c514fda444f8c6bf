/* SPDX-License-Identifier: BSD-2-Clause */
/* The words for calls and ranks in messages to people. */
#pragma once

#include "facts.h"

#include <stddef.h>
#include <stdint.h>

/* "comm-84000003", for a communicator without a name, by the bits of its handle. Returns text. */
const char *comm_words(uintptr_t handle, char *text, size_t size);

/* "MPI_Bcast", .. */
const char *call_name(enum collective c);

enum { CALL_WORDS = 96, RANK_WORDS = 48 }; /* most bytes of call_words(), rank_words(), with the NUL */

/*
 * "MPI_Reduce (MPI_SUM) of 800 bytes to root 0". If `bytes` is negative, that is, unknown, the text names `count` elements
 * instead. `own_op`: as in struct view. Returns text, which has CALL_WORDS bytes.
 */
const char *call_words(enum collective c, int64_t bytes, int64_t count, int root, int own_op, char *text);

/*
 * "rank 2 (1 in MPI_COMM_WORLD)", for a rank of a communicator. `world`: its rank in MPI_COMM_WORLD, or negative if unknown.
 * The text omits `world` if that is unknown or equal to `rank`. Returns text, which has RANK_WORDS bytes.
 */
const char *rank_words(int rank, int world, char *text);
