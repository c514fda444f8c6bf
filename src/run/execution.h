/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An operation while it runs. A broadcast's data are a stream of bytes in signature order, as datatypes may differ
 * (stream.c); with gaps, blocks pass through bounce buffers. Those of reductions and scans are elements (elements.c), laid
 * out as the application's datatype, as MPI_Reduce_local needs it.
 */
#pragma once

#include "operation.h"

#include <assert.h>

enum { PENDING_MOST = 32 };

struct pending_send {
    MPI_Request request;
    int to;
    struct piece piece;
};

/* For all stages. */
struct run_of_call {
    const struct operation *o;
    uint64_t meaning; /* of call and operation; never 0 */
    int rank;         /* of this process */
    char *drop;       /* for data that a rank without memory drops; or NULL */
};

struct execution {
    const struct operation *o;
    const struct run_of_call *call;
    const struct view *view;
    struct channel *channel;
    uint64_t meaning; /* of call and operation */
    unsigned rounds;  /* waited, if a thread watches; alarm.c */
    int tag;
    int error;                    /* why there is no result here; loop.c */
    bool lacks;                   /* fails as without memory: drops received data */
    int64_t base;                 /* of the first round, in the segment */
    int width_log;                /* cells have 2^width_log spots */
    uint64_t note;                /* of `meaning` and the call's number */
    int64_t past_from;            /* bytes from which copies into cells go past caches */
    bool claims;                  /* takes the lines of cells that it reads; copies.h */
    int64_t last;                 /* step number of the latest exchange */
    int64_t ahead;                /* bytes sent to ranks of this site since the last synchronous send */
    struct pending_send *pending; /* a ring buffer of PENDING_MOST */
    int pending_sends, oldest;    /* in use; index of the oldest */
    int64_t far_ahead;            /* pending bytes since the last synchronous one */
    /* broadcast */
    char *stream;                    /* if gapless .. */
    char *bounce[BOUNCE_BUFFERS];    /* .. else packed blocks */
    int64_t bounced[BOUNCE_BUFFERS]; /* the block in each, or -1 */
    /* reduction */
    char *slot[SLOTS]; /* element 0 of IN, OUT, or of a slot's block */
};

static inline int rank_at(const struct operation *o, int position)
{
    assert(position == NOBODY || (position >= 0 && position < o->shape.ranks));
    return position == NOBODY ? MPI_PROC_NULL : o->order ? o->order[position] : position;
}

/* A stage with ports is composed, but has a schedule. */
static inline bool operation_has_stages(const struct operation *o)
{
    return o->service->composed && !o->shape.ports.ranks;
}

/* With ports, positions are numbers on the node. */
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

/* For blocks; two more tags are the alarm's. All are below 2^15, as MPI promises. */
enum { FAILED = 1 << 14, TAGS = FAILED - 2 };

static inline bool is_own(const struct execution *e, int tag)
{
    return (tag & ~FAILED) == e->tag;
}

static inline int tag_now(const struct execution *e)
{
    return e->error == MPI_SUCCESS ? e->tag : e->tag | FAILED;
}

/* Runs it. *failed: the error with which this rank took part without data. Returns an error if it cannot go on. */
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

/* Waits until no send reads the block's memory. */
int pending_spare(struct execution *e, struct piece piece);

int pending_end(struct execution *e);

/* Gives up all, after an error: receivers may never come. */
void pending_drop(struct execution *e);

/* On an alarm, an error. `meets`: synchronous. Receives no message of another call. */
int alarm_exchange(struct execution *e, const struct buffer *out, int to, bool meets, const struct buffer *in, int from,
                   MPI_Status *status);

/* On an alarm, an error, with the request still active. */
int alarm_await(struct execution *e, MPI_Request *send);

/* A message with another tag is in `in`. Receives the right one, or returns the error that ends the operation. */
int alarm_hear(struct execution *e, const struct buffer *in, int from, MPI_Status *status);

/* At the start: an error, if an alarm in an earlier call was about this operation. */
int alarm_recall(struct execution *e);

/* Tells all ranks of the failure. In a mismatch, waits at most a second for the other statement. */
void alarm_raise(struct execution *e, int error);

/* Lets MPI make progress. The error that ends the operation, if any. */
int alarm_listen(struct execution *e);

int alarm_foreign(struct channel *c, int rank);

void rounds_begin(struct execution *e, const struct schedule *schedule);

/* An error if this rank cannot go on; e->error if a fold fails. */
int rounds_step(struct execution *e, const struct step *x);

/* After the last step, or one with this error. */
void rounds_end(const struct execution *e, int error);

/* Gives up rounds, so that no rank waits for this one. */
void rounds_skip(struct segment *s, const struct operation *o, int64_t rounds);

/* Sets the ends of an exchange between cells, with ports. */
void cells_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* Copies or folds; blocks may lie in cells. */
int cells_act(struct execution *e, const struct step *x);

void stream_open(struct execution *e);

/* Packs the block to be sent, if there are gaps. */
void stream_ends(struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

void stream_arrived(struct execution *e, const struct step *x);

void elements_open(struct execution *e);
void elements_ends(const struct execution *e, const struct step *x, struct buffer *out, struct buffer *in);

/* b = a (+) b */
int elements_fold(const struct execution *e, const void *a, void *b, int count);
int elements_combine(const struct wire *mpi, const struct operation *o, const struct view *v, const void *a, void *b,
                     int count);

/* Unless the addresses are equal. */
void elements_copy(const struct operation *o, const char *from, char *to, int64_t count);

int elements_act(const struct execution *e, const struct step *x);
