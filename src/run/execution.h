/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation while it runs. A broadcast's data are a stream of bytes in signature order, as datatypes may differ
 * (stream.c); with gaps, blocks pass through bounce buffers. Those of reductions and scans are elements (elements.c), laid
 * out as the application's datatype, as MPI_Reduce_local needs it.
 */
#pragma once

#include "operation.h"

#include <assert.h>

/* Pending sends; see pending.c. */
enum { PENDING_MOST = 32 };

struct pending_send {
    MPI_Request request;
    int to;             /* rank of the communicator */
    struct piece piece; /* the blocks that it sends */
};

/* The application's call: the same for all stages of a composed operation. */
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
    uint64_t meaning; /* of call and operation */
    unsigned rounds;  /* waited, if a thread watches; alarm.c */
    int tag;
    int error;                    /* MPI_SUCCESS, or why this rank has no result; see loop.c */
    bool lacks;                   /* this rank fails for lack of memory: it drops received data */
    int64_t base;                 /* the number of the operation's first round in the segment */
    int width_log;                /* cells have 2^width_log spots */
    uint64_t note;                /* a hash of `meaning` and the call's number, for the notes of rounds */
    int64_t past_from;            /* bytes from which copies into cells go past caches */
    bool claims;                  /* this rank takes the lines of cells that it has read; see copies.h */
    int64_t last;                 /* step number of the latest exchange */
    int64_t ahead;                /* bytes sent to ranks of this site since the last synchronous send */
    struct pending_send *pending; /* a ring buffer of PENDING_MOST */
    int pending_sends, oldest;    /* in use; index of the oldest */
    int64_t far_ahead;            /* pending bytes since the last synchronous one */
    /* broadcast */
    char *stream;                    /* the data, if gapless */
    char *bounce[BOUNCE_BUFFERS];    /* packed blocks, if the data have gaps */
    int64_t bounced[BOUNCE_BUFFERS]; /* the block in each, or -1 */
    /* reduction */
    char *slot[SLOTS]; /* element 0 of IN, OUT, or of a slot's block */
};

/* The rank of the communicator at a position. */
static inline int rank_at(const struct operation *o, int position)
{
    assert(position == NOBODY || (position >= 0 && position < o->shape.ranks));
    return position == NOBODY ? MPI_PROC_NULL : o->order ? o->order[position] : position;
}

/* Is it made of stages? A stage with ports has a composed service, but a schedule. */
static inline bool operation_has_stages(const struct operation *o)
{
    return o->service->composed && !o->shape.ports.ranks;
}

/* The segment's part of the rank at a position; with ports, positions there are numbers on the node. */
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
 * Tags 0 .. TAGS-1 are for blocks, two more for the alarm; a failed rank adds the bit FAILED. All tags are below 2^15, as
 * MPI promises.
 */
enum { FAILED = 1 << 14, TAGS = FAILED - 2 };

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
 * Runs a call, or a stage of a composed call. *failed: MPI_SUCCESS, or the error with which this rank took part without
 * data. Returns an error if the rank cannot go on.
 */
int operation_execute(const struct operation *o, const struct view *v, struct channel *channel,
                      const struct run_of_call *call, int *failed);

/* Sets the fields of a composed operation; see composed.c. For operation_make(). */
void composition_make(struct operation *o, int rank);

/* For operation_keep() and operation_end(). */
void composition_keep(struct operation *o);
void composition_drop(struct composition *c);

/* Runs a composed operation; returns what operation_run() returns. */
int composed_run(const struct operation *o, const struct view *v, struct channel *channel, const struct run_of_call *call);

/* Begins to send a block of `bytes` bytes to another site. */
int pending_send(struct execution *e, struct piece piece, const struct buffer *out, int64_t bytes, int to);

/* Waits until no pending send reads the block's memory. */
int pending_spare(struct execution *e, struct piece piece);

int pending_end(struct execution *e);

/* Gives up all pending sends after an error, as their receivers may never come. */
void pending_drop(struct execution *e);

/*
 * Performs an exchange. Returns an error if a rank raises the alarm meanwhile. `meets`: the send is synchronous. Receives no
 * message of another call.
 */
int alarm_exchange(struct execution *e, const struct buffer *out, int to, bool meets, const struct buffer *in, int from,
                   MPI_Status *status);

/* Waits for a pending send. Returns an error if a rank raises the alarm meanwhile; the request is then still active. */
int alarm_await(struct execution *e, MPI_Request *send);

/*
 * Call it if the message in `in` has another tag, by the status. Receives the right message and sets its status, or returns
 * the error that ends the operation.
 */
int alarm_hear(struct execution *e, const struct buffer *in, int from, MPI_Status *status);

/* Call it at the start of an operation. Returns the error that ends it if an alarm during an earlier call was about it. */
int alarm_recall(struct execution *e);

/*
 * Tells all other ranks that the operation has failed here. In a mismatch, waits at most a second for the statement of the
 * other call.
 */
void alarm_raise(struct execution *e, int error);

/* Looks for an alarm, and so lets MPI make progress. Returns the error that ends the operation, if any. */
int alarm_listen(struct execution *e);

/* Notes that `rank` makes another call than this rank. Returns an error for the operation. */
int alarm_foreign(struct channel *c, int rank);

void rounds_begin(struct execution *e, const struct schedule *schedule);

/* Performs a step. Returns an error if this rank cannot go on; if a fold fails, sets e->error and goes on. */
int rounds_step(struct execution *e, const struct step *x);

/* Ends the operation, after its last step or the step that returned `error`. */
void rounds_end(const struct execution *e, int error);

/* Gives up the next `rounds` rounds, so that no rank waits for this one there. */
void rounds_skip(struct segment *s, const struct operation *o, int64_t rounds);

/* Sets the ends of an exchange of blocks that lie in cells, with ports. */
void cells_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Performs a copy or fold of blocks that may lie in cells. */
int cells_act(struct execution *e, const struct step *x);

void stream_open(struct execution *e);

/* Sets the ends of an exchange. Packs the block to be sent, if the data have gaps. */
void stream_ends(struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

void stream_arrived(struct execution *e, const struct step *x);

void elements_open(struct execution *e);
void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* b = a (+) b */
int elements_fold(const struct execution *e, const void *a, void *b, int count);
int elements_combine(const struct wire *mpi, const struct operation *o, const struct view *v, const void *a, void *b,
                     int count);

/* Copies elements, unless the addresses are equal. */
void elements_copy(const struct operation *o, const char *from, char *to, int64_t count);

int elements_act(const struct execution *e, const struct step *x);
