/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The budget of a communicator: what its measurements may spend.
 *
 * Each call earns the time that its engine saves by the model, and a hundredth of the native call's time. A measurement
 * begins once the calls have earned what it costs by the model, less an advance: the time of ten native calls like the
 * longest so far. It ends when it has spent all of this. The next one begins when the calls have paid back the advance, too.
 *
 * On a network, both times depend on wires that nobody knows. So the ranks first look: they find out what one message takes
 * there while all nodes exchange messages. A look costs less than a call.
 *
 * The budget is the same on all ranks, as it follows from calls, settings and what the ranks have shared. It is pure.
 */
#pragma once

#include "question.h"

/* Bytes of the message of a look. By hand: what an idle card takes at once is less. */
enum { LOOK_BYTES = 32 << 10 };

/*
 * Numbers of measurements, from which their cost follows. By hand: a broadcast of 2 MiB among 16 ranks takes 1 ms, and a
 * network may be slow: LARGE_NETWORK bytes take 5 ms at 100 Mbit/s.
 */
enum {
    SAMPLE_BATCHES = 3,        /* batches of a sample after the first, which gives the number of repetitions */
    LARGE_NETWORK = 64 << 10,  /* bytes of the largest message in a ring of nodes */
    LARGE_NODE = LARGEST_BLOCK /* and of ranks on a node; caches make smaller blocks cheaper there */
};
static const double BATCH_SECONDS = 0.5e-3; /* a batch repeats its work for about this time, a tenth of a time slice */
static const double LONGEST_NATIVE = 2e-3;  /* seconds; a size is left out if its native call would take longer */

/* All zeros at first. Times are in nanoseconds. */
struct budget {
    int64_t earned;         /* by the calls so far */
    int64_t spent;          /* by measurements so far, on the rank where each took longest */
    int64_t needs;          /* the next measurement begins once so much is earned; see budget_note() */
    bool looked;            /* the ranks have looked */
    struct figures message; /* what they saw: figures between nodes */
    int doublings;          /* the advance is divided by two so many times; set by ACTION_INHERIT */
    struct facts longest;   /* of the call that takes longest natively, without its machine; 0 bytes: none */
};

/* What a call with these facts and this plan earns. */
int64_t budget_earns(const struct budget *b, const struct settings *s, const struct question *q, const struct plan *plan);

/* Notes that the ranks make a call to which figures matter. Sets b->needs. */
void budget_note(struct budget *b, const struct settings *s, const struct facts *f);

/* The seconds that ACTION_MEASURE takes by the model if nothing disturbs it. */
double budget_cost(const struct budget *b, const struct settings *s, const struct machine *m);

/* The seconds that a measurement may spend now. */
double budget_left(const struct budget *b, const struct settings *s, const struct machine *m);

/* Do the ranks look before they measure? */
static inline bool budget_looks(const struct budget *b, const struct machine *m)
{
    return m->nodes > 1 && !m->measured && !b->looked;
}

/* May the machine be measured now? */
bool budget_suffices(const struct budget *b, const struct settings *s, const struct machine *m);

/* May the next measurement, or the look before it, begin? */
static inline bool budget_due(const struct budget *b)
{
    return b->longest.bytes > 0 && b->earned >= b->needs;
}

/* The nanoseconds that measurements have spent and calls have not earned. */
static inline uint64_t budget_debt(const struct budget *b)
{
    return b->spent > b->earned ? (uint64_t)(b->spent - b->earned) : 0;
}
