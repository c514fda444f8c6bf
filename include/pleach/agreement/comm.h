/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a communicator, made at its first intercepted call. */
#pragma once

#include "decision.h"
#include "group_info.h"
#include "memo.h"
#include "process.h"
#include "comm_record.h"

/* Of states.c, under its lock. */
struct listed {
    struct comm *next, **link; /* in its list; *link points to this state; link is NULL in a free state */
    unsigned round;            /* the state_round() that has returned it last */
    bool loose;                /* no memory or no keyval: not an attribute, and no engine serves */
};

/* For exact.c. */
struct exact_sums {
    const struct plain *plain;   /* why sums are plain, on all ranks, or NULL */
    struct exact_memory *memory; /* on all ranks; NULL: not asked yet, or sums are plain */
    struct exact_memory *own;    /* if of this communicator alone, else NULL */
};

/*
 * An attribute of one of the application's communicators, freed after it; those of MPI_COMM_WORLD and MPI_COMM_SELF never
 * are. For one thread at a time, as MPI's collective calls. Calls that stay native read only the fields up to `known` and
 * the memo.
 */
struct comm {
    MPI_Comm user;
    int rank, ranks;    /* of this process; of the communicator */
    struct known known; /* all on which decisions rest */
    struct memo memo;   /* of this rank alone */
    struct locality locality;
    struct channel channel;            /* of all messages of engines; its comm is MPI_COMM_NULL until comm_acquire() */
    struct private_comm *private_comm; /* owns the channel's communicator and scratch memory; NULL until comm_acquire() */
    struct exact_sums exact;
    struct comm_record record; /* for records and the watch */
    struct listed listed;
};

/*
 * Once, when the settings are known. If PLEACH_RULES and PLEACH_LEARN name one file, keeps its present text for all groups:
 * what a run learns must not decide about its own bits.
 */
void rules_file_begin(void);

/* Makes the keyval of states; library.h says why it stays. False if MPI has none left: no engine can serve then. */
bool comm_open(void);

/*
 * MPI has ended, or is about to: forgets all states, without calling MPI. Those of live communicators keep their memory, as
 * MPI may still delete attributes. comm_open() must come before the next call.
 */
void comm_forget(void);

/*
 * MPI_Finalize has begun here. Frees memory kept for further communicators; waits for nobody. Callbacks may still make
 * communicators and calls.
 */
void comm_finalizes(void);

struct call;

/* Would the native call accept the arguments? The draft has rank, size, and whether it is an intercommunicator. */
typedef bool comm_question(const struct comm *draft, const struct call *c);

/*
 * The state of a communicator. The first call makes it, which is collective unless group info is inherited without a
 * message. If it is collective and the call is invalid here, no state is made: other ranks may not come. NULL: no state, no
 * such communicator, or no memory.
 */
struct comm *comm_of(MPI_Comm handle, comm_question *valid, const struct call *call);

/*
 * Collective. Gets for the next operation, on all ranks or none: a private communicator, unless there is one, and `alike`
 * bytes of scratch memory, the same on all ranks. Tries to get `mine` bytes, if that is more; c->channel.bytes tells.
 * Returns REASON_NONE or, on all ranks:
 *
 *     REASON_NO_CONTEXT    no private communicator; no engine serves c any more (c->known.barred)
 *     REASON_MISMATCH      ranks have made different numbers of calls; no engine serves c any more
 *     REASON_NO_MEMORY     no scratch memory for this operation
 */
enum reason comm_acquire(struct comm *c, int64_t alike, int64_t mine);
/* comm_acquire() if it needs no message; else false. The same on all ranks. */
bool comm_acquire_quietly(struct comm *c, int64_t alike, int64_t mine);

#define SCRATCH_NONE INT64_MAX /* for `mine`: this rank lacks memory; all learn of it if they agree on memory */

/* After each operation: frees scratch memory beyond some MiB. `failed`: some messages may not have been received. */
void comm_performed(struct comm *c, bool failed);

/*
 * After a call that returned `error`: is c still the state of this handle? A program's error handler may have freed it. Yes,
 * where handles do not outlive their communicators.
 */
bool comm_stands(const struct comm *c, MPI_Comm handle, int error);

/* Has c, whose ranks have agreed, all ranks of MPI_COMM_WORLD, if that exists? */
static inline bool comm_of_all(const struct comm *c)
{
    return process_initialized() && c->ranks == process_ranks();
}

/* On all ranks, after each change of the machine or of the history's kinds: no kept answer holds any more. */
static inline void comm_knows_machine(struct comm *c)
{
    c->known.machine.generation++;
}
