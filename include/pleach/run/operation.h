/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation: a call ready to run, with all that stays the same when the program repeats it. One loop, which only
 * exchanges, folds and copies, runs the operations of all engines.
 */
#pragma once

#include "bytes.h"
#include "choose.h"
#include "kernels.h"
#include "lanes.h"
#include "progress.h"
#include "segment.h"
#include "wire.h"

/* What may differ between ranks in a valid call. `choose` never sees it. */
struct view {
    const void *in; /* send buffer; equal to `out` for MPI_IN_PLACE; NULL for broadcast */
    void *out;      /* receive buffer, or the broadcast's; NULL if MPI does not read the argument */
    int64_t count;  /* elements of datatype */
    MPI_Datatype datatype;
    MPI_Op op;  /* MPI_OP_NULL for broadcast */
    int own_op; /* op_own(): number of a predefined operation, the same on all ranks; else 0 */
    int error;  /* MPI_SUCCESS; else the buffers cannot be used, and this rank fails as if memory were short */
};

/*
 * The stages of a composed operation (composed.c). operation_compose() sets lanes.nodes and `plan`, operation_make() the
 * rest.
 */
struct composition {
    struct lanes lanes;             /* the same on all ranks */
    struct plan plan[STAGE_PHASES]; /* of this rank's stages; the same on all ranks of a stage */
    struct node_rank self;          /* the calling process */
    int domain;                     /* of the nodes' ranks, as in struct machine */
    int64_t cell;                   /* bytes of a cell in the nodes' segments */
    const struct places *places;    /* of the nodes, owned by the communicator; or NULL */
    struct kept_stages *stages;     /* of a call of one slice, made by operation_keep(), owned; else NULL */
    const int *order;               /* the node at each position of a lane; NULL: node n is at n */
    int64_t room;                   /* bytes of scratch memory for a slice, with this rank's gaps */
    int64_t kept, kept_agreed;      /* bytes of BUFFER_KEPT, with this rank's gaps; kept_agreed: without */
};

struct operation {
    /* The caller sets these, but operation_keep() `schedule`, `tape`, `steps`. */
    struct facts facts; /* facts.ranks is 0 until the operation is prepared */
    int64_t count;
    MPI_Datatype datatype;
    struct identity type;
    bool in_place; /* IN and OUT are the same memory */
    struct plan plan;
    struct extents element;
    struct typemap *map;       /* of the message, owned; NULL for plain types, or without memory */
    struct schedule *schedule; /* this rank's, owned; NULL: each run makes one */
    struct step *tape;         /* all its steps, if they are few, owned; NULL: a cursor finds them */
    int steps;
    MPI_Op op;         /* the operation to which `fold` belongs */
    fold_kernel *fold; /* b = a (+) b is fold(b, a, b, count); NULL: MPI_Reduce_local(a, b, ..) */

    /* These fields are the same on all ranks. */
    const struct service *service;
    struct shape shape; /* its ranks are positions */
    struct cut cut;
    uint64_t sort;          /* a hash of what `meaning` follows from, but for size and cut */
    uint64_t meaning;       /* a hash of the call; see tag_of() in loop.c */
    int64_t unit;           /* bytes of one of facts.units */
    int cell_log;           /* in a segment, a rank leaves at most 2^cell_log bytes in a round */
    bool small;             /* in a segment, the cells lie beside the turns; see segment.h */
    int64_t scratch_agreed; /* bytes of scratch memory that the data need */

    /* These fields are this rank's. */
    int at;                         /* its position in the schedule */
    const int *order;               /* the rank at each position; NULL: rank r is at r */
    int site_first, site_end;       /* positions site_first .. site_end-1 belong to its site */
    int64_t scratch;                /* bytes of scratch memory; more than agreed if the datatype has gaps */
    int64_t room;                   /* bytes of a scratch slot or, in a broadcast, of a bounce buffer */
    int64_t folded;                 /* most elements with gaps that a fold in a segment takes at once */
    ptrdiff_t slot_at;              /* bytes from the start of a slot to element 0 of its block */
    ptrdiff_t copy_at;              /* likewise in the copy of IN, which lies behind the slots */
    bool gapless;                   /* the message is one stretch of memory, in order */
    ptrdiff_t stream_at;            /* bytes from a broadcast's buffer to its data, if gapless */
    struct composition composition; /* if service->composed */
};

