/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation: a call that is ready to run. It has all that stays the same when the program repeats the call. One loop runs
 * all operations, of all engines and collectives: it does nothing but exchange, fold and copy. The library, `pleach bench`
 * and the wind tunnel have no other executor.
 */
#ifndef PLEACH_OPERATION_H
#define PLEACH_OPERATION_H

#include "bytes.h"
#include "choose.h"
#include "kernels.h"
#include "progress.h"
#include "segment.h"
#include "wire.h"

/* This rank's own side of a valid call: what may differ between ranks. The room `choose` never sees it. */
struct view {
    const void *in; /* send buffer; equal to out for MPI_IN_PLACE; NULL for broadcast */
    void *out;      /* receive buffer, or the broadcast's buffer; NULL if MPI does not read the argument */
    int64_t count;  /* elements of datatype */
    MPI_Datatype datatype;
    MPI_Op op;  /* MPI_OP_NULL for broadcast */
    int own_op; /* number of a predefined operation, by op_own(), the same on all ranks; else 0 */
    int error;  /* MPI_SUCCESS, or why the buffers cannot be used: then this rank fails as if it lacked memory */
};

struct operation {
    /* The input. The caller sets these fields and calls operation_make(), which sets the others. */
    struct facts facts;      /* ranks 0: not prepared yet */
    const struct rule *rule; /* the call's, or NULL */
    MPI_Datatype datatype;
    uint64_t identity; /* of the datatype, see type_identity() */
    bool in_place;     /* MPI_IN_PLACE: send and receive buffer are the same memory */
    struct plan plan;
    struct expected expected; /* set if calls are recorded; else 0 */
    struct extents element;   /* of the datatype */
    struct typemap *map;      /* of the whole message; the operation owns it; NULL for plain types, or if memory was short */
    struct schedule *schedule; /* this rank's; the operation owns it; NULL: each run makes it */
    struct step *tape;         /* all steps of the schedule, if they are few; likewise; NULL: a cursor finds them */
    int steps;                 /* on the tape */
    MPI_Op op;                 /* to which `fold` belongs */
    fold_kernel *fold;         /* b = a (+) b is fold(b, a, b, count); NULL: MPI_Reduce_local(a, b, ..) folds */

    /* The same on all ranks. */
    const struct service *service;
    struct shape shape; /* of positions */
    struct cut cut;
    uint64_t meaning;       /* a hash of the call; see tag_of() in loop.c */
    int64_t scratch_agreed; /* bytes of scratch memory that the data need */

    /* This rank's. */
    int at;              /* its position in the schedule */
    const int *order;    /* the rank at each position; NULL: the same number */
    int near, far;       /* positions near .. far-1 are of its own site; 0 and p: all are */
    int64_t scratch;     /* bytes of scratch memory: more than agreed if the datatype has gaps */
    int64_t room;        /* bytes of a scratch slot, for a piece, or, in a broadcast, of a bounce buffer */
    ptrdiff_t slot_at;   /* bytes from the start of a slot to element 0 of its block */
    ptrdiff_t copy_at;   /* likewise for the copy of the input behind the slots, if there is one */
    bool gapless;        /* the message is one stretch of memory, in order */
    ptrdiff_t stream_at; /* bytes from the buffer's address to the data of a gapless broadcast */
};

/* The statement that a rank sends the others about its call when that ends with an error; see alarm.c. */
struct statement {
    uint64_t meaning; /* a hash; 0: only the rank is known */
    uint64_t call;    /* as in struct channel */
    int64_t bytes;
    int rank;       /* of the communicator */
    int collective; /* enum collective */
    int root, op;   /* op as in struct view */
    int blamed;     /* 1 + the rank that has sent a message of another call; 0: not known */
    int error;      /* the others end the call with it */
};

/* The channel for messages of operations; one for each communicator. */
struct channel {
    const struct wire *mpi;
    MPI_Comm comm;               /* private */
    uint64_t calls;              /* number of calls that took an engine; the same on all ranks */
    struct segment *segment;     /* of the private communicator, once this one has asked for it; NULL: none */
    char *scratch;               /* memory for blocks */
    int64_t bytes;               /* of scratch */
    struct progress *progress;   /* the loop's progress; NULL: nobody watches */
    bool mismatch;               /* a message showed that two ranks make different calls; the caller clears it */
    struct statement own, other; /* the two calls of a mismatch */
    int blamed;                  /* as in a statement; set while an operation fails, else 0 */
    struct statement later;      /* of a rank that failed in a call which this one has not yet reached; meaning 0: none */
};

enum { BOUNCE_BUFFERS = 2 }; /* packed blocks of a broadcast at a time */

/* Sets the derived fields for the calling process, which has this rank. The plan has an engine with a schedule. */
void operation_make(struct operation *o, int rank);

/* Keeps the schedule of an operation that is made, and a tape, if there is memory for it: further runs take less time. */
void operation_keep(struct operation *o);

/* Frees what the operation owns. */
void operation_end(struct operation *o);

/*
 * Was memory too short for its typemap? This rank must not go native alone. If the call has an agreement on scratch memory,
 * the rank tells the others there; else its messages tell them (loop.c).
 */
static inline bool operation_lacks_map(const struct operation *o)
{
    return !o->element.plain && !o->map;
}

/*
 * Performs the operation. The channel has at least scratch_agreed bytes of scratch memory on every rank. Returns MPI_SUCCESS
 * or the first error; after the first step there is no way back to the native call. A rank that lacks memory which only it
 * needs returns MPI_ERR_NO_MEM. A rank whose operation fails returns an error, too, and so do all ranks whose results depend
 * on such a rank's.
 */
int operation_run(const struct operation *o, const struct view *v, struct channel *channel);

#endif
