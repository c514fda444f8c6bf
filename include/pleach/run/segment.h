/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A segment is memory that the ranks of a node share for the operations of a private communicator. Each rank has a part of
 * the segment. A part holds the rank's counters, which that rank alone writes, and its cells, which hold blocks.
 * src/agreement/sharing.c makes segments, src/run/rounds.c and cells.c use them.
 *
 * An operation goes through the segment in rounds. All ranks number the rounds alike, and the numbers go on from one
 * operation to the next, so no barrier separates operations. Numbers count spots (cell.h). A round has as many numbers as
 * its cells have spots: w, a power of 2; its number is the first of them, k, a multiple of w. It uses the spots of numbers k
 * .. k+w-1 modulo the size of the ring. Between two operations, numbers may be left out. Counters of a rank say how far it
 * has come. They never decrease:
 *
 *     turn = k * SEGMENT_TURNS + t    the rank has done its t-th step (1, 2, ..) of round k
 *     out = n                         the rank does not touch spots of numbers below n any more
 *
 * In a round in which one rank alone writes, its block may also lie in the same spots of the next rank's ring
 * (shape_halves()).
 *
 * There is a `turn` for SEGMENT_NOTES spots in a row, beside the notes of their rounds; so a note stays as long as the data.
 * If an operation's cells have at most SEGMENT_SMALL bytes, they lie there, too, each in the place of its spot: so a rank
 * that reads a cell fetches one cache line instead of two.
 *
 * Before a rank writes to a cell of round k for the first time, it waits until all ranks have left the numbers that had
 * these spots before: out >= k + w - spots, where `spots` is the size of the ring. There is one exception: if these numbers
 * belong to the same operation, and one rank alone reads the cell in this operation, the writer waits for that reader alone.
 * Counters are stored with release order and loaded with acquire order.
 *
 * If a node has many ranks, they form groups of consecutive ranks. Twice in each ring, the first rank of a group publishes
 * the least `out` of the group as a counter of its own:
 *
 *     gathered = n                    no rank of the group touches spots of numbers below n any more
 *
 * If `gathered` is high enough, a rank need not look at the other ranks of the group. No rank waits for `gathered`,
 * because it may be out of date: the first rank of the group may have left the library before the others were done.
 */
#pragma once

#include "cell.h"
#include "large_copy.h"
#include "machine.h"
#include "schedule.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { SEGMENT_LINES = 128 }; /* bytes: two cache lines, which processors fetch together */

/* The beginning of a rank's part: its counters but for its turns. The rank alone writes them. */
struct segment_rank {
    _Alignas(SEGMENT_LINES) _Atomic int64_t out;
    _Atomic int64_t done;                            /* operations that the rank has ended */
    _Alignas(SEGMENT_LINES) _Atomic uint64_t answer; /* to the head's question; see sharing.c */
    _Atomic int64_t lost;                            /* the rank has given up rounds below this number; see rounds.c */
    _Atomic uint64_t began;                          /* the operation that it has begun, and its call; see rounds.c */
    _Alignas(SEGMENT_LINES) _Atomic int64_t gathered;
};
_Static_assert(sizeof(struct segment_rank) <= SEGMENT_COUNTERS, "the turns lie behind the other counters");

/* A rank that awaits a turn then reads the note, and perhaps the cell, in the same cache line. */
struct segment_turn {
    _Alignas(SEGMENT_TURN) _Atomic int64_t turn;
    _Atomic uint32_t note[SEGMENT_NOTES]; /* note[k % SEGMENT_NOTES]: the call of round k; see rounds.c */
    _Alignas(SEGMENT_SMALL) char cell[SEGMENT_NOTES][SEGMENT_SMALL];
};
_Static_assert(sizeof(struct segment_turn) == SEGMENT_TURN, "a turn, its notes and small cells share a cache line");

/* The beginning of the segment, before the ranks' parts. All bytes of a new segment are 0, except question and answers. */
struct segment_head {
    _Alignas(SEGMENT_LINES) _Atomic uint64_t question; /* of the first rank: do all share this memory? See sharing.c */
};

