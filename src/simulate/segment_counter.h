/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters with all their values, and for each a vector clock: the steps of each rank before its store. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct counter {
    int64_t *value, *time; /* values grow; time: longest chain of blocks before the store */
    int64_t *clock;        /* [value][rank] */
    int count, room;
};

/* 0 at first. */
int64_t counter_now(const struct counter *c);

/* The index of the first value that is at least `value`, or c->count. */
int counter_first(const struct counter *c, int64_t value);

/* The clock of a value, valid until counter_add(). */
int64_t *counter_clock(const struct counter *c, int index, int ranks);

/* Adds a greater value. Returns false, unchanged, if memory is short. */
bool counter_add(struct counter *c, int64_t value, int64_t time, const int64_t *clock, int ranks);

void counter_drop(struct counter *c);

/* The greater of both, by rank. */
void clock_join(int64_t *clock, const int64_t *other, int ranks);
