/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of each communicator on which an intercepted call was made. */
#ifndef PLEACH_COMM_H
#define PLEACH_COMM_H

#include "decision.h"
#include "group_info.h"
#include "operation.h"
#include "recorded.h"

/* A state's place in the lists of states. It belongs to states.c, under its lock. */
struct listed {
    struct comm *next, **link; /* the next state in its list; *link points here; NULL: not in use */
    unsigned round;            /* the last round that met it while it was parked; see state_round() */
    bool loose;                /* for want of memory it is no attribute of its communicator: no engine serves */
};

/*
 * An operation that is prepared for the latest call with a kept answer. As long as `lasts` holds, a call with the same
 * arguments is valid, and the operation fits it.
 */
struct prepared {
    struct operation operation; /* ready to run, if an engine serves the answer; see serving.c */
    struct view view;           /* of the call */
    const void *in;             /* the call's buffers, as passed */
    void *out;
    bool lasts; /* the call was valid, nothing is lacking, and datatype and operation are MPI's own: nobody can free them */
};

/*
 * The state of one of the application's communicators: an attribute, which is freed after the communicator; the states of
 * MPI_COMM_WORLD and MPI_COMM_SELF stay. One thread at a time uses it, as MPI demands of collective calls on a communicator.
 *
 * A call that stays native reads only the first fields, up to `known`.
 */
struct comm {
    MPI_Comm user;      /* the application's handle */
    int rank, ranks;    /* of the calling process; size of the communicator */
    uint64_t made;      /* valid calls so far, without those of no bytes; the same on all ranks if their calls match */
    struct known known; /* all that decisions rest on */
    struct prepared prepared[ANSWERS]; /* one for each kept answer */
    struct locality locality;          /* the processes, and where they are */
    struct channel channel;            /* for all messages of engines; its comm is MPI_COMM_NULL until one is wanted */
    struct private_comm *private_comm; /* owns the channel's private communicator and scratch memory; NULL until then */
    struct recorded recorded;          /* for records and the watch */
    struct listed listed;              /* belongs to states.c */
};

/*
 * Sets up what comm.c keeps for the process. Nothing is torn down, see library.h. False: no keyval; then this process cannot
 * take part.
 */
bool comm_open(void);

/* Would the native call take the arguments of `call` on this communicator? The draft has its rank, size and kind. */
typedef bool comm_question(const struct comm *draft, const void *call);

/*
 * The state of a communicator, made at its first intercepted call. NULL: the handle is no communicator, that call is not
 * valid, or there is no memory. The call is checked first: it may be invalid on this rank alone, and is then native without
 * a message to the others. If the settings have not yet been compared with those of all its ranks, that first call is
 * collective.
 */
struct comm *comm_of(MPI_Comm handle, comm_question *valid, const void *call);

/*
 * Collective. Gets what the next operation needs, on all ranks or on none: a private communicator for c's channel, unless it
 * has one, and `alike` bytes of scratch memory. Communicators of the same ranks may share the private one (private_comm.c).
 * `alike` is the same on all ranks. On this rank it tries to get `mine` bytes, which may be more; c->channel.bytes has the
 * result. Returns REASON_NONE or, on all ranks, what is lacking:
 *
 *     REASON_NO_CONTEXT    a context id for the communicator; no engine serves here any more: it is c->known.barred
 *     REASON_MISMATCH      likewise: ranks do not make the same calls
 *     REASON_NO_MEMORY     scratch memory for this operation
 */
enum reason comm_acquire(struct comm *c, int64_t alike, int64_t mine);
/* The same, if it takes no message; else false on all ranks, and nothing is done. */
bool comm_acquire_quietly(struct comm *c, int64_t alike, int64_t mine);

#define SCRATCH_NONE INT64_MAX /* for `mine`: this rank lacks the memory; if ranks agree on memory, all learn of it */

/* After each operation: frees scratch memory beyond some MiB. `failed`: the operation failed, and may have left messages. */
void comm_performed(struct comm *c, bool failed);

/* Are its ranks, which have agreed, all of MPI_COMM_WORLD? False, too, if MPI_COMM_WORLD does not exist. */
bool comm_of_all(const struct comm *c);

/* Each rank's rank in MPI_COMM_WORLD, or MPI_UNDEFINED; to be freed. NULL: no MPI_COMM_WORLD, or no memory. */
int *comm_world_ranks(const struct comm *c);

/*
 * Gives c's machine a new generation, so that kept answers hold no more. Call it on all ranks after each change to it, or to
 * what the history has.
 */
void comm_knows_machine(struct comm *c);

#endif
