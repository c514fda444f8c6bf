/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulator proves by execution that a schedule is right, without MPI and without data.
 *
 * All ranks run their generators under strict rendezvous. No message is buffered: an exchange completes only when both its
 * legs, the send and the receive, have met their counterparts. The value of a block is the interval of ranks that it
 * combines, and a fold is legal only if the second interval begins where the first ends. This proves the result for every
 * associative operation, commutative or not. For shapes that need no order, a value is the number of combined ranks and the
 * sum of their random weights: the value is right only if it has every rank exactly once. An exchange is one round; under
 * the simplex rule it has one leg.
 */
#pragma once

#include "engine.h"
#include "lanes.h"
#include "place_tree.h"

/* The most blocks that a place received from others, and the most that a place sent to others. A rank is a place, too. */
struct boundary {
    int64_t in, out;
};

enum { BOUNDARIES = PLACES_DEPTH + 2 };

struct verdict {
    bool ok;
    int64_t rounds;   /* longest chain of exchanges; in a segment, of blocks that are copied or folded */
    int64_t messages; /* messages sent by all ranks */
    int64_t crossing; /* blocks sent between ranks of different nodes; 0 if the shape has no nodes */
    int talkers;      /* most ranks on one node that exchange blocks with other nodes; 0 if the shape has no nodes */
    /* For each level, the outermost first: places that contain the root, and other places; 0 if the shape has no places. */
    struct boundary with_root[BOUNDARIES], without_root[BOUNDARIES];
    double moved;   /* in a segment: loads and stores of all ranks, in multiples of the message */
    double busiest; /* those of the rank that has most of them */
    char why[256];  /* the first error, with rank and step; "" if ok */
};

/* A source of schedules: an engine or, in the tests, a mutant. `start` is called once for each rank of a simulated call. */
struct generator {
    void (*start)(void *self, struct walk *w, const struct shape *shape, int rank);
    bool (*next)(void *self, struct walk *w, struct step *step, int rank);
    void *self;
    int scratch;      /* number of scratch slots that it may use */
    bool simplex;     /* the simplex rule: an exchange that both sends and receives is illegal */
    bool keeps_input; /* as in struct service: with MPI_IN_PLACE, IN is a copy */
};

/*
 * Simulates a shape. `in_place`: IN and OUT are the same memory on ranks that may pass MPI_IN_PLACE. Returns false, with
 * v->why set, if the schedule deadlocks, breaks a rule or delivers a wrong result, or if memory is short. Needs O(p*n)
 * memory.
 */
bool simulate(const struct generator *g, const struct shape *shape, bool in_place, struct verdict *v);

/* One of several operations that go through the same segment, one after the other. */
struct segment_call {
    const struct generator *generator;
    const struct shape *shape; /* with several nodes, shape[n] is that of node n */
    bool in_place;
    int64_t width; /* spots of a cell */
};

/*
 * Simulates operations that go through a segment whose ranks have rings of `spots` spots. Each call's `width` divides that.
 * The shapes have equally many ranks. No barrier separates the operations. Vector clocks find each race, although the ranks
 * run in one order only: the counters for which a rank has waited must ensure that all earlier writes to a block are over
 * when the rank reads it, and that all earlier reads and writes are over when the rank writes it. The notes of rounds are
 * memory, too. One order is enough: a schedule has no branches, and waits only for counters that grow. A rank that has
 * waited takes over the clock of the first value that suffices. Needs O(steps * ranks) memory.
 *
 * If groups have more than one rank (segment.h), a rank may learn from `gathered` that cells are free. From there it learns
 * at least as much as from the ranks themselves. So a schedule that has no races without groups has none with groups, if
 * `gathered` is never too high.
 */
bool simulate_segment(const struct segment_call *calls, int count, int spots, int group, struct verdict *v);

/*
 * Does the same for nodes that have a segment each. A call is one of the ranks of each node; or, if its shapes have ports, a
 * stage between the nodes, whose ranks also exchange messages. Ranks are positions in the list of nodes. The shapes of a
 * call have equally many blocks. The caller leaves ports.self at 0.
 */
bool simulate_segments(const struct segment_call *calls, int count, int spots, int group, const struct node_list *nodes,
                       struct verdict *v);

/* Simulates an engine that fits, with and without MPI_IN_PLACE, and compares the rounds with the engine's bound. */
bool simulate_engine(const struct engine *e, const struct shape *shape, struct verdict *v);

/* Does the same with the simplex rule, or without it, whatever the engine. */
bool simulate_engine_by(const struct engine *e, const struct shape *shape, bool simplex, struct verdict *v);

/* The engine's bound on the rounds of a shape. */
int64_t simulate_bound(const struct engine *e, const struct shape *shape);
