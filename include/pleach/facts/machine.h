/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine: where ranks lie, and how fast messages between them are. */
#pragma once

#include "engine.h"
#include "natives.h"
#include "place_tree.h"

#include <stdint.h>

/*
 * Bounds on the bytes of a block without a setting. A largest block bounds scratch memory and stays in the cache until it is
 * folded. A smaller one than the smallest hardly saves time.
 */
enum { SMALLEST_BLOCK = 8 << 10, LARGEST_BLOCK = 256 << 10 };

/*
 * Of the cost model: a message of x bytes arrives after alpha + beta*x, and folding takes gamma*x. In a stream, messages
 * start gap + beta*x apart, earlier ones still under way.
 */
struct figures {
    double alpha; /* seconds a step */
    double beta;  /* seconds a byte */
    double gamma; /* seconds a byte folded */
    double hop;   /* seconds a stream's first message takes for each rank that it passes */
    double gap;   /* seconds a message of a stream; hop and gap equal alpha if unknown */
    double jump;  /* extra seconds above SMALLEST_BLOCK bytes (rendezvous) */
};

/* A negative figure of `first` gives way to that of `second`. */
static inline struct figures figures_or(const struct figures *first, const struct figures *second)
{
    return (struct figures){.alpha = first->alpha >= 0 ? first->alpha : second->alpha,
                            .beta = first->beta >= 0 ? first->beta : second->beta,
                            .gamma = first->gamma >= 0 ? first->gamma : second->gamma,
                            .hop = first->hop >= 0 ? first->hop : second->hop,
                            .gap = first->gap >= 0 ? first->gap : second->gap,
                            .jump = first->jump >= 0 ? first->jump : second->jump};
}

/* Seconds in a segment, while all ranks work at once. */
struct segment_figures {
    double wait;   /* until a rank sees what another one has written */
    double copy;   /* a byte copied into a cell that all others read later, or out of it */
    double stream; /* a byte copied into cells, while one rank copies out of them */
    double spread; /* a byte copied into cells, while all others copy out of them */
    double fold;   /* a byte folded into a cell that another rank has written; 0: unknown */
};

enum link { LINK_NODE, LINK_NETWORK, LINKS };

enum { NATIVE_SIZES = 6, NATIVE_LARGEST = 2 << 20, NATIVE_CALLS = 4 };

static inline int64_t native_bytes(int i)
{
    static const int64_t bytes[NATIVE_SIZES] = {16 << 10, 32 << 10, 64 << 10, 128 << 10, 1 << 20, NATIVE_LARGEST};
    return bytes[i];
}

enum source {
    SOURCE_SURE,     /* from MPI's nodes or the user's file, so they may decide about bits */
    SOURCE_MEASURED, /* also from round trips; as SOURCE_SURE if nothing was measured */
    SOURCES
};

/* The machine as the ranks of a communicator see it and have agreed on it. */
struct machine {
    uint32_t generation; /* grows with any change below; 0: nothing known */
    enum natives natives;
    struct algorithms algorithms;   /* to which all ranks' MPI libraries can switch */
    const int64_t *ruled_from;      /* see rules_from(); NULL: no rules */
    uint64_t id;                    /* this rank's name for the machine in what it keeps; 0: none */
    int nodes;                      /* that have ranks of the communicator */
    int node_ranks;                 /* on the node that has most */
    int node_least;                 /* on the node that has fewest */
    int domain;                     /* of layout_domain(); 0: domains do not count */
    bool gathered;                  /* ranks of a node are consecutive */
    bool consecutive;               /* also, rank r lies on node r / node_ranks */
    int oversubscribed;             /* most ranks per usable core on a node, rounded up; 0 if at most 1 */
    bool one_node;                  /* all ranks lie on one node; may be known before all else */
    bool busy;                      /* the communicator has had many calls; see known_begin() */
    bool shared_tried;              /* the ranks have tried to share memory */
    int64_t cell;                   /* bytes of a segment's cell; 0: no segments */
    struct segment_figures segment; /* measured; zeros: nominal ones serve */
    bool segment_known;             /* `segment` is measured, or never will be */
    bool measured;                  /* `figures` and `native` are known */
    bool noisy[LINKS];              /* measuring was disturbed or too slow: nominal figures */
    struct figures figures[LINKS];  /* measured while all neighbours exchange; an absent link has the other's */
    /* Measured over predicted seconds of native calls within a node, with MPI's operations; 0: unknown. */
    double native[COLLECTIVES][NATIVE_SIZES];
    /* Owned by the communicator; NULL: not known. */
    const struct places *places[SOURCES];
    /* See places_of_nodes(). Owned by the communicator; may be NULL. */
    const struct places *node_places[SOURCES];
    bool distant; /* measured: between places, messages take over FAR_LEVELS (layout.c) times as long as inside */
    int sharers;  /* calls like this one that use the same cards and boundaries meanwhile */
};

static inline bool machine_lacks_segment(const struct machine *m)
{
    return m->cell > 0 && !m->segment_known;
}

/* Would a measurement find something new? */
static inline bool machine_lacks(const struct machine *m)
{
    return !m->measured || machine_lacks_segment(m);
}
