/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation while it runs, and the two kinds of message:
 *
 *   a broadcast is a stream of bytes: the data in the order of the type signature, as ranks may have different datatypes
 *   (stream.c). If that stream is one stretch of memory, blocks are sent from it and received into it; else they pass
 *   through one of two bounce buffers.
 *
 *   a reduction is an array of elements of one datatype, and is cut between elements (elements.c). Blocks lie in the
 *   application's buffers or in scratch slots. They have the application's datatype in both, as MPI_Reduce_local needs it.
 */
#ifndef PLEACH_EXECUTION_H
#define PLEACH_EXECUTION_H

#include "operation.h"

#include <assert.h>

/* Sends under way; see pending.c. */
enum { PENDING_MOST = 32 };

struct pending_send {
    MPI_Request request;
    int to;             /* rank of the communicator */
    struct piece piece; /* the blocks that it sends */
};

struct execution {
    const struct operation *o;
    const struct view *view;
    struct channel *channel;
    uint64_t meaning; /* of the call, and of its operation */
    unsigned rounds;  /* how often this rank has looked for messages, if the call is watched; see alarm.c */
    int tag;
    int error;                    /* MPI_SUCCESS, or why this rank has no result; see loop.c */
    bool lacks;                   /* this rank lacks memory for gaps or a typemap, and drops incoming data */
    int64_t base;                 /* rounds of the segment before this operation */
    int64_t past_from;            /* bytes from which copies into cells go past the caches */
    bool takes;                   /* this rank takes the lines of cells that it has read; see copies.h */
    int64_t last;                 /* step number of the latest exchange */
    int64_t ahead;                /* bytes sent since the last synchronous send */
    struct pending_send *pending; /* a ring of PENDING_MOST */
    int pending_sends, oldest;    /* number of entries in use; index of the oldest one */
    int64_t flown;                /* bytes of pending sends since the last synchronous one */
    /* broadcast */
    char *stream;                 /* the data, if gapless */
    char *bounce[BOUNCE_BUFFERS]; /* packed blocks, if the data have gaps */
    int64_t held[BOUNCE_BUFFERS]; /* the block in each bounce buffer; -1: none */
    /* reduction */
    char *slot[SLOTS]; /* IN, OUT: element 0 of the message; scratch: element 0 of the block that lies there */
};

/* The rank of the communicator at a position of the schedule. */
static inline int rank_at(const struct operation *o, int position)
{
    assert(position == NOBODY || (position >= 0 && position < o->shape.ranks));
    return position == NOBODY ? MPI_PROC_NULL : o->order ? o->order[position] : position;
}

/* One end of an exchange. */
struct buffer {
    void *memory;
    int count;
    MPI_Datatype type;
};

/*
 * Tags 0 .. TAGS-1 are for blocks; two more are for the alarm. A failed rank's tags have one bit more. All are below 2^15,
 * as MPI promises.
 */
enum { FAILED = 1 << 14, TAGS = FAILED - 2 };

/* Is it a tag of this operation's blocks? */
static inline bool is_own(const struct execution *e, int tag)
{
    return (tag & ~FAILED) == e->tag;
}

/* The tag for this rank's messages from now on. */
static inline int tag_now(const struct execution *e)
{
    return e->error == MPI_SUCCESS ? e->tag : e->tag | FAILED;
}

/* Sends a block of so many bytes to another site, without waiting for its receiver. */
int pending_send(struct execution *e, struct piece piece, const struct buffer *out, int64_t bytes, int to);

/* Waits until the block's memory may be overwritten. */
int pending_spare(struct execution *e, struct piece piece);

/* Waits for all pending sends. */
int pending_end(struct execution *e);

/*
 * An exchange that ends early, with an error, when a rank raises the alarm. `meets`: the send is synchronous. A message of
 * another call stays where it is.
 */
int alarm_exchange(struct execution *e, const struct buffer *out, int to, bool meets, const struct buffer *in, int from,
                   MPI_Status *status);

/*
 * Handles a message that MPI has received into `in`, but whose tag (in the status) is not the operation's. Returns the error
 * that ends the operation. Or waits for the right message, and returns MPI_SUCCESS with its status.
 */
int alarm_hear(struct execution *e, const struct buffer *in, int from, MPI_Status *status);

/*
 * Called at the start if a rank raised an alarm while this one was in an earlier call. Returns MPI_SUCCESS if that alarm is
 * not about this call.
 */
int alarm_recall(struct execution *e);

/* Tells all other ranks that the operation has failed here. Waits a second for a rank that made another call. */
void alarm_raise(struct execution *e, int error);

/* Looks for the alarm of any rank, which drives the MPI library, too. Returns the error that ends the operation. */
int alarm_listen(struct execution *e);

/* Notes that a rank makes another call, and returns the error. */
int alarm_foreign(struct channel *c, int rank);

/* Before the first step of an operation that goes through the channel's segment. `one_reader`: as in struct schedule. */
void rounds_begin(struct execution *e, bool one_reader);

/* Takes one of its steps. Returns an error if this rank cannot go on; a failed fold goes to e->error, as elsewhere. */
int rounds_step(struct execution *e, const struct step *x);

/* After its last step, or the one that ended it with an error. The operation has so many rounds. */
void rounds_end(struct execution *e, int64_t rounds, int error);

void stream_open(struct execution *e);

/* Sets the ends of an exchange, and packs the block to be sent, if it must be packed. */
void stream_ends(struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Moves a received block to its place. */
void stream_arrived(struct execution *e, const struct step *x);

void elements_open(struct execution *e);
void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Folds elements with the call's operation: b = a (+) b. */
int elements_fold(const struct execution *e, const void *a, void *b, int count);

/* Folds or copies. */
int elements_act(const struct execution *e, const struct step *x);

#endif
