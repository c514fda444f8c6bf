/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines: the algorithms. An engine is one file (citation, example, invariants, generator, round bound) and one line in the
 * registry; parsers, simulator, tests, executor and command loop over the registry. The model may take the engines in
 * src/engines; those in src/reference are for comparison, as in papers. Derivations and proofs are in doc/.
 *
 * Each element of an all-reduce is computed on one rank, and the others copy it; in node-flat and node-tree alone, all ranks
 * compute it, from the same operands in the same order. So all ranks get the same bits. The order of an element's operands
 * depends on engine, ranks, root, nodes, places and count alone; see order_varies for exceptions.
 */
#pragma once

#include "cut.h"
#include "need.h"
#include "schedule.h"

/* rounds <= slope * blocks + latency, and time = rounds * (time of one block). */
struct round_bound {
    double slope;   /* rounds per block */
    double latency; /* rounds until the pipeline is full */
};

/* A rank's work on its node and between nodes: exchanges, and multiples of the message that it sends. */
struct rank_work {
    struct {
        double rounds, sent;
    } on_node, between;
    double folded; /* multiples of the message that it folds, or copies after a fold */
};

/* How an engine that goes through a segment cuts the message. */
enum cells {
    CELLS_NONE,  /* the engine goes through no segment */
    CELLS_BLOCK, /* a cell holds one block; a round is a block or, in node-line with many ranks, several */
    CELLS_PARTS, /* the message has a part for each rank; a round has a block of each part, and a cell holds one block */
    CELLS_NODES, /* a cell holds a block of each node, and IN and OUT hold one; see struct ports */
    CELLS_SLICES /* a round is w blocks (shape.wide), at most one for each rank, which fill a cell together */
};

/* The most work of a rank that goes through a segment. */
struct segment_work {
    double copied, folded; /* multiples of the message */
    double either;         /* multiples that one rank copies while another folds as much: the longer time counts */
    double waits;          /* times that the rank waits for others in a block or, with parts or slices, in a round */
    double looks;          /* counters that it reads there besides, for which it seldom waits */
    double fill;           /* such blocks or rounds until the pipeline is full */
    double hops;           /* further waits of the first block until then, once in a call */
};

/* What happens between nodes whose ranks are ports, on the way that takes longest. */
struct port_work {
    int rounds;
    double messages; /* of a node, one after the other */
    double sent;     /* multiples of the message that pass a card */
};

/* An engine's service for one collective. Without `text.rounds` it does not serve that collective. */
struct service {
    /*
     * Texts for people. In them, p is the number of ranks, n that of blocks, w the most blocks at once (service_wide()),
     * q = ceil(log2 p), h = floor(log2 p), g = ceil(sqrt p). "2q for 2m": 2q rounds together move 2m bytes, twice the
     * message.
     */
    struct {
        const char *rounds;   /* bound on the rounds */
        const char *interior; /* the bound where shape_interior() is true, if it is another one; else NULL */
    } text;

    enum need needs; /* what a shape must have for the engine to fit */

    /*
     * The bound in numbers; it may hold only for this shape's number of blocks. NULL if the MPI library makes the calls, if
     * `composed`, and with `trees`, which have a bound of their own: see service_round_bound().
     */
    struct round_bound (*round_bound)(const struct shape *shape);

    /*
     * The most work of a rank, for engines that give each rank a part of the message and make pieces as large as possible.
     * The number of blocks follows from the size of the pieces. NULL for other engines.
     */
    struct rank_work (*work)(const struct shape *shape);

    /*
     * For an engine that goes through a segment. All steps of its schedules are of the kinds that schedule.h allows there.
     * Schedules for at most `one_reader` ranks have schedule.one_reader set. An engine with CELLS_SLICES may not have such
     * schedules, since slices of one cell share cache lines. An engine with `staged` serves shapes with several roots, too,
     * and broadcasts to any readers. If there are several roots, a round has a block of each root's part.
     */
    struct {
        enum cells cells;
        struct segment_work (*work)(const struct shape *shape);
        int one_reader;
        bool staged;
        struct port_work (*ports)(const struct shape *shape); /* with CELLS_NODES */
    } segment;

    /* Seconds, by the reach of places, until all ranks have the first block or have sent it (reduction). NULL: unknown. */
    double (*first)(const struct shape *shape);

    /* Adds lanes to an empty schedule, for two ranks or more, or sets its refill. NULL for native and for lanes. */
    void (*generate)(struct schedule *s);

    /* Its calls are made of calls of other engines; see lanes.h. A schedule is that of its stages between nodes. */
    bool composed;

    /* For an engine over trees: its values for the functions that such engines share. See trees.h. */
    const struct trees *trees;

    /* Properties for the cost model. */
    struct {
        /*
         * The model leaves the engine out: another one is at least as good, or the MPI library makes the calls. The engine
         * serves only where a setting or a rule names it, or where trials have found it best. Trials take algorithms of the
         * MPI library and, for short calls if PLEACH_LEARN names a file, also engines of ours. The file of an engine of ours
         * stands in src/reference if all its services are there for comparison.
         */
        bool reference;

        /*
         * Its messages are streams, as along chains and trees: no rank waits in every round for a rank that waits for it in
         * turn. Then a round costs a gap, and alpha only until the pipeline is full. (This leaves out the time that senders
         * wait for receivers.) False where ranks exchange in both directions by turns, so that each round costs alpha.
         */
        bool streams;

