/* SPDX-License-Identifier: BSD-2-Clause */
/* What we keep for each communicator on which an intercepted call was made. */
#ifndef PLEACH_COMM_H
#define PLEACH_COMM_H

#include "choose.h"
#include "known.h"

/* A plan that was made, and what for. */
struct planned {
    struct facts facts; /* ranks 0: none */
    const struct rule *rule;
    struct plan plan;
};

enum { PLANS = 8 };

/*
 * What we know about one of the application's communicators. It hangs on the communicator as an attribute and goes when the
 * communicator goes. Used by one thread at a time, as MPI wants it of collective calls on a communicator.
 */
struct comm {
    MPI_Comm user;             /* the application's handle */
    MPI_Comm ours;             /* private duplicate, for all messages of engines; MPI_COMM_NULL until one is wanted */
    int rank, ranks;           /* of the calling process, and size */
    enum reason barred;        /* why no engine may serve here, or REASON_NONE; the same on all ranks */
    bool settled;              /* see nodes_settle(); before, all of `machine` but `oversubscribed` is unknown */
    const struct known *known; /* what its ranks know alike; NULL for intercommunicators and single ranks */
    struct machine machine;
    int *order, *position;       /* the rank at each position, node by node, and the other way; NULL if the ranks lie so */
    struct planned plans[PLANS]; /* the latest; the same on all ranks, as are the calls they were made for */
    uint64_t engine_calls;       /* calls that took an engine; the same on all ranks */
    char *scratch;               /* memory for blocks; NULL until wanted */
    int64_t size;                /* bytes at scratch */
    int64_t promised;            /* bytes that all ranks are known to have; the same on all ranks */
    struct comm *next, **link;   /* list of all live ones; *link points here */
};

/* Sets up and tears down what comm.c keeps for the process. `close` frees all private communicators. */
bool comm_open(void);
void comm_close(void);

/*
 * The state of a communicator, made at its first intercepted call; NULL if the handle is none or there is no memory.
 * At that first call, if the settings have not yet been compared with those of all its ranks, this is collective.
 */
struct comm *comm_of(MPI_Comm handle);

/*
 * Collective. Makes the private communicator, unless an earlier call did. False, on all ranks, if there is no context id
 * left for it; then no engine serves here any more.
 */
bool comm_private(struct comm *c);

/*
 * Collective. Makes sure that every rank has scratch memory: `alike` bytes, a number that all ranks give alike, and tries
 * to get `mine` on this one, which may be more; c->size tells. False, on all ranks, if one cannot get what is alike.
 */
bool comm_scratch(struct comm *c, int64_t alike, int64_t mine);

#endif
