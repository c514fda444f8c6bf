/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation is a call that is ready to run. It holds all that stays the same when the program repeats the call. One loop
 * runs the operations of all engines and collectives: it only exchanges, folds and copies. The library, `pleach bench` and
 * the wind tunnel have no other executor.
 */
#pragma once

#include "bytes.h"
#include "choose.h"
#include "kernels.h"
#include "lanes.h"
#include "progress.h"
#include "segment.h"
#include "wire.h"

/* The part of a valid call that may differ between ranks. The room `choose` never sees it. */
struct view {
    const void *in; /* send buffer; equal to out for MPI_IN_PLACE; NULL for broadcast */
    void *out;      /* receive buffer, or the broadcast's buffer; NULL if MPI does not read the argument */
    int64_t count;  /* elements of datatype */
    MPI_Datatype datatype;
    MPI_Op op;  /* MPI_OP_NULL for broadcast */
    int own_op; /* number of a predefined operation, by op_own(), the same on all ranks; else 0 */
    int error;  /* MPI_SUCCESS; else the buffers cannot be used, and this rank fails as if it lacked memory */
};

/* A composed operation's stages (composed.c). operation_compose() sets lanes.nodes and `plan`, operation_make() the rest. */
struct composition {
    struct lanes lanes;             /* the same on all ranks */
    struct plan plan[STAGE_PHASES]; /* of this rank's stages; the same on all ranks of a stage's group */
    struct node_rank self;          /* the calling process */
    int64_t cell;                   /* bytes of a cell in the nodes' segments */
    const struct places *places;    /* of the nodes; NULL: none. The communicator owns them */
    struct kept_stages *stages;     /* of a call of one slice, once operation_keep() has made them; owned; else NULL */
    const int *order;               /* the node at each position of a lane; NULL: node n is at position n */
    int64_t room;                   /* bytes of scratch memory for a slice, with this rank's gaps */
    int64_t kept, kept_agreed;      /* bytes of BUFFER_KEPT, with this rank's gaps; kept_agreed: without */
};

struct operation {
    /* The caller sets these fields; operation_keep() `schedule`, `tape`, `steps`; operation_make() the later groups. */
    struct facts facts; /* facts.ranks is 0 before the operation is prepared */
    int64_t count;      /* elements of datatype */
    MPI_Datatype datatype;
    struct identity type; /* of the datatype */
    bool in_place;        /* MPI_IN_PLACE: send and receive buffer are the same memory */
    struct plan plan;
    struct extents element;    /* of the datatype */
    struct typemap *map;       /* of the message; the operation owns it; NULL for plain types, or if memory was short */
    struct schedule *schedule; /* this rank's; the operation owns it; NULL: each run makes one */
    struct step *tape;         /* all its steps, if they are few; the operation owns it; NULL: a cursor finds them */
    int steps;                 /* on the tape */
    MPI_Op op;                 /* to which `fold` belongs */
    fold_kernel *fold;         /* b = a (+) b is fold(b, a, b, count); NULL: MPI_Reduce_local(a, b, ..) folds */

    /* These fields are the same on all ranks. */
    const struct service *service;
    struct shape shape; /* its ranks are positions */
    struct cut cut;
    uint64_t sort;          /* all that `meaning` follows from, but for size and cut */
    uint64_t meaning;       /* a hash of the call; see tag_of() in loop.c */
    int64_t unit;           /* bytes of one of facts.units */
    int cell_log;           /* through a segment: 2^cell_log bytes are enough for what a rank leaves there in a round */
    int64_t scratch_agreed; /* bytes of scratch memory that the data need */

    /* These fields are this rank's. */
    int at;                         /* its position in the schedule */
    const int *order;               /* the rank at each position; NULL: rank r is at position r */
    int site_first, site_end;       /* positions site_first .. site_end-1 belong to its site; 0 and p if all do */
    int64_t scratch;                /* bytes of scratch memory: more than agreed if the datatype has gaps */
    int64_t room;                   /* bytes of a scratch slot, which holds a piece; in a broadcast, of a bounce buffer */
    int64_t folded;                 /* most elements with gaps that a fold in a segment takes at once */
    ptrdiff_t slot_at;              /* bytes from the start of a slot to element 0 of its block */
    ptrdiff_t copy_at;              /* bytes from the start of IN's copy to its element 0; the copy lies behind the slots */
    bool gapless;                   /* the message is one stretch of memory, in order */
    ptrdiff_t stream_at;            /* bytes from the buffer's address to the data of a gapless broadcast */
    struct composition composition; /* if service->composed */
};