/* What a process knows of a segment. The struct belongs to one private communicator; one thread at a time uses it. */
struct segment {
    int rank, ranks;                /* of the calling process; number of parts */
    int group;                      /* ranks of a group, the last may have fewer; 1: there are no groups */
    int64_t cell;                   /* bytes of the largest cell: a power of 2, the same on all ranks */
    int spot_log;                   /* by segment_spot_log() */
    int64_t spots;                  /* of a rank's ring: a power of 2 */
    int64_t ring;                   /* bytes from the beginning of a rank's part to its ring */
    int64_t stride;                 /* bytes from one rank's part to the next */
    char *memory;                   /* the head, in a page of its own, then the parts */
    int64_t bytes;                  /* of all that is mapped */
    int64_t next;                   /* number after all operations begun; the same on all ranks between operations */
    int64_t operations;             /* begun or skipped; the same on all ranks between operations */
    int64_t ended;                  /* `next` at the end of the latest operation that ended, or was given up */
    int64_t spare;                  /* this rank knows that the spots of numbers below this one are free */
    int unheard;                    /* rounds since this rank has last looked for the alarm; see rounds.c */
    bool waited;                    /* this rank had to wait for the latest turn that it awaited */
    long listened;                  /* nanoseconds of the clock when this rank last left a round; see rounds.c */
    struct segment_figures figures; /* the same on all ranks; zeros: nominal ones serve */
    bool known;                     /* they are measured, or will not be; the same on all ranks */
    bool claims;                    /* a cell's only reader takes the lines of blocks below stream_past; see copies.h */
    /*
     * Copies into cells go past the caches from stream_past bytes on if a cell has one reader, and from spread_past bytes on
     * if it has several. INT64_MAX: never.
     */
    int64_t stream_past, spread_past;
    int64_t large_from; /* messages of so many bytes are larger than the caches */
    struct large large; /* this rank's copies out of cells into such messages */
    bool yields;        /* the node has more ranks than cores that they may use */
    const int *member;  /* for each part, its rank in the communicator; NULL: part r belongs to rank r */
};

/* The caller sets `memory` and, as needed, fields that are 0 or INT64_MAX here. */
static inline struct segment segment_of(int rank, int ranks, int group, int64_t cell)
{
    return (struct segment){.rank = rank,
                            .ranks = ranks,
                            .group = group,
                            .cell = cell,
                            .spot_log = segment_spot_log(cell),
                            .spots = SEGMENT_DEPTH * cell >> segment_spot_log(cell),
                            .ring = segment_counters(cell),
                            .stride = segment_counters(cell) + SEGMENT_DEPTH * cell,
                            .bytes = segment_bytes(ranks, cell),
                            .stream_past = INT64_MAX,
                            .spread_past = INT64_MAX,
                            .large_from = large_from(ranks)};
}

static inline int segment_member(const struct segment *s, int part)
{
    return s->member ? s->member[part] : part;
}

static inline struct segment_head *segment_head(const struct segment *s)
{
    return (struct segment_head *)(void *)s->memory;
}

static inline struct segment_rank *segment_rank(const struct segment *s, int rank)
{
    return (struct segment_rank *)(void *)(s->memory + SEGMENT_PAGE + rank * s->stride);
}

/* The line of a rank's turns in the round of this number. */
static inline struct segment_turn *segment_turn(const struct segment *s, int rank, int64_t number)
{
    struct segment_turn *turns =
        (struct segment_turn *)(void *)(s->memory + SEGMENT_PAGE + SEGMENT_COUNTERS + rank * s->stride);
    return turns + (uint64_t)(number & (s->spots - 1)) / SEGMENT_NOTES;
}

/* Has the counter reached this value? Then this rank sees all that its owner wrote before. */
static inline bool segment_reached(const _Atomic int64_t *counter, int64_t value)
{
    return atomic_load_explicit(counter, memory_order_acquire) >= value;
}

static inline void segment_set(_Atomic int64_t *counter, int64_t value)
{
    atomic_store_explicit(counter, value, memory_order_release);
}

/* A rank's cell in the round of this number. */
static inline char *segment_cell(const struct segment *s, int rank, int64_t number)
{
    return s->memory + SEGMENT_PAGE + rank * s->stride + s->ring + ((number & (s->spots - 1)) << s->spot_log);
}

/* The same for an operation whose cells have at most SEGMENT_SMALL bytes. */
static inline char *segment_small_cell(const struct segment *s, int rank, int64_t number)
{
    return segment_turn(s, rank, number)->cell[(uint64_t)number % SEGMENT_NOTES];
}
