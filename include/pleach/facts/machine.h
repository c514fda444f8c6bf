/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine: where ranks lie, and how fast messages between them are. */
#pragma once

#include "collective.h"
#include "natives.h"
#include "place_tree.h"

#include <stdint.h>

/*
 * Bounds on the bytes of a block, if no setting gives its size. By hand, the smallest after trials in scripts/lab.
 *
 * The largest block bounds the scratch memory, and stays in the cache between its arrival and its folding. A message shorter
 * than the smallest block takes hardly less time than that block; the cost model, linear in the bytes, does not show this.
 */
enum { SMALLEST_BLOCK = 8 << 10, LARGEST_BLOCK = 256 << 10 };

/*
 * The cost model's figures: a message of x bytes arrives alpha + beta*x after it was sent, and folding it takes gamma*x.
 * In a stream of messages, as through a chain of ranks, each message starts gap + beta*x after the one before it, which may
 * still be under way.
 */
struct figures {
    double alpha; /* seconds per step */
    double beta;  /* seconds per byte sent */
    double gamma; /* seconds per byte folded */
    double hop;   /* seconds that a stream's first message takes for each rank that it passes */
    double gap;   /* seconds per message of a stream; hop and gap equal alpha if they are not known */
    double jump;  /* extra seconds for a message above SMALLEST_BLOCK bytes: MPI may ask the receiver first (rendezvous) */
};

/* Returns the figures of `first`. A negative figure is not given; that of `second` takes its place. */
static inline struct figures figures_or(const struct figures *first, const struct figures *second)
{
    return (struct figures){.alpha = first->alpha >= 0 ? first->alpha : second->alpha,
                            .beta = first->beta >= 0 ? first->beta : second->beta,
                            .gamma = first->gamma >= 0 ? first->gamma : second->gamma,
                            .hop = first->hop >= 0 ? first->hop : second->hop,
                            .gap = first->gap >= 0 ? first->gap : second->gap,
                            .jump = first->jump >= 0 ? first->jump : second->jump};
}

/* The figures of a segment, the memory that ranks of a node share, while all ranks work at once. */
struct segment_figures {
    double wait;   /* seconds until a rank sees what another one has written */
    double copy;   /* seconds per byte copied into a cell that all other ranks read later, or out of such a cell */
    double stream; /* seconds per byte copied into cells, while one other rank copies out of them */
    double spread; /* seconds per byte copied into cells, while all other ranks copy out of them */
    double fold;   /* seconds per byte folded into a cell that another rank has written; 0: nothing was measured */
};

/* A message goes between two ranks of one node, or between two nodes. */
enum link { LINK_NODE, LINK_NETWORK, LINKS };

/* The number of sizes for which native calls are timed, the largest one, and the most calls in a row: their mean counts. */
enum { NATIVE_SIZES = 6, NATIVE_LARGEST = 2 << 20, NATIVE_CALLS = 4 };

/*
 * Size number i, in bytes. From 16 to 128 KiB, where calls through a segment take about as long as native ones, the sizes
 * lie close together. Two messages of the last size do not fit the caches of most cores, and the time of a byte then jumps:
 * by 1.6 where two ranks broadcast.
 */
static inline int64_t native_bytes(int i)
{
    static const int64_t bytes[NATIVE_SIZES] = {16 << 10, 32 << 10, 64 << 10, 128 << 10, 1 << 20, NATIVE_LARGEST};
    return bytes[i];
}

/* The origin of places. */
enum source {
    SOURCE_SURE,     /* from MPI's nodes or the user's file: the same in every run, so these places may decide about bits */
    SOURCE_MEASURED, /* also from measured round trips; the same places as SOURCE_SURE if nothing was measured */
    SOURCES
};

/* The machine as the ranks of a communicator see it. Each communicator has one, on which its ranks have agreed. */
struct machine {
    uint32_t generation;            /* grows if anything below changes; the same on all ranks; 0: nothing known */
    enum natives natives;           /* the algorithms of the MPI library's native calls */
    uint64_t algorithms;            /* the algorithms to which all ranks' MPI libraries can switch; see algorithm_bit() */
    const int64_t *ruled_from;      /* what rules_from() has set; NULL: there are no rules */
    uint64_t id;                    /* this rank's name for the machine, in what it keeps; 0: none */
    int nodes;                      /* number of nodes that have ranks of the communicator, >= 1 */
    int node_ranks;                 /* number of ranks on the node that has most, >= 1 */
    int node_least;                 /* number of ranks on the node that has fewest, >= 1 */
    bool gathered;                  /* the ranks of each node are consecutive */
    bool consecutive;               /* gathered, and rank r lies on node number r / node_ranks */
    int oversubscribed;             /* the most ranks per usable core on a node, rounded up, if over 1; else 0 */
    bool one_node;                  /* all ranks are known to lie on one node, even if nothing else is known */
    bool busy;                      /* the communicator has had many calls; see known_begin() in decision.h */
    bool shared_tried;              /* have the ranks tried to share memory? */
    int64_t cell;                   /* bytes of a cell of the segments, one on each node; 0: there are none */
    struct segment_figures segment; /* figures of the segments; zeros: nominal ones serve */
    bool segment_known;             /* `segment` is measured, or will not be */
    bool measured;                  /* are `figures` and `native` known? */
    bool noisy[LINKS];              /* measuring was disturbed or took too long, so `figures` are the nominal ones */
    struct figures figures[LINKS];  /* measured while all neighbours exchange; an absent link has the other link's */
    /* Measured seconds over predicted seconds of the native call within a node, with MPI's own operations; 0: unknown. */
    double native[COLLECTIVES][NATIVE_SIZES];
    /* The places, and the order of ranks by places. The communicator owns these trees. NULL: places are not known. */
    const struct places *places[SOURCES];
    /* The places of the nodes; NULL: there are none. See places_of_nodes(). The communicator owns these trees. */
    const struct places *node_places[SOURCES];
    bool distant; /* measured: messages between places take over FAR_LEVELS (layout.c) times as long as inside them */
    int sharers;  /* number of other calls, like this one, that use the same cards and boundaries at the same time */
};

/* Have the ranks shared memory that may still be measured? */
static inline bool machine_lacks_segment(const struct machine *m)
{
    return m->cell > 0 && !m->segment_known;
}

/* Is there something that a measurement would find for the first time? */
static inline bool machine_lacks(const struct machine *m)
{
    return !m->measured || machine_lacks_segment(m);
}
