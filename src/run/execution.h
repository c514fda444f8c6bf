/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation while it runs, and the two kinds of message that there are:
 *
 *   a broadcast is a stream of bytes, the data in the order of the type signature, as ranks may have different datatypes
 *   (stream.c). Where that stream is one stretch of memory, blocks are sent from and received into it; elsewhere they pass
 *   through one of two bounce buffers.
 *
 *   a reduction is an array of elements of one datatype and is cut between elements (elements.c). Blocks lie in the
 *   application's buffers or, with the same datatype, in scratch slots, so that MPI_Reduce_local gets the handles that the
 *   application gave.
 */
#ifndef PLEACH_EXECUTION_H
#define PLEACH_EXECUTION_H

#include "operation.h"

/* Sends under way; see pending.c. */
enum { PENDING_MOST = 32 };

struct pending_send {
    MPI_Request request;
    int to;             /* which rank of the communicator */
    struct piece piece; /* what is sent */
};

struct execution {
    const struct operation *o;
    const struct view *view;
    struct channel *channel;
    uint64_t meaning; /* of the call, and of its operation */
    unsigned rounds;  /* of looking for messages, where somebody watches */
    int tag;
    int error;                    /* MPI_SUCCESS, or why this rank's result is not to be had; see loop.c */
    bool lacks;                   /* memory for gaps or a typemap: what comes in is dropped */
    int64_t last;                 /* step number of the latest exchange */
    int64_t ahead;                /* bytes sent since the last synchronous send */
    struct pending_send *pending; /* PENDING_MOST of them, a ring */
    int pending_sends, oldest;    /* number under way; the first of them */
    int64_t flown;                /* bytes since the last of them that waits for its receiver */
    /* broadcast */
    char *stream;                 /* the data, if gapless */
    char *bounce[BOUNCE_BUFFERS]; /* packed blocks, else */
    int64_t held[BOUNCE_BUFFERS]; /* which block each bounce buffer holds; -1: none */
    /* reduction */
    char *slot[SLOTS]; /* IN, OUT: element 0 of the message; scratch: element 0 of the block that lies there */
};

/* One end of an exchange. */
struct buffer {
    void *memory;
    int count;
    MPI_Datatype type;
};

/*
 * Of blocks, tags 0 .. TAGS-1; two more are the alarm's. Those of failed ranks have one bit more. All are below 2^15, as MPI
 * promises.
 */
enum { FAILED = 1 << 14, TAGS = FAILED - 2 };

/* Is it a tag of this operation's blocks? */
static inline bool is_own(const struct execution *e, int tag)
{
    return (tag & ~FAILED) == e->tag;
}

/* The tag of what is sent now. */

static inline int tag_now(const struct execution *e)
{
    return e->error == MPI_SUCCESS ? e->tag : e->tag | FAILED;
}

/* Sends a block of so many bytes to another site, without waiting for its receiver. */
int pending_send(struct execution *e, struct piece piece, const struct buffer *out, int64_t bytes, int to);

/* Waits until the memory of a block may be written. */
int pending_spare(struct execution *e, struct piece piece);

/* Waits for all that is under way. */
int pending_end(struct execution *e);

/*
 * An exchange that ends early, with an error, when a rank raises the alarm. `meets`: the send is synchronous. A message of
 * another call is left where it is.
 */
int alarm_exchange(struct execution *e, const struct buffer *out, int to, bool meets, const struct buffer *in, int from,
                   MPI_Status *status);

/*
 * A message from a rank that was to go to `in` has the status's tag, which is not the operation's; `in` is as MPI left it.
 * Returns the error by which the operation ends; or MPI_SUCCESS, when the message that was waited for has come instead, with
 * its status.
 */
int alarm_hear(struct execution *e, const struct buffer *in, int from, MPI_Status *status);

/* At the start, if a rank has raised the alarm in what was a later call: MPI_SUCCESS, or this is the one. */
int alarm_recall(struct execution *e);

/* Tells all other ranks that the operation has ended with an error here. Waits a second for who made another call. */
void alarm_raise(struct execution *e, int error);

void stream_open(struct execution *e);

/* Both ends of an exchange, those that it has; a block that is sent is there. */
void stream_ends(struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Puts a block that has come in where it belongs. */
void stream_arrived(struct execution *e, const struct step *x);

void elements_open(struct execution *e);
void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Folds or copies. */
int elements_act(const struct execution *e, const struct step *x);

#endif
