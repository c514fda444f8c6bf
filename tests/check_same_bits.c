/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Engines of allreduce give the same bits to all ranks, and the same for any number and width of blocks: the expression that
 * makes an element depends on the number of ranks and on the part of the message in which the element lies.
 */
#include "cut.h"
#include "hash.h"
#include "schedules.h"

enum { MOST_RANKS = 128, MOST_BLOCKS = 6 * MOST_RANKS, NO_STEP = -1 };

/* A rank on its way: blocks are expressions, as hashes. */
struct walker {
    struct schedule schedule;
    struct step step; /* the coming exchange; its `when` is NO_STEP at the end */
    uint64_t out[MOST_BLOCKS];
    uint64_t scratch[SLOTS - SLOT_T0][MOST_BLOCKS];
    uint64_t sent[MOST_BLOCKS]; /* the message on its way, its blocks one after the other */
};

static struct walker walker[MOST_RANKS];
static bool commuted; /* for the test of this test: operands change places by the number of the block */

static uint64_t *at(int rank, struct piece p, int64_t i)
{
    struct walker *w = &walker[rank];
    return p.slot == SLOT_OUT ? &w->out[(p.block + i) % w->schedule.shape.blocks] : &w->scratch[p.slot - SLOT_T0][i];
}

static uint64_t value(int rank, struct piece p, int64_t i)
{
    return p.slot == SLOT_IN ? mix64((uint64_t)rank + 1) : *at(rank, p, i);
}

static uint64_t combined(uint64_t a, uint64_t b)
{
    return mix64(3 * a + mix64(b));
}

/* Takes a rank to its next exchange. */
static void walk(int rank)
{
    struct walker *w = &walker[rank];
    struct step x;
    w->step.when = NO_STEP;
    while (w->step.when == NO_STEP && schedule_next(&w->schedule, &x)) {
        if (x.kind == STEP_EXCHANGE)
            w->step = x;
        else
            for (int64_t i = 0; i <= x.a.more; i++) {
                const uint64_t a = value(rank, x.a, i), b = x.kind == STEP_FOLD ? value(rank, x.b, i) : 0;
                const bool swapped = commuted && (x.b.block + i) % 2;
                *at(rank, x.b, i) = x.kind == STEP_COPY ? a : swapped ? combined(b, a) : combined(a, b);
            }
    }
}

/* All exchanges with the smallest number; false if there are none left. */
static bool meet(int p)
{
    int64_t when = NO_STEP;
    for (int r = 0; r < p; r++)
        if (walker[r].step.when != NO_STEP && (when == NO_STEP || walker[r].step.when < when))
            when = walker[r].step.when;
    for (int r = 0; r < p; r++)
        for (int64_t i = 0; walker[r].step.when == when && walker[r].step.to != NOBODY && i <= walker[r].step.a.more; i++)
            walker[r].sent[i] = value(r, walker[r].step.a, i);
    for (int r = 0; r < p && when != NO_STEP; r++)
        if (walker[r].step.when == when) {
            for (int64_t i = 0; walker[r].step.from != NOBODY && i <= walker[r].step.b.more; i++)
                *at(r, walker[r].step.b, i) = walker[walker[r].step.from].sent[i];
            walk(r);
        }
    return when != NO_STEP;
}

static void run(const struct engine *e, const struct shape *s)
{
    ck_assert(s->ranks <= MOST_RANKS && s->blocks <= MOST_BLOCKS);
    for (int r = 0; r < s->ranks; r++) {
        engine_start(e, &walker[r].schedule, s, r);
        walk(r);
    }
    while (meet(s->ranks))
        continue;
}

/* A block of each part in the run with the fewest, against the blocks of that part in others. False if one differs. */
static bool same_for_all(const struct engine *e, struct shape s)
{
    static uint64_t first[MOST_RANKS];
    const int parts = engine_parts(e, COLL_ALLREDUCE, s.ranks);
    bool same = true;
    for (int times = 1; times <= 5 && times * parts <= MOST_BLOCKS; times++)
        for (s.wide = 1; s.wide <= (parts > 2 ? 2 * times + 1 : 1); s.wide += times) {
            s.blocks = times * parts;
            run(e, &s);
            for (int64_t j = 0; j < s.blocks; j++) {
                if (times == 1 && s.wide == 1)
                    first[j] = walker[0].out[j];
                for (int r = 0; r < s.ranks; r++)
                    same = same && walker[r].out[j] == first[j / times];
            }
        }
    return same;
}

/* The engines that have to; and how many of them keep it with operands that change places. */
static int all_engines(struct shape s, bool require)
{
    int kept = 0;
    for (int i = 1; engines[i]; i++) {
        if (!engine_fits(engines[i], &s) || engines[i]->serves[COLL_ALLREDUCE].model.order_varies)
            continue;
        const bool same = same_for_all(engines[i], s);
        REQUIRE(same || !require, SHAPE "other expressions", SHAPE_OF(engines[i], &s));
        kept += same;
    }
    return kept;
}

START_TEST(one_expression_for_each_part)
{
    for (int p = 1; p <= 100; p += p < 32 ? 1 : p == 96 ? 1 : 16)
        for (int ordered = 0; ordered < 2; ordered++)
            for (int k = 0; k <= 3; k++)
                ck_assert_int_ge(
                    all_engines(
                        (struct shape){.collective = COLL_ALLREDUCE, .ordered = ordered, .ranks = p, .node_ranks = k}, true),
                    1);
}

START_TEST(other_expressions_are_found)
{
    commuted = true;
    for (int p = 2; p <= 9; p++)
        ck_assert_int_eq(all_engines((struct shape){.collective = COLL_ALLREDUCE, .ranks = p}, false), 0);
}

SUITE("same bits", 60, one_expression_for_each_part, other_expressions_are_found)
