/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine: where ranks lie, and how fast messages between them are. */
#ifndef PLEACH_MACHINE_H
#define PLEACH_MACHINE_H

#include "collective.h"
#include "natives.h"
#include "places.h"

#include <stdint.h>

/*
 * The cost model's figures: a message of x bytes arrives alpha + beta*x after it was sent, and folding it takes gamma*x. In
 * a stream, as through a chain, the next message follows the one before after gap + beta*x, while that is still under way.
 */
struct figures {
    double alpha; /* seconds per step */
    double beta;  /* seconds per byte sent */
    double gamma; /* seconds per byte folded */
    double hop;   /* seconds on the way of a stream's first message, for each rank that it passes */
    double gap;   /* seconds per message of a stream; hop and gap are as alpha where they are not measured */
    double jump;  /* seconds more for each message of more than SMALLEST_BLOCK bytes, for which MPI may ask the receiver */
};

/* Between which ranks a message runs. */
enum link { LINK_NODE, LINK_NETWORK, LINKS }; /* of one node; of different nodes */

/* The sizes for which native calls are timed. */
enum { NATIVE_SIZES = 3 };
#define NATIVE_BYTES(i) (INT64_C(16384) << 3 * (i))

/* What places are known from. */
enum source {
    SOURCE_SURE,     /* nodes as MPI tells them, or the user's file: the same in every run, so they may decide about bits */
    SOURCE_MEASURED, /* round trips, too; the same as SOURCE_SURE where nothing was measured */
    SOURCES
};

/*
 * The machine as the ranks of a communicator see it: found once for each communicator, agreed by all its ranks. It lives
 * as long as the communicator.
 */
struct machine {
    uint32_t generation;  /* grows whenever anything below has become another; the same on all ranks; 0: nothing is known */
    enum natives natives; /* the MPI library's */
    int nodes;            /* that have ranks of the communicator, >= 1 */
    int node_ranks;       /* most ranks on a node, >= 1 */
    bool gathered;        /* the ranks of each node are consecutive */
    bool consecutive;     /* gathered, and rank r lies on the node number r / node_ranks */
    bool oversubscribed;  /* some node has more ranks than usable cores */
    bool measured;        /* are `figures` and `native` known? */
    bool noisy[LINKS];    /* measuring was disturbed, or took too long, and `figures` are the nominal ones */
    struct figures figures[LINKS]; /* measured, while neighbours exchange all at once; a link that is not there: as NODE's */
    /* Within a node: seconds of the native call, of MPI's own operations, over what its formula says; 0: unknown. */
    double native[COLLECTIVES][NATIVE_SIZES];
    /* Which ranks are near each other; the communicator's; NULL: not known. The order of ranks by places, too. */
    const struct places *places[SOURCES];
    bool far; /* on some level outside nodes messages take over FAR_LEVELS (constants.h) times as long as inside; measured */
};

#endif
