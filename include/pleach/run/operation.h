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
    const void *in; /* equal to `out` for MPI_IN_PLACE; NULL for broadcast */
    void *out;      /* NULL if MPI does not read it */
    int64_t count;
    MPI_Datatype datatype;
    MPI_Op op;  /* or MPI_OP_NULL */
    int own_op; /* op_own(): the same on all ranks */
    int error;  /* if any, this rank fails as without memory */
};

/* operation_compose() sets lanes.nodes and `plan`, operation_make() the rest. */
struct composition {
    struct lanes lanes;
    struct plan plan[STAGE_PHASES];
    struct node_rank self;
    int64_t cell;                /* bytes */
    const struct places *places; /* of the nodes, owned by the communicator; or NULL */
    struct kept_stages *stages;  /* for one slice, owned; by operation_keep(); or NULL */
    const int *order;            /* the node at each position of a lane; NULL: n at n */
    int64_t room;                /* bytes for a slice, with gaps */
    int64_t kept, kept_agreed;   /* bytes of BUFFER_KEPT: with gaps, without */
};

struct operation {
    /* The caller sets these, but operation_keep() `schedule`, `tape`, `steps`. */
    struct facts facts; /* no ranks: not prepared */
    int64_t count;
    MPI_Datatype datatype;
    struct identity type;
    bool in_place;
    struct plan plan;
    struct extents element;
    struct typemap *map;       /* of the message, owned; NULL for plain types, or without memory */
    struct schedule *schedule; /* owned; NULL: each run makes one */
    struct step *tape;         /* owned; NULL: a cursor finds the steps */
    int steps;
    MPI_Op op;         /* of `fold` */
    fold_kernel *fold; /* b = a (+) b is fold(b, a, b, count); NULL: MPI_Reduce_local(a, b, ..) */

    /* The same on all ranks. */
    const struct service *service;
    struct shape shape; /* of positions */
    struct cut cut;
    uint64_t sort;          /* `meaning` without size and cut */
    uint64_t meaning;       /* a hash of the call; tag_of() in loop.c */
    int64_t unit;           /* bytes of a unit */
    int cell_log;           /* a rank leaves up to 2^cell_log bytes in a segment in a round */
    bool small;             /* these lie beside the turns; segment.h */
    int64_t scratch_agreed; /* bytes */

    /* This rank's. */
    int at;                         /* its position in the schedule */
    const int *order;               /* the rank at each position; NULL: r at r */
    int site_first, site_end;       /* first, and behind the last, position of its site */
    int64_t scratch;                /* bytes, more with gaps */
    int64_t room;                   /* bytes of a scratch slot or bounce buffer */
    int64_t folded;                 /* elements with gaps in one fold in a segment */
    ptrdiff_t slot_at;              /* bytes before element 0 of a slot's block */
    ptrdiff_t copy_at;              /* likewise in IN's copy, behind the slots */
    bool gapless;                   /* in order, too */
    ptrdiff_t stream_at;            /* bytes from the buffer to the data, if gapless */
    struct composition composition; /* if service->composed */
};

/* What a rank whose call ends with an error tells all others. */
struct statement {
    uint64_t meaning; /* of the operation; 0: only the rank is known */
    uint64_t call;    /* as in struct channel */
    int64_t bytes;
    int rank;
    int collective;
    int root, op; /* `own_op` of the view */
    int blamed;   /* 1 + the rank whose message was of another call; or 0 */
    int error;    /* of the others' calls */
};

/* The upper bits of `calls`: the channel's number in its ring. */
enum { CHANNEL_BITS = 32 };

struct channel {
    const struct wire *mpi;
    MPI_Comm comm;
    struct channel *next, *before; /* ring of channels with this `comm`; NULL: alone */
    uint64_t calls;                /* by engines, so far; the same on all ranks */
    struct segment *segment;       /* of this rank's node, or NULL */
    const struct node_list *nodes; /* if all of several nodes have segments; or NULL */
    char *scratch;
    int64_t bytes; /* of scratch */
    struct walk *walk;
    struct progress *progress; /* or NULL */
    bool mismatch;             /* two ranks make different calls; the caller clears it */
    struct statement own, other;
    int blamed;             /* as in a statement, while an operation fails; else 0 */
    struct statement later; /* of a failed rank in a later call; meaning 0: none */
};

enum { BOUNCE_BUFFERS = 2 }; /* for packed blocks of a broadcast with gaps */

/* Plans the stages, before operation_make(). `rule`: or NULL. `nodes` outlives the operation. */
void operation_compose(struct operation *o, const struct settings *s, const struct rule *rule, const struct node_list *nodes,
                       int rank);

/* They set derived fields: those of facts and plan, not native; those of the datatype, too; all. */
void operation_plan(struct operation *o, int rank);
void operation_fit(struct operation *o, int rank);
void operation_make(struct operation *o, int rank);

/* operation_plan() after a change of size and cut alone; not for composed ones. operation_fit() must follow. */
void operation_cut(struct operation *o, const struct facts *f, const struct plan *plan);

/* After operation_make(): keeps schedule and tape, or the stages of one slice, if there is memory. */
void operation_keep(struct operation *o);

/* Prefetches short cells of the next run. */
void operation_fetch(const struct operation *o, const struct channel *c);

void operation_end(struct operation *o);

/*
 * No memory for the typemap. The rank must not go native alone: it refuses where ranks agree on scratch memory, or its
 * messages tell (loop.c).
 */
static inline bool operation_lacks_map(const struct operation *o)
{
    return !o->element.plain && !o->map;
}

/*
 * All ranks need scratch_agreed bytes of scratch memory. Returns MPI_SUCCESS or the first error; no way back to the native
 * call after the first step. All ranks whose results depend on a rank with an error return one, too.
 */
int operation_run(const struct operation *o, const struct view *v, struct channel *channel);
