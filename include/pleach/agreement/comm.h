/* SPDX-License-Identifier: BSD-2-Clause */
/* What we keep for each communicator on which an intercepted call was made. */
#ifndef PLEACH_COMM_H
#define PLEACH_COMM_H

#include "decision.h"
#include "group_info.h"
#include "operation.h"
#include "recorded.h"

/* Where a state is in the lists of states: all of it belongs to states.c, under its lock. */
struct listed {
    struct comm *next, **link; /* list of the like; *link points here; NULL: not in use */
    unsigned round;            /* that has last met it while it was parked */
    bool loose;                /* does not hang on its communicator, for want of memory: no engine serves */
};

/*
 * What we know about one of the application's communicators. It hangs on the communicator as an attribute and goes when the
 * communicator has gone; those of MPI_COMM_WORLD and MPI_COMM_SELF stay. Used by one thread at a time, as MPI wants it of
 * collective calls on a communicator.
 *
 * A call that stays native reads what the communicator is, and what is known of it: this comes first.
 */
struct comm {
    MPI_Comm user;      /* the application's handle */
    int rank, ranks;    /* of the calling process, and size */
    uint64_t made;      /* valid calls so far, but for those of no bytes; the same on all ranks, if their calls match */
    struct known known; /* what its ranks know together: all that decisions rest on */
    struct operation operation[ANSWERS]; /* beside each kept answer: ready to run, if it is an engine's; see serving.c */
    struct locality locality;            /* which processes they are, and where */
    struct channel channel;              /* for all messages of engines; its comm is MPI_COMM_NULL until one is wanted */
    struct private_comm *private_comm;   /* that the channel uses, with its scratch memory; NULL until then */
    struct recorded recorded;            /* of those who tell of its calls */
    struct listed listed;                /* of states.c */
};

/*
 * Sets up what comm.c keeps for the process; nothing is torn down, see library.h. False: no keyval; then this process cannot
 * take part.
 */
bool comm_open(void);

/* Would the native call take the arguments of a `call` on this communicator, whose rank, size and kind are known? */
typedef bool comm_question(const struct comm *draft, const void *call);

/*
 * The state of a communicator, made at its first intercepted call; NULL if the handle is none, if that call is not valid, or
 * if there is no memory. The call is looked at before anything else is done: what is invalid here may be so on this rank
 * alone, and is native without a word to the others. If the settings have not yet been compared with those of all its ranks,
 * that first call is collective.
 */
struct comm *comm_of(MPI_Comm handle, comm_question *valid, const void *call);

/*
 * Collective. Gets what the next operation needs, on all ranks or on none: a private communicator for c's channel, unless an
 * earlier call did, which communicators of the same ranks may share (private_comm.c); and `alike` bytes of scratch memory, a
 * number that all ranks give alike. It tries to get `mine` on this one, which may be more; c->channel.bytes tells.
 * REASON_NONE, or, on all ranks, what is lacking:
 *
 *     REASON_NO_CONTEXT    a context id for the communicator; no engine serves here any more: it is c->known.barred
 *     REASON_MISMATCH      likewise: ranks do not make the same calls
 *     REASON_NO_MEMORY     scratch memory for this operation
 */
enum reason comm_acquire(struct comm *c, int64_t alike, int64_t mine);
#define SCRATCH_NONE INT64_MAX /* for `mine`: there is not so much, and where ranks agree, all hear that this one lacks it */

/*
 * After each operation: scratch memory beyond some MiB goes. `failed`: so did the operation, and its messages may be left.
 */
void comm_performed(struct comm *c, bool failed);

/* Are its ranks, which have agreed, all of MPI_COMM_WORLD? No: or there is no such communicator. */
bool comm_of_all(const struct comm *c);

/*
 * The rank in MPI_COMM_WORLD of each rank, or MPI_UNDEFINED; to be freed. NULL: there is no such communicator, or no memory.
 */
int *comm_world_ranks(const struct comm *c);

/*
 * All that is known of c's machine has been set anew: answers that were kept before hold no more. To be called by whoever
 * writes to c->known.machine, on all ranks.
 */
void comm_knows_machine(struct comm *c);

#endif
