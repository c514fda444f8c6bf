/* SPDX-License-Identifier: BSD-2-Clause */
/* See segment_counter.h. */
#include "segment_counter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int64_t counter_now(const struct counter *c)
{
    return c->count > 0 ? c->value[c->count - 1] : 0;
}

int counter_first(const struct counter *c, int64_t value)
{
    int low = 0, high = c->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (c->value[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t *counter_clock(const struct counter *c, int index, int ranks)
{
    return c->clock + (size_t)index * (size_t)ranks;
}

static bool enlarge(int64_t **memory, size_t count)
{
    int64_t *larger = realloc(*memory, count * sizeof *larger);
    if (larger)
        *memory = larger;
    return larger != NULL;
}

bool counter_add(struct counter *c, int64_t value, int64_t time, const int64_t *clock, int ranks)
{
    const size_t row = (size_t)ranks;
    assert(value > counter_now(c));
    if (c->count == c->room) {
        const size_t room = 2 * (size_t)c->room + 16;
        if (!enlarge(&c->value, room) || !enlarge(&c->time, room) || !enlarge(&c->clock, room * row))
            return false;
        c->room = (int)room;
    }
    c->value[c->count] = value;
    c->time[c->count] = time;
    memcpy(counter_clock(c, c->count++, ranks), clock, row * sizeof *clock);
    return true;
}

void counter_drop(struct counter *c)
{
    free(c->value);
    free(c->time);
    free(c->clock);
}

void clock_join(int64_t *clock, const int64_t *other, int ranks)
{
    for (int r = 0; r < ranks; r++)
        clock[r] = clock[r] > other[r] ? clock[r] : other[r];
}
