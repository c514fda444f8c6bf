/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation while it runs. The data of a broadcast are a stream of bytes in the order of the type signature, as datatypes
 * may differ (stream.c); with gaps, blocks pass through two bounce buffers. Those of a reduction or scan are elements
 * (elements.c) in the layout of the application's datatype, for MPI_Reduce_local, in its buffers or in scratch slots.
 */
#pragma once

#include "operation.h"

#include <assert.h>

/* See pending.c. */
enum { PENDING_MOST = 32 };

struct pending_send {
    MPI_Request request;
    int to;
    struct piece piece;
};

/* The application's call, of all its stages. */
struct run_of_call {
    const struct operation *o;
    uint64_t meaning; /* of call and operation; never 0 */
    int rank;         /* of this process */
    char *drop;       /* for received data, on a rank without memory for a composed call; or NULL */
};

struct execution {
    const struct operation *o;
    const struct run_of_call *call;
    const struct view *view;
    struct channel *channel;
    uint64_t meaning; /* of call and operation */
    unsigned rounds;  /* waiting rounds, if a thread watches; alarm.c */
    int tag;
    int error;                    /* why this rank has no result; loop.c */
    bool lacks;                   /* fails as without memory: drops received data */
    int64_t base;                 /* of the first round, in the segment */
    int width_log;                /* cells have 2^width_log spots */
    uint64_t note;                /* a hash of `meaning` and the call's number, for notes */
    int64_t past_from;            /* bytes from which copies into cells go past the caches */
    bool claims;                  /* takes the lines of cells that it reads; copies.h */
    int64_t last;                 /* of the latest exchange */
    int64_t ahead;                /* bytes to this site since the last synchronous send */
    struct pending_send *pending; /* a ring buffer of PENDING_MOST */
    int pending_sends, oldest;    /* in use; index of the oldest */
    int64_t far_ahead;            /* pending bytes since the last synchronous one */
    /* broadcast */
    char *stream;                    /* if gapless */
    char *bounce[BOUNCE_BUFFERS];    /* else: packed blocks */
    int64_t bounced[BOUNCE_BUFFERS]; /* the block in each, or -1 */
    /* reduction */
    char *slot[SLOTS]; /* element 0 of IN, OUT, or of a scratch slot's block */
};

static inline int rank_at(const struct operation *o, int position)
{
    assert(position == NOBODY || (position >= 0 && position < o->shape.ranks));
    return position == NOBODY ? MPI_PROC_NULL : o->order ? o->order[position] : position;
}

/* A stage with ports is of a composed engine, but has a schedule. */
static inline bool operation_has_stages(const struct operation *o)
{
    return o->service->composed && !o->shape.ports.ranks;
}

/* Whose part of the segment; with ports, positions are numbers on the node. */
static inline int part_at(const struct operation *o, int position)
{
    return o->shape.ports.ranks ? position : rank_at(o, position);
}

/* In the segment. */
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

/* Tags of blocks are below TAGS; two more are the alarm's; FAILED is a bit. MPI promises 2^15 tags. */
enum { FAILED = 1 << 14, TAGS = FAILED - 2 };

static inline bool is_own(const struct execution *e, int tag)
{
    return (tag & ~FAILED) == e->tag;
}

/* Of this rank's messages. */
static inline int tag_now(const struct execution *e)
{
    return e->error == MPI_SUCCESS ? e->tag : e->tag | FAILED;
}

/*
 * A call, or a stage. *failed: MPI_SUCCESS, or the error with which this rank took part without data. Returns an error if it
 * cannot go on.
 */
int operation_execute(const struct operation *o, const struct view *v, struct channel *channel,
                      const struct run_of_call *call, int *failed);

/* For operation_make(); see composed.c. */
void composition_make(struct operation *o, int rank);

/* For operation_keep() and operation_end(). */
void composition_keep(struct operation *o);
void composition_drop(struct composition *c);

/* As operation_run(). */
int composed_run(const struct operation *o, const struct view *v, struct channel *channel, const struct run_of_call *call);

/* Of `bytes` bytes, to another site. */
int pending_send(struct execution *e, struct piece piece, const struct buffer *out, int64_t bytes, int to);

/* Until none reads the block's memory. */
int pending_spare(struct execution *e, struct piece piece);

int pending_end(struct execution *e);

/* After an error: receivers may never come. */
void pending_drop(struct execution *e);

/* Ends early with an error on an alarm. `meets`: synchronous. Receives no message of another call. */
int alarm_exchange(struct execution *e, const struct buffer *out, int to, bool meets, const struct buffer *in, int from,
                   MPI_Status *status);

/* On an alarm, an error: the request is then still active. */
int alarm_await(struct execution *e, MPI_Request *send);

/*
 * A message in `in` with another tag than the operation's. Receives the right one, or returns the error that ends the
 * operation.
 */
int alarm_hear(struct execution *e, const struct buffer *in, int from, MPI_Status *status);

/* At the start, for an alarm that came during an earlier call. Returns the error, if it is about this operation. */
int alarm_recall(struct execution *e);

/* Notice and statement to all other ranks. In a mismatch, waits at most a second for the other statement. */
void alarm_raise(struct execution *e, int error);

/* Of any rank; lets MPI make progress. Returns the error that ends the operation, if any. */
int alarm_listen(struct execution *e);

/* `rank` makes another call. Returns the error. */
int alarm_foreign(struct channel *c, int rank);

/* Through the channel's segment. */
void rounds_begin(struct execution *e, const struct schedule *schedule);

/* An error if this rank cannot go on. If a fold fails, sets e->error. */
int rounds_step(struct execution *e, const struct step *x);

/* After the last step, or one with this error. */
void rounds_end(const struct execution *e, int error);

/* So that no rank waits for this one. */
void rounds_skip(struct segment *s, const struct operation *o, int64_t rounds);

/* Of an exchange between cells, with ports. */
void cells_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* A copy or fold of blocks that may lie in cells. */
int cells_act(struct execution *e, const struct step *x);

void stream_open(struct execution *e);

/* Packs the block to be sent, if there are gaps. */
void stream_ends(struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* To its place. */
void stream_arrived(struct execution *e, const struct step *x);

void elements_open(struct execution *e);
void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* b = a (+) b */
int elements_fold(const struct execution *e, const void *a, void *b, int count);
int elements_combine(const struct wire *mpi, const struct operation *o, const struct view *v, const void *a, void *b,
                     int count);

/* Unless the addresses are equal. */
void elements_copy(const struct operation *o, const char *from, char *to, int64_t count);

/* A fold or copy. */
int elements_act(const struct execution *e, const struct step *x);
