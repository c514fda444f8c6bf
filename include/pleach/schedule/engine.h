/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines: the algorithms. An engine is one file and one line in the registry; see HACKING.
 *
 * Each element of an all-reduce is computed on one rank, and the others copy it; in node-flat and node-tree alone, all ranks
 * compute it, from the same operands in the same order. So all ranks get the same bits. The order of an element's operands
 * depends on engine, ranks, root, nodes, places and count alone; see order_varies for exceptions.
 */
#pragma once

#include "cut.h"
#include "need.h"
#include "schedule.h"

/* rounds <= slope * blocks + latency; a round takes the time of one block. */
struct round_bound {
    double slope;
    double latency;
};

/* A rank's work: exchanges, and multiples of the message that it sends, on its node and between nodes. */
struct rank_work {
    struct {
        double rounds, sent;
    } on_node, between;
    double folded; /* multiples of the message; also copies after a fold */
};

/* How an engine cuts the message for a segment. */
enum cells {
    CELLS_NONE,
    CELLS_BLOCK, /* a cell holds a block; a round is a block or, in node-line with many ranks, several */
    CELLS_PARTS, /* a part for each rank; a round has a block of each part, a cell holds one */
    CELLS_NODES, /* a cell holds a block of each node, IN and OUT hold one; see struct ports */
    CELLS_SLICES /* a round is w blocks (shape.wide), at most one for each rank, which fill a cell together */
};

/* The most work of a rank that goes through a segment. */
struct segment_work {
    double copied, folded; /* multiples of the message */
    double either;         /* multiples that one rank copies while another folds as much: the longer time counts */
    double waits;          /* for others, in a block or, with parts or slices, in a round */
    double looks;          /* counters read there besides, with hardly a wait */
    double fill;           /* such blocks or rounds until the pipeline is full */
    double hops;           /* further waits of the first block, once in a call */
};

struct port_work {
    int rounds;
    double messages; /* of a node, one after the other */
    double sent;     /* multiples of the message that pass a card */
};

/* An engine's service for one collective; no service without `text.rounds`. */
struct service {
    /*
     * Bounds on the rounds, for people, with p ranks, n blocks, w blocks at once (service_wide()), q = ceil(log2 p), h =
     * floor(log2 p), g = ceil(sqrt p). "2q for 2m": 2q rounds together move 2m bytes.
     */
    struct {
        const char *rounds;
        const char *interior; /* where shape_interior(), if it differs; else NULL */
    } text;

    enum need needs; /* what a shape must have for the engine to fit */

    /*
     * It may hold only for this shape's number of blocks. NULL if the MPI library makes the calls, if `composed`, and with
     * `trees`: see service_round_bound().
     */
    struct round_bound (*round_bound)(const struct shape *shape);

    /*
     * For engines that give each rank a part of the message and make pieces as large as possible: the most work of a rank.
     * NULL for others.
     */
    struct rank_work (*work)(const struct shape *shape);

    /*
     * For an engine that goes through a segment. Schedules for at most `one_reader` ranks have schedule.one_reader set; none
     * of CELLS_SLICES may. With `staged`, it serves shapes with several roots, too (a round then has a block of each root's
     * part), and broadcasts to any readers.
     */
    struct {
        enum cells cells;
        struct segment_work (*work)(const struct shape *shape);
        int one_reader;
        bool staged;
        struct port_work (*ports)(const struct shape *shape); /* of CELLS_NODES */
    } segment;

    /* Seconds, by the reach of places, until all ranks have the first block or have sent it (reduction). NULL: unknown. */
    double (*first)(const struct shape *shape);

    /* Adds lanes to an empty schedule for two ranks or more, or sets its refill. NULL for native and for lanes. */
    void (*generate)(struct schedule *s);

    /* Its calls are made of calls of other engines (lanes.h); `generate` is for the stages between nodes. */
    bool composed;

    const struct trees *trees; /* of an engine over trees; see trees.h */

    struct {
        /*
         * The model leaves the engine out: it serves only where a setting or a rule names it, or where trials have found it
         * best.
         */
        bool reference;

        /* It does what native calls do. So the model takes it where no native call may serve, as in a stage of a call. */
        bool as_native;

        /*
         * Its messages are streams, as along chains and trees: no two ranks wait for each other in every round. Then a round
         * costs a gap, and alpha only until the pipeline is full. Else each round costs alpha.
         */
        bool streams;

        /*
         * How often the message leaves a node, on average, if nodes have several consecutive ranks. 0: the slope of the
         * round bound.
         */
        double crossings;

        /* It serves messages below the threshold, too, if places are far apart (struct machine). */
        bool below_if_distant;

        /* Blocks go both ways between two places, and each way waits for the other. */
        bool both_ways;

        /* With n = 2^a < p = 2^q blocks, it halves the message a times, exchanges whole blocks, and gathers. */
        bool doubles;

