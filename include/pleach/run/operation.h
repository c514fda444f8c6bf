/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation: a call ready to run, with all that stays the same when the program repeats it. One loop runs the operations
 * of all engines: it only exchanges, folds and copies. Library, `pleach bench` and wind tunnel share it.
 */
#pragma once

#include "bytes.h"
#include "choose.h"
#include "kernels.h"
#include "lanes.h"
#include "progress.h"
#include "segment.h"
#include "wire.h"

/* What may differ between ranks in a valid call. The room `choose` never sees it. */
struct view {
    const void *in; /* equal to `out` for MPI_IN_PLACE; NULL for broadcast */
    void *out;      /* also the broadcast's; NULL if MPI does not read the argument */
    int64_t count;  /* elements of datatype */
    MPI_Datatype datatype;
    MPI_Op op;  /* MPI_OP_NULL for broadcast */
    int own_op; /* op_own() of a predefined operation, the same on all ranks; else 0 */
    int error;  /* else the buffers cannot be used, and this rank fails as without memory */
};

/* Stages (composed.c). operation_compose() sets lanes.nodes and `plan`, operation_make() the rest. */
struct composition {
    struct lanes lanes;
    struct plan plan[STAGE_PHASES]; /* of this rank's stages */
    struct node_rank self;          /* this process */
    int64_t cell;                   /* of the nodes' segments, in bytes */
    const struct places *places;    /* of the nodes, owned by the communicator; or NULL */
    struct kept_stages *stages;     /* of a call of one slice; by operation_keep(), owned; or NULL */
    const int *order;               /* the node at each position of a lane; NULL: node n at n */
    int64_t room;                   /* bytes of scratch memory for a slice, with this rank's gaps */
    int64_t kept, kept_agreed;      /* bytes of BUFFER_KEPT, with this rank's gaps and without */
};

struct operation {
    /* Set by the caller; `schedule`, `tape` and `steps` by operation_keep(); later groups by operation_make(). */
    struct facts facts; /* no ranks: not prepared */
    int64_t count;      /* elements of datatype */
    MPI_Datatype datatype;
    struct identity type;
    bool in_place;
    struct plan plan;
    struct extents element;
    struct typemap *map;       /* of the message, owned; NULL for plain types, or without memory */
    struct schedule *schedule; /* this rank's, owned; NULL: each run makes one */
    struct step *tape;         /* its steps, if few, owned; NULL: a cursor finds them */
    int steps;
    MPI_Op op;         /* of `fold` */
    fold_kernel *fold; /* b = a (+) b is fold(b, a, b, count); NULL: MPI_Reduce_local(a, b, ..) */

    /* The same on all ranks. */
    const struct service *service;
    struct shape shape; /* of positions */
    struct cut cut;
    uint64_t sort;          /* the part of `meaning` without size and cut */
    uint64_t meaning;       /* a hash of the call; tag_of() in loop.c */
    int64_t unit;           /* bytes of one of facts.units */
    int cell_log;           /* in a segment: a rank leaves up to 2^cell_log bytes in a round */
    int64_t scratch_agreed; /* bytes of scratch memory for the data */

    /* This rank's. */
    int at;
    const int *order;               /* the rank at each position; NULL: r at r */
    int site_first, site_end;       /* positions of its site: site_first .. site_end-1 */
    int64_t scratch;                /* bytes; more than agreed with gaps */
    int64_t room;                   /* bytes of a scratch slot or, in a broadcast, a bounce buffer */
    int64_t folded;                 /* most elements with gaps in one fold in a segment */
    ptrdiff_t slot_at;              /* bytes in a slot before element 0 of its block */
    ptrdiff_t copy_at;              /* bytes in IN's copy, behind the slots, before its element 0 */
    bool gapless;                   /* one stretch of memory, in order */
    ptrdiff_t stream_at;            /* bytes from the buffer to the data, if gapless */
    struct composition composition; /* if service->composed */
};

/* What a rank whose call ends with an error tells all others (alarm.c). */
struct statement {
    uint64_t meaning; /* of the operation; 0: only the rank is known */
    uint64_t call;    /* as in struct channel */
    int64_t bytes;
    int rank;
    int collective;
    int root, op; /* `own_op` of the view */
    int blamed;   /* 1 + the rank whose message was of another call; 0: unknown */
    int error;    /* of the others' calls */
};

/* The upper bits of `calls` are the number of the channel in its ring. */
enum { CHANNEL_BITS = 32 };

/* Carries the messages of a communicator's operations. */
struct channel {
    const struct wire *mpi;
    MPI_Comm comm;                 /* private */
    struct channel *next, *before; /* a ring of the channels with this `comm`; NULL: alone */
    uint64_t calls;                /* grows by 1 with each call by an engine; the same on all ranks */
    struct segment *segment;       /* of this rank's node, or NULL */
    const struct node_list *nodes; /* if there are several, each with a segment; else NULL */
    char *scratch;                 /* for blocks */
    int64_t bytes;                 /* of scratch */
    struct walk *walk;             /* of the call that runs */
    struct progress *progress;     /* for who watches, or NULL */
    bool mismatch;                 /* two ranks make different calls; the caller clears it */
    struct statement own, other;   /* of a mismatch */
    int blamed;                    /* as in a statement, while an operation fails; else 0 */
    struct statement later;        /* of a failed rank in a call that this one has not reached; meaning 0: none */
};

enum { BOUNCE_BUFFERS = 2 }; /* for packed blocks of a broadcast with gaps */

/* Plans the stages of a composed operation, before operation_make(). `rule`: or NULL. `nodes` outlives the operation. */
void operation_compose(struct operation *o, const struct settings *s, const struct rule *rule, const struct node_list *nodes,
                       int rank);

/*
 * Set derived fields for this process: from facts and plan, not native; from the datatype, too; all. `rank`: of this
 * process.
 */
void operation_plan(struct operation *o, int rank);
void operation_fit(struct operation *o, int rank);
void operation_make(struct operation *o, int rank);

/*
 * operation_plan() after a change of size and cut alone, for an operation that is not composed. operation_fit() must follow.
 */
void operation_cut(struct operation *o, const struct facts *f, const struct plan *plan);

/*
 * After operation_make(), if there is memory: keeps the schedule and the tape, or the stages of a composed call of one
 * slice.
 */
void operation_keep(struct operation *o);

/* Prefetches short cells of the next run; none for other operations. Calls in a row need it not. */
void operation_fetch(const struct operation *o, const struct channel *c);

/* What it owns. */
void operation_end(struct operation *o);

/*
 * No memory for the typemap. The rank must not go native alone: it refuses where ranks agree on scratch memory, or tells the
 * others by its messages (loop.c).
 */
static inline bool operation_lacks_map(const struct operation *o)
{
    return !o->element.plain && !o->map;
}

/*
 * Returns MPI_SUCCESS or the first error; after the first step there is no way back to the native call. All ranks need
 * scratch_agreed bytes of scratch memory. MPI_ERR_NO_MEM without memory for this rank's datatype. All ranks whose results
 * depend on the data of a rank with an error return one, too.
 */
int operation_run(const struct operation *o, const struct view *v, struct channel *channel);
