/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulator: proof by execution that a schedule is right, without MPI and without numbers.
 *
 * All ranks run their generators under strict rendezvous: an exchange completes only when both its legs have met their
 * counterpart, and nothing is buffered. A block's value is the interval of ranks it has combined; a fold is legal only if
 * the intervals touch in order, which proves the result for every associative operation, commutative or not. For shapes
 * that need no order, a value is the sum of random weights of the ranks combined and their number, which is right only if
 * every rank is in it exactly once. An exchange is one round; under the simplex rule it has one leg.
 */
#ifndef PLEACH_SIMULATE_H
#define PLEACH_SIMULATE_H

#include "engine.h"

/*
 * The most blocks that a place received from other places, and the most that one sent to others; a rank alone is one, too.
 */
struct boundary {
    int64_t in, out;
};

enum { BOUNDARIES = PLACES_DEPTH + 2 };

struct verdict {
    bool ok;
    int64_t rounds;   /* longest chain of exchanges, each as early as rendezvous lets it be */
    int64_t messages; /* messages sent by all ranks */
    int64_t crossing; /* blocks sent between ranks of different nodes; 0 if the shape does not tell the nodes */
    int talkers;      /* most ranks on one node that exchange anything with other nodes; likewise */
    /* Of places with the root in them, and of the others: the parts of all, their parts, ..; 0 if places are not told. */
    struct boundary with_root[BOUNDARIES], without_root[BOUNDARIES];
    char why[256]; /* the first thing wrong, with rank and step; "" if ok */
};

/* A source of schedules: an engine, or a mutant of one in the tests. Called once per rank. */
struct generator {
    void (*start)(void *self, struct schedule *s, const struct shape *shape, int rank);
    bool (*next)(void *self, struct schedule *s, struct step *step, int rank);
    void *self;
    int scratch;      /* scratch slots it may use */
    bool simplex;     /* one-direction rule: an exchange that both sends and receives is illegal */
    bool keeps_input; /* as in struct service: with MPI_IN_PLACE, IN is a copy */
};

/*
 * Runs one shape. `in_place`: IN and OUT are the same memory, where MPI has MPI_IN_PLACE. Returns false with v->why set if
 * the schedule deadlocks, breaks a rule or delivers anything wrong. Allocates O(p*n), and frees it.
 */
bool simulate(const struct generator *g, const struct shape *shape, bool in_place, struct verdict *v);

/* The same for an engine that fits, both with and without MPI_IN_PLACE, and the rounds held against its bound. */
bool simulate_engine(const struct engine *e, const struct shape *shape, struct verdict *v);

/* The engine's bound on the rounds of a shape. */
int64_t simulate_bound(const struct engine *e, const struct shape *shape);

#endif
