/* SPDX-License-Identifier: BSD-2-Clause */
/* A hash table for entries that the caller keeps in an array. It maps a key to the number of its entry in the array. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_slot {
    uint64_t hash;
    int64_t entry; /* the number of the entry, plus 1; 0 if the slot is free */
};

struct index {
    struct index_slot *slot; /* the caller frees it */
    size_t slots;            /* a power of two, or 0 */
};

/* Does this entry have the key? */
typedef bool index_same(const void *entries, int64_t entry, const void *key);

/*
 * array_reserve() makes room for `entries` entries in all, of `size` bytes each, in *array, which the caller frees. *room is
 * the number of entries for which *array has room. index_reserve() makes room for `entries` entries in an index. Both return
 * false and change nothing if memory is short.
 */
bool array_reserve(void *array, int64_t *room, int64_t entries, size_t size);
bool index_reserve(struct index *x, int64_t entries);

/* The number of the entry with this key; -1 if there is none. */
int64_t index_find(const struct index *x, uint64_t hash, index_same *same, const void *entries, const void *key);

/* Adds an entry, which is not in the index yet. index_reserve() must have made room for it. */
void index_add(struct index *x, uint64_t hash, int64_t entry);

void index_clear(struct index *x);
