/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation while it runs. The data of a call are of one of two kinds:
 *
 *   those of a broadcast are a stream of bytes, in the order of the type signature, as ranks may have different datatypes
 *   (stream.c). In an exchange, MPI sends blocks from the data and receives blocks into them if they are one stretch of
 *   memory; else each block passes through one of two bounce buffers.
 *
 *   those of a reduction or a scan are an array of elements of one datatype, cut between elements (elements.c). Blocks lie
 *   in the application's buffers or in scratch slots. In both they have the layout of the application's datatype, as
 *   MPI_Reduce_local needs it.
 */
#pragma once

#include "operation.h"

#include <assert.h>

/* A pending send; see pending.c. */
enum { PENDING_MOST = 32 };

struct pending_send {
    MPI_Request request;
    int to;             /* rank of the communicator */
    struct piece piece; /* the blocks that it sends */
};

/* The call of the application; its parts are the same for all stages of a composed operation. */
struct run_of_call {
    const struct operation *o;
    uint64_t meaning; /* a hash of the call and its operation; never 0 */
    int rank;         /* of this process in the communicator */
    char *drop;       /* where a rank without memory for a composed call receives data, which it drops; else NULL */
};

struct execution {
    const struct operation *o;
    const struct run_of_call *call;
    const struct view *view;
    struct channel *channel;
    uint64_t meaning; /* a hash of the call and its operation */
    unsigned rounds;  /* of waiting for a message, if a thread watches the call; see alarm.c */
    int tag;
    int error;                    /* MPI_SUCCESS, or why this rank has no result; see loop.c */
    bool lacks;                   /* this rank lacks memory for its datatype, or fails as if it did; drops received data */
    int64_t base;                 /* the number of this operation's first round in the segment */
    int width_log;                /* cells of the operation have 2^width_log spots */
    uint64_t note;                /* a hash of `meaning` and of the number of the call, for the notes of rounds */
    int64_t past_from;            /* copies into cells go past the caches from this many bytes on */
    bool claims;                  /* this rank takes the lines of cells that it has read; see copies.h */
    int64_t last;                 /* step number of the latest exchange */
    int64_t ahead;                /* bytes sent to ranks of this site since the last synchronous send there */
    struct pending_send *pending; /* a ring buffer of PENDING_MOST entries */
    int pending_sends, oldest;    /* number of entries in use; index of the oldest one */
    int64_t far_ahead;            /* bytes of pending sends since the last synchronous one */
    /* broadcast */
    char *stream;                    /* the data, if gapless */
    char *bounce[BOUNCE_BUFFERS];    /* packed blocks, if the data have gaps */
    int64_t bounced[BOUNCE_BUFFERS]; /* the block in each bounce buffer; -1: none */
    /* reduction */
    char *slot[SLOTS]; /* IN, OUT: element 0 of the message; scratch: element 0 of the block that lies there */
};

/* The rank of the communicator at a position of the schedule. */
static inline int rank_at(const struct operation *o, int position)
{
    assert(position == NOBODY || (position >= 0 && position < o->shape.ranks));
    return position == NOBODY ? MPI_PROC_NULL : o->order ? o->order[position] : position;
}

/* Is the operation made of stages? A stage with ports is none of a composed engine, but has a schedule. */
static inline bool operation_has_stages(const struct operation *o)
{
    return o->service->composed && !o->shape.ports.ranks;
}

/* The part of the segment that belongs to the rank at a position; with ports, positions there are numbers on the node. */
static inline int part_at(const struct operation *o, int position)
{
    return o->shape.ports.ranks ? position : rank_at(o, position);
}

/* The number in the segment of an operation's round. */
static inline int64_t number_of(const struct execution *e, int64_t round)
{
    return e->base + (round << e->width_log);
}

/* One end of an exchange. */
struct buffer {
    void *memory;
    int count;
    MPI_Datatype type;
};

/*
 * Tags 0 .. TAGS-1 are for blocks; two more are for the alarm. A failed rank's tags also have the bit FAILED. All tags are
 * below 2^15; MPI promises that so many are valid.
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

/*
 * Runs an operation that is a call, or a stage of a composed call. Sets *failed to MPI_SUCCESS, or to the error with which
 * this rank has taken part without data. Returns an error if the rank cannot go on.
 */
