/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simulator proves by execution that a schedule is right, without MPI and without data.
 *
 * All ranks run their generators under strict rendezvous: an exchange completes when both its legs have met their
 * counterparts. A block's value is the interval of ranks that it combines, and a fold is legal only if its operands'
 * intervals adjoin. So the result is right for every associative operation. For shapes that need no order, a value is the
 * number of ranks and the sum of their random weights. An exchange is one round; under the simplex rule it has one leg.
 */
#pragma once

#include "engine.h"
#include "lanes.h"
#include "place_tree.h"

/* Most blocks that a place, or a rank, received from others and sent to others. */
struct boundary {
    int64_t in, out;
};

enum { BOUNDARIES = PLACES_DEPTH + 2 };

struct verdict {
    bool ok;
    int64_t rounds; /* longest chain of exchanges; in a segment, of blocks copied or folded */
    int64_t messages;
    int64_t crossing; /* blocks between nodes; 0 if the shape has none */
    int talkers;      /* most ranks of a node that exchange with others; 0 likewise */
    /* By level, the outermost first: places with the root, and others. */
    struct boundary with_root[BOUNDARIES], without_root[BOUNDARIES];
    double moved;   /* in a segment: loads and stores, in multiples of the message */
    double busiest; /* those of the busiest rank */
    char why[256];  /* first error, with rank and step; or "" */
};

/* An engine or, in tests, a mutant. `start`: once for each rank of a call. */
struct generator {
    void (*start)(void *self, struct walk *w, const struct shape *shape, int rank);
    bool (*next)(void *self, struct walk *w, struct step *step, int rank);
    void *self;
    int scratch;      /* slots that it may use */
    bool simplex;     /* no exchange both sends and receives */
    bool keeps_input; /* as in struct service */
};

/*
 * Simulates a shape. `in_place`: IN and OUT are the same where MPI_IN_PLACE may be passed. Returns false, with v->why, after
 * a deadlock, a broken rule or a wrong result, or if memory is short.
 */
bool simulate(const struct generator *g, const struct shape *shape, bool in_place, struct verdict *v);

/* One of several operations in a row. */
struct segment_call {
    const struct generator *generator;
    const struct shape *shape; /* with several nodes, shape[n] is node n's */
    bool in_place;
    int64_t width; /* spots of a cell */
    bool small;    /* the cells are small ones, beside the turns; the width is 1 */
};

/*
 * Simulates operations in a row, without a barrier, through a segment of so many `spots`, which each call's `width` divides;
 * shapes have equally many ranks. Vector clocks find each race, of cells and of notes of rounds, in whatever order ranks
 * run: what a rank has waited for must order all writes to a block before its reads, and all accesses before its writes. One
 * order is enough: a schedule has no branches and waits only for counters that grow.
 *
 * In groups (segment.h), a rank may learn from `gathered` that cells are free, and then learns as much as from the ranks. So
 * a schedule without races has none in groups, if `gathered` is never too high.
 */
bool simulate_segment(const struct segment_call *calls, int count, int spots, int group, struct verdict *v);

/*
 * The same for nodes with a segment each. A call is one of each node's ranks or, with ports, a stage with messages between
 * nodes. Ranks are positions in the list of nodes. A call's shapes have equally many blocks, and ports.self 0.
 */
bool simulate_segments(const struct segment_call *calls, int count, int spots, int group, const struct node_list *nodes,
                       struct verdict *v);

/* Simulates an engine that fits, with and without MPI_IN_PLACE, and checks its bound on the rounds. */
bool simulate_engine(const struct engine *e, const struct shape *shape, struct verdict *v);

/* The same with the simplex rule, or without it. */
bool simulate_engine_by(const struct engine *e, const struct shape *shape, bool simplex, struct verdict *v);

int64_t simulate_bound(const struct engine *e, const struct shape *shape);
