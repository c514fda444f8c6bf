/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steps of the engines that go through a segment. A rank works on a round in beats. It copies the result of round k - lag
 * out after its work on round k, so that it need not wait for a round that has just begun.
 */
#pragma once

#include "cut.h"
#include "engine.h"

#include <math.h>

/* The use of schedule.number. */
enum { NODE_WORK, NODE_OUT, NODE_LAG, NODE_NUMBERS };

/*
 * Adds the steps of a beat of a round: 0 .. work-1 are work on it; work .. work+out-1, `lag` rounds later (1 .. depth-1),
 * copy out of it. Behind the last beat, the rank leaves the round.
 */
typedef void node_beat(struct cursor *c, const struct schedule *s, int64_t round, int beat);
void node_begin(struct schedule *s, node_beat *beats, int64_t rounds, int work, int out, int lag);

static inline bool node_work_ends(const struct schedule *s, int beat)
{
    return beat == s->number[NODE_WORK] - 1;
}

static inline void node_push(struct cursor *c, const struct schedule *s, enum step_kind kind, int64_t round, int from,
                             int turn)
{
    cursor_push(c, s, (struct step){.kind = kind, .when = round, .to = NOBODY, .from = from, .turn = turn});
}

/* A rank does not wait for itself. */
static inline void node_await(struct cursor *c, const struct schedule *s, int64_t round, int from, int turn)
{
    if (from != s->rank)
        node_push(c, s, STEP_AWAIT, round, from, turn);
}

static inline void node_tell(struct cursor *c, const struct schedule *s, int64_t round, int turn)
{
    node_push(c, s, STEP_TELL, round, NOBODY, turn);
}

/* Waits until the round's cells are free, before the first write to one. */
static inline void node_await_free(struct cursor *c, const struct schedule *s, int64_t round)
{
    node_push(c, s, STEP_AWAIT_FREE, round, NOBODY, 0);
}

/* The same, for a cell that only `reader` reads in this operation. */
static inline void node_await_reader(struct cursor *c, const struct schedule *s, int64_t round, int reader)
{
    node_push(c, s, STEP_AWAIT_FREE, round, reader, 0);
}

struct node_blocks {
    int64_t first, count; /* count 0: there are none */
};

/* A part's block in a round; none if it has fewer. */
static inline struct node_blocks node_block_of_part(const struct shape *s, int64_t parts, int j, int64_t round)
{
    const int64_t first = part_offset(s->blocks, parts, j), end = part_offset(s->blocks, parts, j + 1);
    return (struct node_blocks){first + round, first + round < end};
}

/* From slot a to slot b. */
static inline void node_act(struct cursor *c, const struct schedule *s, enum step_kind kind, int64_t round,
                            struct node_blocks x, int a, int b)
{
    if (x.count > 0)
        cursor_push(c, s,
                    (struct step){.kind = kind,
                                  .when = round,
                                  .to = NOBODY,
                                  .from = NOBODY,
                                  .a = {a, x.first, x.count - 1},
                                  .b = {b, x.first, x.count - 1}});
}

/* Copies blocks into the rank's cell, once it is free, and tells the others. */
static inline void node_put(struct cursor *c, const struct schedule *s, int64_t round, struct node_blocks x, int from)
{
    node_await_free(c, s, round);
    node_act(c, s, STEP_COPY, round, x, from, slot_cell(s->rank));
    node_tell(c, s, round, 1);
}

static inline void node_fold_into(struct cursor *c, const struct schedule *s, int64_t round, int64_t block, int a, int b,
                                  int into)
{
    cursor_push(c, s,
                (struct step){.kind = STEP_FOLD_INTO,
                              .when = round,
                              .to = NOBODY,
                              .from = NOBODY,
                              .a = one_block(a, block),
                              .b = one_block(b, block),
                              .into = into});
}

static inline struct node_blocks node_block(int64_t block)
{
    return (struct node_blocks){block, 1};
}

/*
 * The work of the last rank that gets a result, where ranks read at most `cells` cells, one after the other, in `phases`
 * phases. A rank copies its operand in and a cell out, and folds the cells. One of the looks is a wait. The fetch of a cell
 * and the fold overlap, but not in an all-reduce, where all read the same cells at once. In an all-reduce or a scan, some
 * cells have come before the rank looks. Operations of the program fold more slowly than kernels.
 */
static inline struct segment_work node_reading(const struct shape *s, int phases, int cells)
{
    const bool all = s->collective == COLL_ALLREDUCE, prefix = collective_prefix(s->collective);
    const double fold = (all ? 1 : prefix ? 0.5 : 0.75) * (s->ordered ? 1.5 : 1), look = all ? 0.75 : prefix ? 0.6 : 1;
    return (struct segment_work){.copied = 2, .folded = fold * cells, .waits = phases, .looks = fmax(look * cells - 1, 0)};
}