        /*
         * How often the message leaves a node, on average, if nodes have several consecutive ranks. 0 if this number is at
         * most the slope of the round bound: then the model takes the slope.
         */
        double crossings;

        /* It serves messages below the threshold, too, if places are far apart (struct machine). */
        bool below_if_distant;

        /* Blocks go both ways between two places, and each way waits for the other. */
        bool both_ways;

        /* With n = 2^a < p = 2^q blocks, the engine halves the message a times, then exchanges whole blocks, and gathers. */
        bool doubles;

        /* An exception: the order of a reduction's operands depends on the number of blocks, too. */
        bool order_varies;
    } model;

    /* Properties for the executor. */
    struct {
        /*
         * It reads blocks of IN after it has written the same blocks of OUT. If IN and OUT are the same memory, the executor
         * gives it a copy of the input. All ranks take scratch memory for the copy: as much as the message.
         */
        bool keeps_input;

        /*
         * The ranks form a chain: each receives from one rank alone and sends to one rank alone. So messages never meet at a
         * port, and senders need not wait for their receivers; see src/run.
         */
        bool chained;
    } executor;
};

/* The machines that an engine is made for; the model takes it on no others. */
enum made_for {
    MADE_FOR_ALL,
    MADE_FOR_ONE_A_NODE, /* bad if several nodes have several ranks: many of a node's ranks would use its network card */
    MADE_FOR_MANY_A_NODE /* gains nothing unless several nodes have several ranks */
};

/*
 * The algorithms of MPI libraries that engines `native:NAME' stand for; see native.c. Two of them have one number if no
 * collective has both. A set of them has a bit for each collective and number.
 */
enum algorithm {
    ALGORITHM_NONE,
    ALGORITHM_SMP,
    ALGORITHM_BINOMIAL,
    ALGORITHM_SCATTER_RECURSIVE_DOUBLING_ALLGATHER,
    ALGORITHM_SCATTER_RING_ALLGATHER,
    ALGORITHM_TREE,
    ALGORITHM_PIPELINED_TREE,
    ALGORITHMS,
    ALGORITHM_RECURSIVE_DOUBLING = ALGORITHM_BINOMIAL,
    ALGORITHM_REDUCE_SCATTER_GATHER = ALGORITHM_SCATTER_RECURSIVE_DOUBLING_ALLGATHER,
    ALGORITHM_REDUCE_SCATTER_ALLGATHER = ALGORITHM_SCATTER_RECURSIVE_DOUBLING_ALLGATHER,
    ALGORITHM_RING = ALGORITHM_SCATTER_RING_ALLGATHER,
    ALGORITHM_RECURSIVE_MULTIPLYING = ALGORITHM_PIPELINED_TREE
};
_Static_assert(COLLECTIVES *ALGORITHMS <= 64, "algorithm_bit() has a bit for each");

static inline uint64_t algorithm_bit(enum collective c, enum algorithm a)
{
    return UINT64_C(1) << ((int)c * ALGORITHMS + (int)a);
}

struct engine {
    const char *name;    /* as users write it; lower case */
    const char *summary; /* one line for `pleach engines` and the manual */
    bool halves;         /* each of two trees carries one half of the blocks; see engine_parts() */
    int scratch;         /* most scratch slots of its services, T0 .. T(scratch-1), each with room for a piece */
    enum made_for made_for;
    enum algorithm algorithm; /* of `native:NAME': its calls are native calls that use this algorithm */
    struct service serves[COLLECTIVES];
};

/* The registry: NULL-terminated; row 0 is native. */
extern const struct engine *const engines[];

int engine_count(void);

/* The name of row i; NULL behind the last. */
static inline const char *engine_word(int i)
{
    return engines[i] ? engines[i]->name : NULL;
}

/* The engine of that name, or NULL. */
const struct engine *engine_find(const char *name);

int engine_row(const struct engine *e);

/* The number of the messages that ranks send each other; see release.c. */
#define WIRE_PROTOCOL "30"

/* Mixes into the hash h what ranks and files of rules must know of an engine alike. */
uint64_t engine_hash(uint64_t h, const struct engine *e);

/* Such a hash, with the wire protocol, for files. It is not 0. */
uint32_t engine_mark(const struct engine *e);

/* Does the MPI library make the engine's calls? It does for `native' and each `native:NAME'. */
static inline bool engine_by_mpi(const struct engine *e)
{
    return e == engines[0] || e->algorithm;
}

/* Does the engine have a schedule or, if it is composed, stages for this shape? (Native engines have neither.) */
bool engine_fits(const struct engine *e, const struct shape *shape);

/* The bound on the rounds of a service that has schedules. */
struct round_bound service_round_bound(const struct service *s, const struct shape *shape);

/*
 * The most blocks that a service takes at once, in a message or in a round of slices, if `wide` is the most that the caller
 * wants. shape.wide is never above it. Not for composed services.
 */
int64_t service_wide(const struct service *s, int ranks, int64_t wide);

/* The number of parts of a message in that shape; see cut.h. */
int64_t engine_parts(const struct engine *e, const struct shape *shape);

/* Makes the schedule of one rank. The engine fits the shape, and has `generate`. schedule_in() has given the memory. */
void engine_make(const struct engine *e, struct schedule *s, const struct shape *shape, int rank);

/* Makes the schedule, and puts the cursor at its beginning. */
void engine_walk(const struct engine *e, struct walk *w, const struct shape *shape, int rank);
