/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The budget of a communicator's measurements. The same on all ranks, and pure.
 *
 * A call earns the time that its engine saves by the model, and a hundredth of the native call's. A measurement begins once
 * its cost is earned, less an advance: ten native calls like the longest so far. The next begins once that is paid back.
 * Between nodes, ranks first look: what does one message take while all nodes exchange? That costs less than a call.
 */
#pragma once

#include "question.h"

enum { LOOK_BYTES = 32 << 10 };

/* The numbers of measurements, from which their cost follows. */
enum {
    SAMPLE_BATCHES = 3,        /* after the first one, which gives the repetitions */
    LARGE_NETWORK = 64 << 10,  /* the largest message in a ring of nodes */
    LARGE_NODE = LARGEST_BLOCK /* of ranks on a node */
};
static const double BATCH_SECONDS = 0.5e-3;
static const double LONGEST_NATIVE = 2e-3; /* a size is left out if its native call would take longer */

/* All zeros at first. In nanoseconds. */
struct budget {
    int64_t earned;
    int64_t spent; /* summed over the slowest rank of each measurement */
    int64_t needs; /* `earned` when the next measurement begins */
    bool looked;
    struct figures message; /* of the look: figures between nodes */
    int doublings;          /* of the divisor of the advance; set by ACTION_INHERIT */
    struct facts longest;   /* the longest native call, without its machine; 0 bytes: none */
};

int64_t budget_earns(const struct budget *b, const struct settings *s, const struct question *q, const struct plan *plan);

/* Notes a call to which figures matter. Sets b->needs. */
void budget_note(struct budget *b, const struct settings *s, const struct facts *f);

/* Predicted seconds of ACTION_MEASURE. */
double budget_cost(const struct budget *b, const struct settings *s, const struct machine *m);

/* Seconds that a measurement may spend now. */
double budget_left(const struct budget *b, const struct settings *s, const struct machine *m);

static inline bool budget_looks(const struct budget *b, const struct machine *m)
{
    return m->nodes > 1 && !m->measured && !b->looked;
}

/* May the machine be measured now? */
bool budget_suffices(const struct budget *b, const struct settings *s, const struct machine *m);

/* May a measurement or look begin? */
static inline bool budget_due(const struct budget *b)
{
    return b->longest.bytes > 0 && b->earned >= b->needs;
}

static inline uint64_t budget_debt(const struct budget *b)
{
    return b->spent > b->earned ? (uint64_t)(b->spent - b->earned) : 0;
}