/* The statement that a rank sends to all others when its call ends with an error; see alarm.c. It describes that call. */
struct statement {
    uint64_t meaning; /* the operation's hash; 0: only the rank is known */
    uint64_t call;    /* as in struct channel */
    int64_t bytes;
    int rank;       /* of the communicator */
    int collective; /* enum collective */
    int root, op;   /* op: as own_op in struct view */
    int blamed;     /* 1 + the rank whose message belonged to another call; 0: not known */
    int error;      /* the others end the call with it */
};

/* The upper bits of a channel's `calls` stay the same. They are the channel's number: each channel of a ring has its own. */
enum { CHANNEL_BITS = 32 };

/* The channel for messages of operations; one for each communicator. */
struct channel {
    const struct wire *mpi;
    MPI_Comm comm;                 /* private */
    struct channel *next, *before; /* the channels with the same `comm` form a ring; NULL: there is no other one */
    uint64_t calls;                /* grows by 1 with each call that takes an engine; the same on all ranks */
    struct segment *segment;       /* of this rank's node; NULL if there is none, or not yet */
    const struct node_list *nodes; /* the nodes, if there are several and each has a segment; else NULL */
    char *scratch;                 /* memory for blocks */
    int64_t bytes;                 /* of scratch */
    struct walk *walk;             /* memory for the schedule and the cursor of the call that runs */
    struct progress *progress;     /* the loop's progress; NULL: nobody watches */
    bool mismatch;                 /* a message showed that two ranks make different calls; the caller clears it */
    struct statement own, other;   /* the two calls of a mismatch */
    int blamed;                    /* as in a statement; set while an operation fails, else 0 */
    struct statement later;        /* of a rank that failed in a call that this rank has not reached; meaning 0: none */
};

enum { BOUNCE_BUFFERS = 2 }; /* through which the packed blocks of a broadcast pass whose data have gaps */

/*
 * Plans the stages of a composed operation for the calling process, whose rank is `rank`, before operation_make(). `rule`:
 * the rule for the call, or NULL. The list of nodes outlives the operation.
 */
void operation_compose(struct operation *o, const struct settings *s, const struct rule *rule, const struct node_list *nodes,
                       int rank);

/*
 * These set the derived fields for the calling process, whose rank is `rank`: operation_plan() those that follow from facts
 * and plan, whose engine is not native; operation_fit() those that follow from the datatype, too; operation_make() all.
 */
void operation_plan(struct operation *o, int rank);
void operation_fit(struct operation *o, int rank);
void operation_make(struct operation *o, int rank);

/*
 * Does what operation_plan() does, for an operation that is planned and not composed, if only the size of the message has
 * changed: the new facts and the new plan are alike but for size and cut. Call operation_fit() then.
 */
void operation_cut(struct operation *o, const struct facts *f, const struct plan *plan);

/*
 * Call it after operation_make(). If there is memory, keeps the schedule and, if the steps are few, the tape: further runs
 * then take less time. A composed operation keeps its stages, with their schedules, if it has one slice.
 */
void operation_keep(struct operation *o);

/*
 * Has the processor fetch the short cells of the segment that the operation's next run uses. In calls in a row it does so
 * by itself. Does nothing for other operations.
 */
void operation_fetch(const struct operation *o, const struct channel *c);

/* Frees what the operation owns. */
void operation_end(struct operation *o);

/*
 * Returns true if memory was too short for the typemap. Then this rank must not go native alone. If the ranks agree on
 * scratch memory for the call, this rank refuses there; else its messages tell the others that it fails (loop.c).
 */
static inline bool operation_lacks_map(const struct operation *o)
{
    return !o->element.plain && !o->map;
}

/*
 * Performs the operation. The channel has at least scratch_agreed bytes of scratch memory on every rank. Returns MPI_SUCCESS
 * or the first error; after the first step there is no way back to the native call. A rank returns MPI_ERR_NO_MEM if it
 * lacks memory for its own datatype. If a rank returns an error, all ranks whose results depend on its data do so, too.
 */
int operation_run(const struct operation *o, const struct view *v, struct channel *channel);
