/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash table: from a key to the number of its entry in the caller's array. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_slot {
    uint64_t hash;
    int64_t entry; /* its number plus 1; 0: free */
};

struct index {
    struct index_slot *slot; /* the caller frees it */
    size_t slots;            /* a power of two, or 0 */
};

typedef bool index_same(const void *entries, int64_t entry, const void *key);

/*
 * Make room for `entries` entries in all: in *array, which the caller frees and which has room for *room entries of `size`
 * bytes, or in an index. Return false, and change nothing, if memory is short.
 */
bool array_reserve(void *array, int64_t *room, int64_t entries, size_t size);
bool index_reserve(struct index *x, int64_t entries);

/* Returns -1 if there is none. */
int64_t index_find(const struct index *x, uint64_t hash, index_same *same, const void *entries, const void *key);

/* The entry is new, and index_reserve() has made room. */
void index_add(struct index *x, uint64_t hash, int64_t entry);

void index_clear(struct index *x);
