/* SPDX-License-Identifier: BSD-2-Clause */
/* An index of entries that the caller keeps in an array: a hash table that tells their numbers. */
#ifndef PLEACH_INDEX_H
#define PLEACH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_slot {
    uint64_t hash;
    int64_t entry; /* its number and 1; 0: the slot is free */
};

struct index {
    struct index_slot *slot; /* to be freed */
    size_t slots;            /* a power of two, or 0 */
};

/* Is this entry the one that is looked for? */
typedef bool index_same(const void *entries, int64_t entry, const void *key);

/*
 * Makes room for so many entries in all, in an index; and in *array, of which each takes `size` bytes, and where *room says
 * how many it takes. False: out of memory; all is as it was.
 */
bool array_reserve(void *array, int64_t *room, int64_t entries, size_t size);
bool index_reserve(struct index *x, int64_t entries);

/* The number of the entry, or -1. */
int64_t index_find(const struct index *x, uint64_t hash, index_same *same, const void *entries, const void *key);

/* Adds an entry that is not there; there is room. */
void index_add(struct index *x, uint64_t hash, int64_t entry);

/* Forgets all entries. */
void index_clear(struct index *x);

#endif