/* What a rank whose call ends with an error tells all others about that call; see alarm.c. */
struct statement {
    uint64_t meaning; /* the operation's; 0: only the rank is known */
    uint64_t call;    /* as in struct channel */
    int64_t bytes;
    int rank;
    int collective;
    int root, op; /* op: `own_op` of the view */
    int blamed;   /* 1 + the rank whose message was of another call; or 0 */
    int error;    /* the error with which the others end the call */
};

/* The lower bits of a channel's `calls` count; the bits from this one on are the channel's number in its ring. */
enum { CHANNEL_BITS = 32 };

/* What carries the messages of a communicator's operations. */
struct channel {
    const struct wire *mpi;
    MPI_Comm comm;                 /* private */
    struct channel *next, *before; /* ring of channels with this `comm`; NULL: alone */
    uint64_t calls;                /* grows by 1 with each call that takes an engine; the same on all ranks */
    struct segment *segment;       /* of this rank's node, or NULL */
    const struct node_list *nodes; /* the nodes, if there are several and each has a segment; else NULL */
    char *scratch;                 /* memory for blocks */
    int64_t bytes;                 /* of scratch */
    struct walk *walk;             /* memory for the schedule and cursor of the call that runs */
    struct progress *progress;     /* NULL: nobody watches */
    bool mismatch;                 /* two ranks make different calls; the caller clears it */
    struct statement own, other;   /* the two calls of a mismatch */
    int blamed;                    /* as in a statement, while an operation fails; else 0 */
    struct statement later;        /* of a rank that failed in a call that this rank has not reached; meaning 0: none */
};

enum { BOUNCE_BUFFERS = 2 }; /* for the packed blocks of a broadcast whose data have gaps */

/*
 * Plans the stages of a composed operation; call it before operation_make(). `rank`: of the calling process. `rule`: for the
 * call, or NULL. `nodes` outlives the operation.
 */
void operation_compose(struct operation *o, const struct settings *s, const struct rule *rule, const struct node_list *nodes,
                       int rank);

/*
 * These set the derived fields for the calling process, whose rank is `rank`: operation_plan() those that follow from facts
 * and plan, whose engine is not native; operation_fit() also those that follow from the datatype; operation_make() all.
 */
void operation_plan(struct operation *o, int rank);
void operation_fit(struct operation *o, int rank);
void operation_make(struct operation *o, int rank);

/*
 * Does what operation_plan() does, if only size and cut have changed since; not for composed operations. Call
 * operation_fit() then.
 */
void operation_cut(struct operation *o, const struct facts *f, const struct plan *plan);

/*
 * After operation_make(): keeps schedule and tape, or the stages of a composed operation of one slice, if there is memory.
 */
void operation_keep(struct operation *o);

/* Lets the processor fetch the short cells of a segment that the next run uses. Does nothing for other operations. */
void operation_fetch(const struct operation *o, const struct channel *c);

/* Frees what the operation owns. */
void operation_end(struct operation *o);

/*
 * Was memory too short for the typemap? Then this rank must not go native alone: it refuses where ranks agree on scratch
 * memory, or else its messages tell the others that it fails (loop.c).
 */
static inline bool operation_lacks_map(const struct operation *o)
{
    return !o->element.plain && !o->map;
}

/*
 * Performs the operation. The channel has scratch_agreed bytes of scratch memory on each rank. Returns MPI_SUCCESS or the
 * first error; after the first step, there is no way back to the native call. If a rank returns an error, all ranks whose
 * results depend on its data do, too.
 */
int operation_run(const struct operation *o, const struct view *v, struct channel *channel);
