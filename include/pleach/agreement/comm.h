/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a communicator, made at its first intercepted call. */
#pragma once

#include "decision.h"
#include "digits.h"
#include "group_info.h"
#include "memo.h"
#include "process.h"
#include "comm_record.h"

/* Used by states.c, under its lock. */
struct listed {
    struct comm *next, **link; /* the next state in its list; *link points to this state; link is NULL in a free state */
    unsigned round;            /* the latest state_round() in which state_next() has returned it */
    bool loose; /* no memory or no keyval: the state is no attribute of a communicator, and no engine serves */
};

/* What exact.h keeps for a communicator; used by exact.c alone. */
struct exact_sums {
    const struct plain *plain;   /* why sums are plain, not exact, on all ranks; NULL: they need not be */
    struct exact_memory *memory; /* all ranks have it; NULL: they have not asked yet, or sums are plain */
    struct exact_memory *own;    /* `memory`, if no other communicator has it; else NULL */
    struct digits guess[REALS];  /* windows for the next all-reduce; see digits_guess() */
    int pause;                   /* calls without a guess */
};

/*
 * The state is an attribute of the application's communicator. It is freed after the communicator, but never for
 * MPI_COMM_WORLD and MPI_COMM_SELF. Only one thread at a time uses it. Calls that stay native read only the fields up to
 * `known`, and the memo.
 */
struct comm {
    MPI_Comm user; /* the application's handle */
    int rank, ranks;
    struct known known; /* all that decisions rest on */
    struct memo memo;   /* of this rank alone */
    struct locality locality;
    struct channel channel;            /* carries all messages of engines; its comm is MPI_COMM_NULL until comm_acquire() */
    struct private_comm *private_comm; /* owns the channel's communicator and scratch memory; NULL until comm_acquire() */
    struct exact_sums exact;
    struct comm_record record;
    struct listed listed;
};

/*
 * Call it once, when the settings are known. If PLEACH_RULES and PLEACH_LEARN name one file, keeps the text that it has now:
 * what a run learns must not decide the bits of this run.
 */
void rules_file_begin(void);

/*
 * Makes the keyval for states; it is never freed (library.h). Returns false if MPI has none left: then no engine can serve.
 */
bool comm_open(void);

/*
 * Forgets all states. MPI has ended, or is about to: calls no MPI function. States of live communicators keep their memory,
 * as MPI may still delete attributes. Call comm_open() before the next call.
 */
void comm_forget(void);

/*
 * MPI_Finalize has begun on this rank. Frees the memory that waits for further communicators, without waiting for other
 * ranks. Callbacks may still make communicators.
 */
void comm_finalizes(void);

struct call;

/* Is the call valid on this communicator? `draft` has only its rank, its size, and whether it is an intercommunicator. */
typedef bool comm_question(const struct comm *draft, const struct call *c);

/*
 * The state of a communicator. Its first call makes the state. This is collective unless the ranks inherit group info
 * without a message; if it is collective and the call is invalid on this rank, no state is made, as other ranks may not
 * come. NULL: no state is made, the handle is no communicator, or memory is short.
 */
struct comm *comm_of(MPI_Comm handle, comm_question *valid, const struct call *call);

/*
 * Collective. Gets what the next operation needs, on all ranks or on none: a private communicator, and `alike` bytes of
 * scratch memory, the same number on all ranks. Tries to get `mine` bytes if that is more; c->channel.bytes says how many
 * there are. Returns REASON_NONE or, on all ranks:
 *
 *     REASON_NO_CONTEXT    no private communicator; no engine serves c any more (c->known.barred)
 *     REASON_MISMATCH      ranks have made different numbers of calls; no engine serves c any more
 *     REASON_NO_MEMORY     no scratch memory for this operation
 */
enum reason comm_acquire(struct comm *c, int64_t alike, int64_t mine);
/* Does what comm_acquire() does and returns true, if that needs no message; else returns false. The same on all ranks. */
bool comm_acquire_quietly(struct comm *c, int64_t alike, int64_t mine);

/*
 * Collective, where the machine's algorithms are carried, and comm_acquire() has got a private communicator. Gets a
 * communicator that carries the algorithm, on all ranks or on none. Returns false on all ranks if there is none; then the
 * algorithm leaves the machine's algorithms.
 */
bool comm_carry(struct comm *c, enum algorithm a);

/* The communicator on which a native call by this algorithm is made: a carrier that comm_carry() got, else the user's. */
MPI_Comm comm_carrier(const struct comm *c, enum algorithm a);

/* Call it after a sync point. Lets go of all carriers but those of algorithms that may serve or be tried again. */
void comm_carries_less(struct comm *c);

#define SCRATCH_NONE INT64_MAX /* `mine` of a rank without memory: all learn of it if they agree on memory */

/* Call it after each operation; frees scratch memory beyond some MiB. `failed`: some messages may not have been received. */
void comm_performed(struct comm *c, bool failed);

/*
 * After a call that returned `error`: is c still this handle's state? An error handler of the program may have freed the
 * communicator. True where handles do not outlive communicators.
 */
bool comm_stands(const struct comm *c, MPI_Comm handle, int error);

/* Has c, whose ranks have agreed, all ranks of MPI_COMM_WORLD? */
static inline bool comm_of_all(const struct comm *c)
{
    return process_initialized() && c->ranks == process_ranks();
}

/* Makes kept answers invalid. Call it on all ranks after each change of the machine or of the history's kinds. */
static inline void comm_knows_machine(struct comm *c)
{
    c->known.machine.generation++;
}
