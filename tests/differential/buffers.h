/* SPDX-License-Identifier: BSD-2-Clause */
/* Message buffers between borders. Borders and gaps hold a canary pattern, which differs between ranks. */
#pragma once

#include "ops.h"

#include <stdint.h>

struct buffer {
    char *memory;
    size_t bytes;
    char *base; /* the address that MPI gets */
    const struct type *type;
    MPI_Count count;
};

/*
 * The next random number, and a random number that follows from a seed and a text. Ranks with equal seeds and texts get
 * equal numbers.
 */
uint64_t random_next(uint64_t *state);
uint64_t random_hash(uint64_t seed, const char *text);

struct buffer buffer_create(const struct type *type, MPI_Count count);
struct buffer buffer_copy(const struct buffer *b);
void buffer_free(struct buffer *b);

/* Fills in random data on which `op` gives defined results, or any bits if `op` is NULL. Gaps keep the canary. */
void buffer_fill(struct buffer *b, const struct op *op, uint64_t seed);

/*
 * Copies the data of `from`. Bytes that no arithmetic defines, as padding of a long double, come from `undefined`, and so
 * do the gaps of elements if operations write there.
 */
void buffer_overlay(struct buffer *b, const struct buffer *from, const struct buffer *undefined);

/* Sets *where to the first byte that differs, relative to base. Returns false if all bytes are equal. */
bool buffer_differs(const struct buffer *a, const struct buffer *b, ptrdiff_t *where);
