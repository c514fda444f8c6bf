/* SPDX-License-Identifier: BSD-2-Clause */
/* Message buffers with borders, full of a canary pattern that differs between ranks. */
#ifndef TESTS_BUFFERS_H
#define TESTS_BUFFERS_H

#include "ops.h"

#include <stdint.h>

struct buffer {
    char *memory;
    size_t bytes;
    char *base; /* the address for MPI */
    const struct type *type;
    MPI_Count count;
};

/* A random number. The same seed gives the same numbers on each rank. */
uint64_t random_next(uint64_t *state);
uint64_t random_hash(uint64_t seed, const char *text);

struct buffer buffer_create(const struct type *type, MPI_Count count);
struct buffer buffer_copy(const struct buffer *b);
void buffer_free(struct buffer *b);

/* Fills in random data for `op` (NULL: any bits); the gaps between them keep the canary. */
void buffer_fill(struct buffer *b, const struct op *op, uint64_t seed);

/* Takes the data from `from`, but bytes that no arithmetic defines from `undefined`. */
void buffer_overlay(struct buffer *b, const struct buffer *from, const struct buffer *undefined);

/* The first byte that differs, relative to base; returns false when all are equal. */
bool buffer_differs(const struct buffer *a, const struct buffer *b, ptrdiff_t *where);

#endif
