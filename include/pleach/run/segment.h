/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A segment is memory that the ranks of a node share for the operations of a private communicator. Each rank has a part of
 * the segment. A part holds the rank's counters, which that rank alone writes, and its cells, which hold blocks.
 * src/agreement/sharing.c makes segments, src/run/rounds.c and cells.c use them.
 *
 * An operation goes through the segment in rounds. All ranks number the rounds alike, and the numbers go on from one
 * operation to the next, so no barrier separates operations. Round k uses the cells of number k modulo SEGMENT_DEPTH and,
 * if its blocks are short, a spot in each of these cells (cell.h). Two counters of a rank say how far it has come. They
 * never decrease:
 *
 *     turn = k * SEGMENT_TURNS + t    the rank has done its t-th step (1, 2, ..) of round k
 *     out = n                         the rank does not touch the cells of rounds below n any more
 *
 * Before a rank writes to a cell of round k for the first time, it waits until all ranks have out > k - SEGMENT_DEPTH. There
 * is one exception: if round k - SEGMENT_DEPTH belongs to the same operation, and one rank alone reads the cell in this
 * operation, the writer waits for that reader alone. Counters are stored with release order and loaded with acquire order.
 *
 * If a node has many ranks, they form groups of consecutive ranks. Every SEGMENT_GATHER rounds, the first rank of a group
 * publishes the least `out` of the group as a counter of its own:
 *
 *     gathered = n                    no rank of the group touches the cells of rounds below n any more
 *
 * If `gathered` is high enough, a rank need not look at the other ranks of the group. No rank waits for `gathered`,
 * because it may be out of date: the first rank of the group may have left the library before the others were done.
 */
#ifndef PLEACH_SEGMENT_H
#define PLEACH_SEGMENT_H

#include "cell.h"
#include "large_copy.h"
#include "machine.h"
#include "schedule.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SEGMENT_GATHER = SEGMENT_DEPTH / 2, /* rounds; with more, `gathered` would seldom be high enough */
    SEGMENT_LINES = 128                 /* bytes: two cache lines, which processors fetch together */
};

/*
 * The beginning of a rank's part: its counters, which the rank alone writes. A rank that awaits a turn of another rank then
 * reads that rank's note, in the same cache line.
 */
struct segment_rank {
    _Alignas(SEGMENT_LINES) _Atomic int64_t turn;
    _Atomic uint32_t note[SEGMENT_DEPTH]; /* note[k % SEGMENT_DEPTH]: the call of round k; see rounds.c */
    _Alignas(SEGMENT_LINES) _Atomic int64_t out;
    _Atomic int64_t done; /* operations that the rank has ended */
    _Alignas(SEGMENT_LINES) _Atomic uint64_t answer; /* to the head's question; see sharing.c */
    _Atomic int64_t lost;                            /* the rank has given up rounds below this number; see rounds.c */
    _Atomic uint64_t began;                          /* the operation that it has begun, and its call; see rounds.c */
    _Alignas(SEGMENT_LINES) _Atomic int64_t gathered;
};
_Static_assert(offsetof(struct segment_rank, note[SEGMENT_DEPTH]) <= 64, "a turn and all notes share a cache line");

/* The beginning of the segment, before the ranks' parts. All bytes of a new segment are 0, except question and answers. */
struct segment_head {
    _Alignas(SEGMENT_LINES) _Atomic uint64_t question; /* of the first rank: do all share this memory? See sharing.c */
};

/* What a process knows of a segment. The struct belongs to one private communicator; one thread at a time uses it. */
struct segment {
    int rank, ranks;                /* of the calling process; number of parts */
    int group;                      /* ranks of a group, the last may have fewer; 1: there are no groups */
    int64_t cell;                   /* bytes of a cell: a multiple of SEGMENT_LINES, the same on all ranks */
    int64_t room;                   /* bytes of a cell in which it has spots, by segment_room() */
    int64_t spots_from;             /* a cell has no smaller spots; SEGMENT_SPOT but in tests */
    int64_t stride;                 /* bytes from one rank's part to the next */
    char *memory;                   /* the head, in a page of its own, then the parts */
    int64_t bytes;                  /* of all that is mapped */
    int64_t rounds;                 /* of all operations begun; the same on all ranks between operations */
    int64_t operations;             /* begun or skipped; the same on all ranks between operations */
    int64_t ended;                  /* `rounds` at the end of the latest operation that ended, or was given up */
    int64_t spare;                  /* this rank knows that the cells of rounds below this number are free */
    bool waited;                    /* this rank had to wait for the latest turn that it awaited */
    long listened;                  /* nanoseconds of the clock when this rank last left a round; see rounds.c */
    struct segment_figures figures; /* the same on all ranks */
    bool takes;                     /* a cell's only reader takes the lines of blocks below stream_past; see copies.h */
    /*
     * Copies into cells go past the caches from stream_past bytes on if a cell has one reader, and from spread_past bytes on
     * if it has several. INT64_MAX: never.
     */
    int64_t stream_past, spread_past;
    int64_t large_from; /* messages of so many bytes are larger than the caches */
    struct large large; /* this rank's copies out of cells into such messages */
    bool yields;       /* the node has more ranks than cores that they may use */
    const int *member; /* for each part, its rank in the communicator; NULL: part r belongs to rank r */
};

/* The struct for a rank of a segment. The caller sets `memory`, and sets fields that are 0 or INT64_MAX here as needed. */
static inline struct segment segment_of(int rank, int ranks, int group, int64_t cell)
{
    return (struct segment){.rank = rank,
                            .ranks = ranks,
                            .group = group,
                            .cell = cell,
                            .room = segment_room(ranks, cell),
                            .spots_from = SEGMENT_SPOT,
                            .stride = SEGMENT_PAGE + SEGMENT_DEPTH * cell,
                            .bytes = segment_bytes(ranks, cell),
                            .stream_past = INT64_MAX,
                            .spread_past = INT64_MAX,
                            .large_from = large_from(ranks)};
}

/* The rank of the communicator to which a part belongs. */
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

/* Has another rank set its counter to this value or a higher one? Then this rank sees all that the other wrote before. */
static inline bool segment_reached(const _Atomic int64_t *counter, int64_t value)
{
    return atomic_load_explicit(counter, memory_order_acquire) >= value;
}

/* Sets a counter of this rank. */
static inline void segment_set(_Atomic int64_t *counter, int64_t value)
{
    atomic_store_explicit(counter, value, memory_order_release);
}

static inline char *segment_cell(const struct segment *s, int rank, int64_t round)
{
    return s->memory + SEGMENT_PAGE + rank * s->stride + SEGMENT_PAGE + round % SEGMENT_DEPTH * s->cell;
}

#endif
