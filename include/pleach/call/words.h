/* SPDX-License-Identifier: BSD-2-Clause */
/* Words for calls and ranks. */
#pragma once

#include "facts.h"

#include <stddef.h>
#include <stdint.h>

/* "comm-84000003", from the bits of a handle without a name. Returns text. */
const char *comm_words(uintptr_t handle, char *text, size_t size);

/* "MPI_Bcast", .. */
const char *call_name(enum collective c);

enum { CALL_WORDS = 96, RANK_WORDS = 48 }; /* bytes, with the NUL */

/* "MPI_Reduce (MPI_SUM) of 800 bytes to root 0"; of `count` elements if bytes < 0. Text has CALL_WORDS bytes. Returns it. */
const char *call_words(enum collective c, int64_t bytes, int64_t count, int root, int own_op, char *text);

/* "rank 2 (1 in MPI_COMM_WORLD)"; `world` < 0: unknown, and omitted, as if equal. Text has RANK_WORDS bytes. Returns it. */
const char *rank_words(int rank, int world, char *text);
