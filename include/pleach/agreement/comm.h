/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a communicator. Each communicator gets one at the first intercepted call on it. */
#pragma once

#include "decision.h"
#include "group_info.h"
#include "memo.h"
#include "process.h"
#include "comm_record.h"

/* A state's place in the lists of states. states.c uses it under its lock. */
struct listed {
    struct comm *next, **link; /* the next state in its list; *link points to this state; link is NULL in a free state */
    unsigned round;            /* the latest round of state_round() in which state_next() has returned this state's handle */
    bool loose;                /* no memory or no keyval: the state is no attribute of a communicator; no engine serves */
};

/* What a communicator has for exact sums; see exact.h. */
struct exact_sums {
    const struct plain *plain;   /* why sums are plain, on all ranks; NULL: they need not be */
    struct exact_memory *memory; /* all ranks have it; NULL: they have not asked yet, or sums are plain */
    struct exact_memory *own;    /* if no other communicator has it; else NULL */
};

/*
 * The state of one of the application's communicators. It is an attribute of the communicator, and is freed after the
 * communicator. The states of MPI_COMM_WORLD and MPI_COMM_SELF are never freed. Only one thread at a time uses a state, as
 * MPI allows only one collective call at a time on a communicator.
 *
 * A call that stays native reads only the first fields, up to `known`, and the memo. If it repeats an earlier call, it reads
 * only a few of them; see serving_again().
 */
struct comm {
    MPI_Comm user;                     /* the application's handle */
    int rank, ranks;                   /* rank of this process; size of the communicator */
    struct known known;                /* all knowledge on which decisions rest */
    struct memo memo;                  /* of this rank alone */
    struct locality locality;          /* the communicator's processes, and their places */
    struct channel channel;            /* carries all messages of engines; its comm is MPI_COMM_NULL until comm_acquire() */
    struct private_comm *private_comm; /* owns the channel's communicator and scratch memory; NULL until comm_acquire() */
    struct exact_sums exact;           /* used by exact.c alone */
    struct comm_record record;         /* for records and the watch */
    struct listed listed;
};

/*
 * Called once in a process, when its settings are known. If PLEACH_RULES and PLEACH_LEARN have the same
 * name of a file, keeps the text that the file has now: what a run learns should decide about no bits in this run. Groups
 * that agree later take this text, too.
 */
void rules_file_begin(void);

/*
 * Makes the keyval for the states of communicators. Nothing frees the keyval; library.h says why. Returns false if MPI has
 * no keyval left. Then no engine can serve calls of this process.
 */
bool comm_open(void);

/*
 * Forgets all communicators. MPI has ended, or is about to: calls no function of MPI. The states of communicators that the
 * program has not freed keep their memory, as MPI may still delete its attributes. Call comm_open() before the next call.
 */
void comm_forget(void);

/*
 * MPI_Finalize has begun on this rank. Frees the memory that waits for further communicators, and waits for no other rank.
 * Callbacks may still make communicators and calls.
 */
void comm_finalizes(void);

struct call; /* see call.h */

/*
 * Would the native call accept the arguments of the call on this communicator? The draft is a state that has the
 * communicator's rank and size, and says whether it is an intercommunicator.
 */
typedef bool comm_question(const struct comm *draft, const struct call *c);

/*
 * Returns the state of a communicator. The first intercepted call makes the state. That is collective, unless the
 * communicator inherits its group info without a message (agree.c). If it is collective and `valid` says that the call is
 * invalid, no state is made: the call may be invalid on this rank alone, so it stays native, and Pleach sends no message to
 * the other ranks. Returns NULL if the handle is no communicator, if no state is made, or if memory is short.
 */
struct comm *comm_of(MPI_Comm handle, comm_question *valid, const struct call *call);

/*
 * Collective. Gets what the next operation needs, on all ranks or on none: a private communicator for c's channel, unless
 * the channel has one, and `alike` bytes of scratch memory. `alike` is the same on all ranks. If a rank wants more memory
 * for itself, it tries to get `mine` bytes. c->channel.bytes says how many bytes it has got. Communicators of the same ranks
 * may share a private communicator (private_comm.c). Returns REASON_NONE or, on all ranks, what they lack:
 *
 *     REASON_NO_CONTEXT    a private communicator; no engine serves c any more (c->known.barred)
 *     REASON_MISMATCH      matching calls, as ranks have made different numbers of calls; no engine serves c any more
 *     REASON_NO_MEMORY     scratch memory for this operation
 */
enum reason comm_acquire(struct comm *c, int64_t alike, int64_t mine);
/* If no message is needed, does what comm_acquire() does, and returns true. Else returns false. The same on all ranks. */
bool comm_acquire_quietly(struct comm *c, int64_t alike, int64_t mine);

#define SCRATCH_NONE INT64_MAX /* for `mine`: this rank lacks memory; if the ranks agree on memory, all learn of it */

/*
 * Call it after each operation. It frees scratch memory beyond some MiB. `failed` says that the operation has failed, so
 * some of its messages may not have been received.
 */
void comm_performed(struct comm *c, bool failed);

/*
 * After a call that has returned `error`: is c still the state of the communicator with this handle? If the call failed, an
 * error handler of the program may have freed the communicator, and then the state may be gone, too. Where handles do not
 * outlive their communicators, the answer is yes.
 */
bool comm_stands(const struct comm *c, MPI_Comm handle, int error);

/* Does c, whose ranks have agreed, have all ranks of MPI_COMM_WORLD? False if MPI_COMM_WORLD does not exist. */
static inline bool comm_of_all(const struct comm *c)
{
    return process_initialized() && c->ranks == process_ranks();
}

/*
 * Gives c's machine a new generation, which makes all kept answers invalid. Call it on all ranks after each change of the
 * machine or of what the history contains.
 */
static inline void comm_knows_machine(struct comm *c)
{
    c->known.machine.generation++;
}
