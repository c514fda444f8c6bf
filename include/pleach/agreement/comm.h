/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a communicator, made at its first intercepted call. */
#pragma once

#include "decision.h"
#include "group_info.h"
#include "memo.h"
#include "process.h"
#include "comm_record.h"

/* Used by states.c, under its lock. */
struct listed {
    struct comm *next, **link; /* *link: this state; NULL: free */
    unsigned round;            /* the latest state_round() that has returned it */
    bool loose;                /* no memory or keyval: no attribute, and no engine serves */
};

/* Used by exact.c alone. */
struct exact_sums {
    const struct plain *plain;   /* why sums are plain, on all ranks, or NULL */
    struct exact_memory *memory; /* on all ranks; NULL: not asked, or plain sums */
    struct exact_memory *own;    /* of this communicator alone; or NULL */
};

/*
 * An attribute of an application's communicator, freed after it, but never for MPI_COMM_WORLD and MPI_COMM_SELF. For one
 * thread at a time. Calls that stay native read only the fields up to `known`, and the memo.
 */
struct comm {
    MPI_Comm user;
    int rank, ranks;
    struct known known; /* all that decisions rest on */
    struct memo memo;   /* of this rank alone */
    struct locality locality;
    struct channel channel;            /* for engines; its comm is MPI_COMM_NULL until comm_acquire() */
    struct private_comm *private_comm; /* NULL until comm_acquire() */
    struct exact_sums exact;
    struct comm_record record;
    struct listed listed;
};

/*
 * Once, with the settings. If PLEACH_RULES and PLEACH_LEARN name one file, keeps its text: what a run learns must not decide
 * its own bits.
 */
void rules_file_begin(void);

/* Makes the keyval of states, which stays (library.h). False: none is left, and no engine can serve. */
bool comm_open(void);

/*
 * MPI has ended, or is about to. Calls no MPI. States of live communicators keep their memory, as MPI may still delete
 * attributes. comm_open() must follow.
 */
void comm_forget(void);

/*
 * MPI_Finalize has begun here. Frees what waits for further communicators; callbacks may still make some. Waits for nobody.
 */
void comm_finalizes(void);

struct call;

/* `draft`: has rank, size, and whether it is an intercommunicator. */
typedef bool comm_question(const struct comm *draft, const struct call *c);

/*
 * The first call makes it: collective, unless group info is inherited without a message. If collective and the call is
 * invalid here, there is none, as other ranks may not come. NULL: none, no such communicator, or no memory.
 */
struct comm *comm_of(MPI_Comm handle, comm_question *valid, const struct call *call);

/*
 * Collective. For the next operation, on all ranks or none: a private communicator, and `alike` bytes of scratch memory, the
 * same on all ranks. Tries to get `mine`, if more; c->channel.bytes tells. REASON_NONE or, on all ranks:
 *
 *     REASON_NO_CONTEXT    no private communicator; no engine serves c any more (c->known.barred)
 *     REASON_MISMATCH      different numbers of calls; no engine serves c any more
 *     REASON_NO_MEMORY     no scratch memory
 */
enum reason comm_acquire(struct comm *c, int64_t alike, int64_t mine);
/* comm_acquire() if it needs no message; else returns false. The same on all ranks. */
bool comm_acquire_quietly(struct comm *c, int64_t alike, int64_t mine);

#define SCRATCH_NONE INT64_MAX /* `mine` of a rank without memory: all learn of it if they agree on memory */

/* Call it after each operation: frees scratch memory beyond some MiB. `failed`: messages may be left. */
void comm_performed(struct comm *c, bool failed);

/*
 * Is c still the handle's state, after a call with this error? An error handler may have freed it. True where handles do not
 * outlive communicators.
 */
bool comm_stands(const struct comm *c, MPI_Comm handle, int error);

/* Has c, whose ranks have agreed, all ranks of MPI_COMM_WORLD? */
static inline bool comm_of_all(const struct comm *c)
{
    return process_initialized() && c->ranks == process_ranks();
}

/* Call it on all ranks after each change of machine or kinds: kept answers hold no more. */
static inline void comm_knows_machine(struct comm *c)
{
    c->known.machine.generation++;
}