int operation_execute(const struct operation *o, const struct view *v, struct channel *channel,
                      const struct run_of_call *call, int *failed);

/* Sets the fields of a composed operation; see composed.c. For operation_make(). */
void composition_make(struct operation *o, int rank);

/* Does what operation_keep() does, and frees what it has kept. */
void composition_keep(struct operation *o);
void composition_drop(struct composition *c);

/* Runs a composed operation. Returns what operation_run() returns. */
int composed_run(const struct operation *o, const struct view *v, struct channel *channel, const struct run_of_call *call);

/* Begins to send a block of `bytes` bytes to another site. */
int pending_send(struct execution *e, struct piece piece, const struct buffer *out, int64_t bytes, int to);

/* Waits until no pending send reads the block's memory any more. */
int pending_spare(struct execution *e, struct piece piece);

/* Waits for all pending sends. */
int pending_end(struct execution *e);

/* Gives up all pending sends after an error: their receivers may never come. */
void pending_drop(struct execution *e);

/*
 * Performs an exchange. If a rank raises the alarm meanwhile, the exchange ends early and the function returns an error.
 * `meets`: the send is synchronous. The exchange does not receive a message of another call.
 */
int alarm_exchange(struct execution *e, const struct buffer *out, int to, bool meets, const struct buffer *in, int from,
                   MPI_Status *status);

/* Waits for a pending send. If a rank raises the alarm meanwhile, returns an error; the request is then still active. */
int alarm_await(struct execution *e, MPI_Request *send);

/*
 * Handles a message in `in` whose tag, in the status, is not the operation's. If the operation goes on, receives the right
 * message, sets its status and returns MPI_SUCCESS. Otherwise returns the error that ends the operation.
 */
int alarm_hear(struct execution *e, const struct buffer *in, int from, MPI_Status *status);

/*
 * Call it at the start of an operation if another rank raised an alarm while this rank was in an earlier call. Returns
 * MPI_SUCCESS if the alarm is not about this operation, else the error that ends it.
 */
int alarm_recall(struct execution *e);

/*
 * Sends all other ranks the notice that the operation has failed here, and the statement of its call. In a mismatch, waits
 * at most a second for the statement of the other call.
 */
void alarm_raise(struct execution *e, int error);

/* Looks for the alarm of any rank, and so lets MPI make progress. Returns the error that ends the operation, if any. */
int alarm_listen(struct execution *e);

/* Notes that `rank` makes another call than this rank does. Returns an error for the operation. */
int alarm_foreign(struct channel *c, int rank);

/* Begins an operation that goes through the channel's segment by this schedule. */
void rounds_begin(struct execution *e, const struct schedule *schedule);

/* Performs a step. Returns an error if this rank cannot go on. If a fold fails, sets e->error and goes on. */
int rounds_step(struct execution *e, const struct step *x);

/* Ends the operation after its last step, or after the step that returned `error`. */
void rounds_end(const struct execution *e, int error);

/* Gives up the next rounds, so that no rank waits for this rank there. */
void rounds_skip(struct segment *s, const struct operation *o, int64_t rounds);

/* Sets the ends of an exchange of blocks that lie in cells, as ports have it. */
void cells_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Performs a copy or a fold of blocks that may lie in cells. Returns an error if an operation or a copy fails. */
int cells_act(struct execution *e, const struct step *x);

void stream_open(struct execution *e);

/* Sets the ends of an exchange, and packs the block to be sent if the data have gaps. */
void stream_ends(struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Moves a received block to its place. */
void stream_arrived(struct execution *e, const struct step *x);

void elements_open(struct execution *e);
void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Folds elements with the call's operation: b = a (+) b. */
int elements_fold(const struct execution *e, const void *a, void *b, int count);
int elements_combine(const struct wire *mpi, const struct operation *o, const struct view *v, const void *a, void *b,
                     int count);

/* Copies elements, unless both addresses are the same. */
void elements_copy(const struct operation *o, const char *from, char *to, int64_t count);

/* Performs a fold or a copy. */
int elements_act(const struct execution *e, const struct step *x);
