/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines: the algorithms. An engine is one file (citation, example, invariants, generator, round bound) and one line in the
 * registry; parsers, simulator, tests, executor, command and manual loop over the registry. What the model may take stands
 * in engines/, what papers only compare with in reference/. Derivations and proofs are in doc/.
 *
 * An element of an all-reduce is computed on one rank and copied to the others, so all get the same bits. The order of its
 * operands depends on engine, ranks, nodes and count alone; see order_varies for the exceptions.
 */
#ifndef PLEACH_ENGINE_H
#define PLEACH_ENGINE_H

#include "need.h"
#include "schedule.h"

/* rounds <= slope * blocks + latency, and time = rounds * (time of one block). */
struct round_bound {
    double slope;   /* rounds per block */
    double latency; /* rounds until the pipeline is full */
};

/* What goes on at a rank, on its node and between nodes: exchanges, and multiples of the message that it sends. */
struct rank_work {
    struct {
        double rounds, sent;
    } on_node, between;
    double folded; /* multiples of the message that it folds, or copies */
};

/* How an engine serves one collective. A collective that it does not serve has no `text.rounds`. */
struct service {
    /* For people: p ranks, n blocks, q = ceil(log2 p), h = floor(log2 p). */
    struct {
        const char *rounds;   /* bound on the rounds */
        const char *interior; /* the same for shape_interior(), where it is another; else NULL */
    } text;

    enum need needs; /* what a shape must have for the engine to fit */

    /* The bound in numbers; it may be tight for this shape's own number of blocks alone. NULL for native alone. */
    struct round_bound (*round_bound)(const struct shape *shape);

    /*
     * What a rank has to do at most; of engines that have a part of the message for each rank, and pieces as large as may
     * be. Their number of blocks follows from that. NULL for all others.
     */
    struct rank_work (*work)(const struct shape *shape);

    /*
     * Seconds until all ranks have the first block, or have sent theirs, by the reach of the places. NULL: it is not told.
     */
    double (*first)(const struct shape *shape);

    /* Adds the lanes to a schedule that has begun, for two ranks or more, or sets its refill. NULL for native alone. */
    void (*generate)(struct schedule *s);

    /* An allreduce among 2^k ranks combines operands in the pairs of (0+1)+(2+3) .., as native ones may do. */
    bool pairs;

    /* What the cost model knows of it. */
    struct {
        /*
         * The papers compare with it, and another engine is always better: the model leaves it out. It serves where it is
         * named. Files of which this is true as a whole stand in reference/.
         */
        bool reference;

        /*
         * Its messages are streams: no rank waits in every round for one that waits for it. Then a round costs a gap, and
         * alpha is paid only until the pipeline is full. (What senders wait for receivers it leaves out.)
         */
        bool streams;

        /*
         * How often the message leaves a node, on the average, where nodes have several consecutive ranks; 0 if that is no
         * more than the slope of the round bound.
         */
        double crossings;

        /* It serves messages below the threshold, too, where places are far apart (struct machine). */
        bool brief;

        /* Between two places blocks go both ways, and each way waits for the other. */
        bool both_ways;

        /* The order of a reduction's operands depends on the number of blocks, as on nothing else it may. */
        bool order_varies;
    } model;

    /* What the executor has to heed. */
    struct {
        /*
         * Reads blocks of IN after it has written them in OUT. Where MPI_IN_PLACE makes them the same memory, the executor
         * gives it a copy of the input; that takes as much scratch memory as the message, on all ranks.
         */
        bool keeps_input;

        /*
         * The ranks form a chain: each receives from one other alone and sends to one alone. So messages never meet at a
         * port, and senders need not wait for their receivers; see src/run.
         */
        bool chained;
    } executor;
};

/* For which machines an engine is made; the model takes it on no others. */
enum made_for {
    MADE_FOR_ALL,
    MADE_FOR_ONE_A_NODE, /* many ranks of a node would cross its network card: bad where several nodes have several ranks */
    MADE_FOR_MANY_A_NODE /* gains nothing but where several nodes have several ranks */
};

struct engine {
    const char *name;    /* as users write it; lower case */
    const char *summary; /* one line for `pleach engines` and the manual */
    int trees;           /* 1, or 2 if each carries one half of the blocks (see cut.h); of no meaning with `work` */
    int scratch;         /* scratch slots used, T0 .. T(scratch-1), each with room for a piece */
    enum made_for made_for;
    bool simplex; /* no exchange both sends and receives; none of the registry's */
    struct service serves[COLLECTIVES];
};

/* The registry: NULL-terminated; row 0 is native. */
extern const struct engine *const engines[];

/* Number of rows in the registry. */
int engine_count(void);

/* The engine of that name, or NULL. */
const struct engine *engine_find(const char *name);

/* Row of an engine in the registry. */
int engine_row(const struct engine *e);

/* Does the engine have a schedule for this shape? (Native has none.) */
bool engine_fits(const struct engine *e, const struct shape *shape);

/* The parts of a message among so many ranks; see cut.h. */
int engine_parts(const struct engine *e, enum collective c, int ranks);

/* Makes the schedule of one rank in a shape that the engine fits. */
void engine_start(const struct engine *e, struct schedule *s, const struct shape *shape, int rank);

/* Must the shape keep the order of operands at a root that is neither the first nor the last rank? */
bool shape_interior(const struct shape *shape);

/* The rank that comes `distance` ranks after another, -p .. p, around the end. So a rank's position is that after -root. */
int rank_after(const struct shape *shape, int rank, int64_t distance);

/* ceil(log2 p) for p >= 1. */
int ceil_log2(int64_t p);

#endif
