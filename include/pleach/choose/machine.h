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
 * a stream, as through a chain, a message follows the one before it after gap + beta*x, while that is still under way.
 */
struct figures {
    double alpha; /* seconds per step */
    double beta;  /* seconds per byte sent */
    double gamma; /* seconds per byte folded */
    double hop;   /* seconds that a stream's first message takes for each rank that it passes */
    double gap;   /* seconds per message of a stream; hop and gap equal alpha if they are not measured */
    double jump;  /* more seconds for each message above SMALLEST_BLOCK bytes: MPI may ask the receiver first (rendezvous) */
};

/* The figures of a segment, the memory that ranks of a node share, while all ranks work at once. */
struct segment_figures {
    double wait;   /* seconds until a rank sees what another one has written */
    double copy;   /* seconds per byte copied into a cell that all others read later, or out of such a cell */
    double stream; /* seconds per byte copied into cells out of which one rank copies at the same time */
    double spread; /* the same, if all other ranks copy out of them */
    double fold;   /* seconds per byte folded into a cell that another rank has written; 0: nothing was measured */
};

/* A message runs between ranks of one node, or of different nodes. */
enum link { LINK_NODE, LINK_NETWORK, LINKS };

/* The sizes for which native calls are timed. */
enum { NATIVE_SIZES = 3 };
#define NATIVE_BYTES(i) (INT64_C(16384) << 3 * (i))

/* The origin of places. */
enum source {
    SOURCE_SURE,     /* nodes as MPI tells them, or the user's file: the same in every run, so they may decide about bits */
    SOURCE_MEASURED, /* round trips, too; the same as SOURCE_SURE if nothing was measured */
    SOURCES
};

/*
 * The machine as the ranks of a communicator see it: found once for each communicator, and agreed by all its ranks. It lives
 * as long as the communicator.
 */
struct machine {
    uint32_t generation;            /* grows whenever anything below changes; the same on all ranks; 0: nothing is known */
    enum natives natives;           /* the MPI library's */
    int nodes;                      /* that have ranks of the communicator, >= 1 */
    int node_ranks;                 /* most ranks on a node, >= 1 */
    bool gathered;                  /* the ranks of each node are consecutive */
    bool consecutive;               /* gathered, and rank r lies on the node number r / node_ranks */
    bool oversubscribed;            /* some node has more ranks than usable cores */
    bool near;                      /* all ranks are known to lie on one node, even if nothing else is known */
    bool busy;                      /* the communicator has had BUSY_CALLS calls (decision.h) */
    bool shared_tried;              /* have the ranks tried to share memory? */
    int64_t cell;                   /* bytes of a cell of the segment that they share; 0: there is none */
    struct segment_figures segment; /* of that segment */
    bool measured;                  /* are `figures` and `native` known? */
    bool noisy[LINKS];              /* measuring was disturbed, or took too long; `figures` are the nominal ones */
    struct figures figures[LINKS];  /* measured while all neighbours exchange at once; an absent link: those of LINK_NODE */
    /* Within a node: seconds of the native call with MPI's own operations, as a multiple of its formula; 0: unknown. */
    double native[COLLECTIVES][NATIVE_SIZES];
    /* The ranks that are near each other, and the order of ranks by places. The communicator owns them. NULL: not known. */
    const struct places *places[SOURCES];
    bool far; /* measured: on a level outside nodes, messages take over FAR_LEVELS (constants.h) times as long as inside */
};

#endif
