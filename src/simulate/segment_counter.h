/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters for the simulator of segments. A counter keeps all values that it has had. Each comes with a vector clock, which
 * says for each rank how many of its steps come before the store of that value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct counter {
    int64_t *value, *time; /* the values grow; time: the most blocks moved one after the other before the store */
    int64_t *clock;        /* [value][rank] */
    int count, room;
};

/* The value that the counter has; 0 at the beginning. */
int64_t counter_now(const struct counter *c);

/* Index of the first value that is at least `value`; c->count if there is none yet. */
int counter_first(const struct counter *c, int64_t value);

/* The clock of the value with this index: one number for each rank. The pointer is valid until the next counter_add(). */
int64_t *counter_clock(const struct counter *c, int index, int ranks);

/*
 * Adds a value, which must be greater than the one before. Copies the clock. Returns false, and leaves the counter as it is,
 * if memory is short.
 */
bool counter_add(struct counter *c, int64_t value, int64_t time, const int64_t *clock, int ranks);

void counter_drop(struct counter *c);

/* Sets each number of `clock` to the greater one of both clocks. */
void clock_join(int64_t *clock, const int64_t *other, int ranks);
