/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation: a call that is ready to run. All that does not change when the program makes the call again is prepared
 * once; to run it is a loop that does nothing but exchange, fold and copy. The loop is the one executor of all engines,
 * collectives and programs: the library's, that of `pleach bench`, and the wind tunnel's.
 */
#ifndef PLEACH_OPERATION_H
#define PLEACH_OPERATION_H

#include "bytes.h"
#include "choose.h"
#include "progress.h"
#include "wire.h"

/* This rank's own side of a call that has been found valid: what may differ between ranks. `choose` never sees it. */
struct view {
    const void *in; /* send buffer; equal to out for MPI_IN_PLACE; NULL for broadcast */
    void *out;      /* receive buffer, or the broadcast's buffer; NULL where MPI does not read the argument */
    int64_t count;  /* elements of datatype */
    MPI_Datatype datatype;
    MPI_Op op;  /* MPI_OP_NULL for broadcast */
    int own_op; /* where MPI defines the operation, its handle, which is the same on all ranks; else 0 */
    int error;  /* MPI_SUCCESS, or why the buffers are not to be had: then this rank fails as one that lacks memory */
};

struct operation {
    /* What it was prepared for. The caller sets these and calls operation_make(), which sets the others. */
    struct facts facts;      /* ranks 0: for nothing yet */
    const struct rule *rule; /* that the call met, or NULL */
    MPI_Datatype datatype;
    uint64_t identity; /* of the datatype, see type_identity() */
    bool in_place;     /* MPI_IN_PLACE: send and receive buffer are the same memory */
    struct plan plan;
    struct expected expected; /* set where calls are recorded; else 0 */
    struct extents element;   /* of the datatype */
    struct typemap *map;      /* of the whole message, the operation's own; NULL for plain types, and if memory was short */

    /* The same on all ranks. */
    const struct service *service;
    struct shape shape; /* of positions */
    struct cut cut;
    uint64_t meaning;       /* a hash of what the call is; see tag_of() in loop.c */
    int64_t scratch_agreed; /* bytes of scratch memory that the data need */

    /* This rank's. */
    int at;              /* its position in the schedule */
    const int *order;    /* the rank at each position; NULL: they are the same */
    int near, far;       /* positions near .. far-1 are of its own site; the others are far away. All: 0 and p */
    int64_t scratch;     /* bytes of scratch memory: more than agreed if the datatype has gaps */
    int64_t room;        /* bytes of a scratch slot, for a piece, or, in a broadcast, of a bounce buffer */
    ptrdiff_t slot_at;   /* where element 0 of a block lies in its slot */
    ptrdiff_t copy_at;   /* where element 0 of the input's copy lies behind the slots, if there is one */
    bool gapless;        /* the message is one stretch of memory, in order */
    ptrdiff_t stream_at; /* of a gapless broadcast: where it begins in the buffer */
};

/* What a rank tells the others of its call when that ends with an error; see alarm.c. */
struct statement {
    uint64_t meaning; /* a hash; 0: nothing is known but the rank */
    uint64_t call;    /* as in struct channel */
    int64_t bytes;
    int rank;       /* of the communicator */
    int collective; /* enum collective */
    int root, op;   /* op as in struct view */
    int blamed;     /* 1 + the rank that has sent somebody a message of another call; 0: not known */
    int error;      /* by which the others end it */
};

/* Where the messages of operations run; one for each communicator. */
struct channel {
    const struct wire *mpi;
    MPI_Comm comm;             /* private */
    uint64_t calls;            /* counts those that took an engine; the same on all ranks */
    char *scratch;             /* memory for blocks */
    int64_t bytes;             /* of it */
    struct progress *progress; /* where the loop says how far it is; NULL: nobody watches */
    bool mismatch; /* this rank has met another call, or a rank has met its; operation_run() sets it, the caller clears it */
    struct statement own, other; /* then: the two calls */
    int blamed;                  /* as in a statement; set while an operation fails, else 0 */
    struct statement later;      /* of a rank that failed in a call which this one has not yet reached; meaning 0: none */
};

enum { BOUNCE_BUFFERS = 2 }; /* blocks of a broadcast that are packed at a time */

/* Sets what is derived, for the calling process of that rank. The plan has an engine with a schedule. */
void operation_make(struct operation *o, int rank);

/*
 * Was memory too short for its typemap? This rank must not go native alone: it says so where ranks agree on scratch memory;
 * where they do not, its error travels with the data (loop.c).
 */
static inline bool operation_lacks_map(const struct operation *o)
{
    return !o->element.plain && !o->map;
}

/*
 * Performs the operation. The channel has at least scratch_agreed bytes of scratch memory on every rank. Returns MPI_SUCCESS
 * or the first error; the first step is behind us then, and there is no way back. A rank that lacks memory for what only it
 * knows has MPI_ERR_NO_MEM; so it has where its operation fails, and all ranks whose results depend on its own have an
 * error, too.
 */
int operation_run(const struct operation *o, const struct view *v, struct channel *channel);

#endif