        /* The order of a reduction's operands depends on the number of blocks, too. */
        bool order_varies;
    } model;

    struct {
        /*
         * It reads blocks of IN after it has written the same blocks of OUT. In place, the executor gives it a copy of the
         * input, and all ranks take scratch memory for that, as much as the message.
         */
        bool keeps_input;

        /*
         * Each rank receives from one rank alone and sends to one rank alone. So senders need not wait for their receivers;
         * see src/run.
         */
        bool chained;
    } executor;
};

/* The model takes an engine on no others. */
enum made_for {
    MADE_FOR_ALL,
    MADE_FOR_ONE_A_NODE, /* bad if several nodes have several ranks, which would share a network card */
    MADE_FOR_MANY_A_NODE /* gains nothing unless several nodes have several ranks */
};

/* The algorithms of MPI libraries that engines `native:NAME' stand for; see native.c. Those of one name share a number. */
/* clang-format off */
#define NATIVE_ALGORITHMS(X) \
    X(binomial) X(smp) X(scatter_doubling) X(scatter_ring) X(reduce_scatter_gather) X(recursive_doubling) \
    X(reduce_scatter_allgather) X(tree) X(pipelined_tree) X(ring) X(recursive_multiplying) X(linear) X(basic_linear) \
    X(chain) X(pipeline) X(binary_tree) X(binary) X(in_order_binary) X(knomial) X(rabenseifner) X(nonoverlapping) \
    X(segmented_ring) X(recexch) X(k_reduce_scatter_allgather) X(tree_k4) X(recursive_multiplying_k4) X(recexch_k4) \
    X(composition_alpha) X(composition_beta) X(composition_gamma)
/* clang-format on */
#define ALGORITHM_NUMBER(name) ALGORITHM_##name,
enum algorithm { ALGORITHM_NONE, NATIVE_ALGORITHMS(ALGORITHM_NUMBER) ALGORITHMS };
#undef ALGORITHM_NUMBER

/* Algorithms to which an MPI library can switch. */
struct algorithms {
    uint32_t of[COLLECTIVES]; /* bit a: algorithm a */
    bool carried;             /* a communicator carries its algorithm from its beginning on; else each call has its own */
};
_Static_assert(ALGORITHMS <= 32, "struct algorithms has a bit for each");

static inline bool algorithms_have(const struct algorithms *all, enum collective c, enum algorithm a)
{
    return all->of[c] >> a & 1;
}

static inline bool algorithms_any(const struct algorithms *all)
{
    bool any = false;
    for (int c = 0; c < COLLECTIVES; c++)
        any |= all->of[c] != 0;
    return any;
}

struct engine {
    const char *name;
    const char *summary; /* for `pleach engines` and the manual */
    bool halves;         /* each of two trees carries one half of the blocks; see engine_parts() */
    int scratch;         /* the most scratch slots of its services */
    enum made_for made_for;
    enum algorithm algorithm; /* of `native:NAME' */
    struct service serves[COLLECTIVES];
};

/* The registry: NULL-terminated; row 0 is native. */
extern const struct engine *const engines[];

int engine_count(void);

/* NULL behind the last row. */
static inline const char *engine_word(int i)
{
    return engines[i] ? engines[i]->name : NULL;
}

/* Returns NULL if there is none. */
const struct engine *engine_find(const char *name);

int engine_row(const struct engine *e);

/* The number of the format of messages between ranks; see release.c. */
#define WIRE_PROTOCOL "32"

/* Mixes into the hash h what ranks and files of rules must know of an engine alike. */
uint64_t engine_hash(uint64_t h, const struct engine *e);

/* Such a hash, with the wire protocol, for files; not 0. */
uint32_t engine_mark(const struct engine *e);

/* True of `native' and each `native:NAME'. */
static inline bool engine_by_mpi(const struct engine *e)
{
    return e == engines[0] || e->algorithm;
}

/* Does the engine have a schedule or, if composed, stages for this shape? Native engines have neither. */
bool engine_fits(const struct engine *e, const struct shape *shape);

struct round_bound service_round_bound(const struct service *s, const struct shape *shape);

/*
 * The most blocks at once in a message or a round of slices, if the caller wants `wide` at most. shape.wide is never above
 * it. Not for composed services.
 */
int64_t service_wide(const struct service *s, int ranks, int64_t wide);

/* Parts of a message; see cut.h. */
int64_t engine_parts(const struct engine *e, const struct shape *shape);

/* Makes one rank's schedule. The engine fits the shape and has `generate`; schedule_in() has given the memory. */
void engine_make(const struct engine *e, struct schedule *s, const struct shape *shape, int rank);

/* Makes the schedule, and puts the cursor at its beginning. */
void engine_walk(const struct engine *e, struct walk *w, const struct shape *shape, int rank);
