/* SPDX-License-Identifier: BSD-2-Clause */
/* Open addressing, at most half full. */
#include "index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool array_reserve(void *array, int64_t *room, int64_t entries, size_t size)
{
    if (entries <= *room)
        return true;
    int64_t more = entries < 2 * *room ? 2 * *room : entries;
    void *old, *memory;
    memcpy(&old, array, sizeof old);
    if (!(memory = realloc(old, (size_t)more * size)))
        return false;
    memcpy(array, &memory, sizeof memory);
    *room = more;
    return true;
}

bool index_reserve(struct index *x, int64_t entries)
{
    size_t slots = x->slots ? x->slots : 64;
    while (slots < 2 * (size_t)entries)
        slots *= 2;
    if (slots == x->slots)
        return true;
    struct index larger = {calloc(slots, sizeof *x->slot), slots};
    if (!larger.slot)
        return false;
    for (size_t i = 0; i < x->slots; i++)
        if (x->slot[i].entry)
            index_add(&larger, x->slot[i].hash, x->slot[i].entry - 1);
    free(x->slot);
    *x = larger;
    return true;
}

int64_t index_find(const struct index *x, uint64_t hash, index_same *same, const void *entries, const void *key)
{
    for (size_t i = hash; x->slots; i++) {
        const struct index_slot *s = &x->slot[i & (x->slots - 1)];
        if (!s->entry)
            break;
        if (s->hash == hash && same(entries, s->entry - 1, key))
            return s->entry - 1;
    }
    return -1;
}

void index_add(struct index *x, uint64_t hash, int64_t entry)
{
    size_t i = hash & (x->slots - 1);
    assert(x->slots);
    while (x->slot[i].entry)
        i = (i + 1) & (x->slots - 1);
    x->slot[i] = (struct index_slot){hash, entry + 1};
}

void index_clear(struct index *x)
{
    if (x->slots)
        memset(x->slot, 0, x->slots * sizeof *x->slot);
}
