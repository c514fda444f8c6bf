/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The order in which an element's operands are combined decides about the bits of a sum that rounds. Here all ranks run
 * their schedules on hashes in place of numbers. The hash of an element stands for an expression, with its brackets and the
 * order of its operands. The expression must not depend on how the message is cut, except in engines that say so. In an
 * allreduce, all ranks must have the same expression.
 */
#include "cut.h"
#include "hash.h"
#include "schedules.h"

enum { RANKS = 100, UNITS = 3 * RANKS + 2, FEW = 12, FEW_UNITS = 3 * FEW + 2 };

/* The hash of a combination of two expressions. If `commutes` is true, their order does not count. */
static uint64_t combined(uint64_t a, uint64_t b, bool commutes)
{
    return commutes ? mix64(mix64(a) + mix64(b)) : mix64(mix64(a) * 3 + b);
}

struct rank {
    struct walk schedule;
    struct step step; /* the exchange that the rank waits in */
    bool done;
    uint64_t value[SLOTS][UNITS]; /* in scratch slots: the blocks of the slot's piece */
    uint64_t message[UNITS];      /* what the rank sends now */
};

static struct rank ranks[RANKS];
static bool by_block; /* swaps the two operands in blocks with odd numbers: a bug that the test must find */

/* The value of the i-th block of a piece. */
static uint64_t *value_of(struct rank *r, struct piece p, int64_t i)
{
    return &r->value[p.slot][p.slot >= SLOT_T0 ? i : (p.block + i) % r->schedule.schedule.shape.blocks];
}

/* Runs a rank up to its next exchange. */
static void advance(struct rank *r, bool commutes)
{
    while (!(r->done = !walk_next(&r->schedule, &r->step)) && r->step.kind != STEP_EXCHANGE)
        for (int64_t i = 0; i <= r->step.a.more; i++) {
            uint64_t a = *value_of(r, r->step.a, i), *b = value_of(r, r->step.b, i);
            const bool swap = by_block && (r->step.b.block + i) % 2;
            *b = r->step.kind == STEP_COPY ? a : swap ? combined(*b, a, commutes) : combined(a, *b, commutes);
        }
}

/* Runs all ranks from the first round to the last. */
static void run(const struct engine *e, const struct shape *s, bool commutes)
{
    for (int r = 0; r < s->ranks; r++) {
        engine_walk(e, &ranks[r].schedule, s, r);
        for (int64_t i = 0; i < s->blocks; i++)
            ranks[r].value[SLOT_IN][i] = mix64((uint64_t)r + 1);
        advance(&ranks[r], commutes);
    }
    for (;;) {
        int64_t when = INT64_MAX;
        for (int r = 0; r < s->ranks; r++)
            if (!ranks[r].done && ranks[r].step.when < when)
                when = ranks[r].step.when;
        if (when == INT64_MAX)
            return;
        for (int r = 0; r < s->ranks; r++)
            for (int64_t i = 0; !ranks[r].done && ranks[r].step.when == when && i <= ranks[r].step.a.more; i++)
                if (ranks[r].step.to != NOBODY)
                    ranks[r].message[i] = *value_of(&ranks[r], ranks[r].step.a, i);
        for (int r = 0; r < s->ranks; r++) {
            const struct step *x = &ranks[r].step;
            if (ranks[r].done || x->when != when)
                continue;
            for (int64_t i = 0; x->from != NOBODY && i <= x->b.more; i++)
                *value_of(&ranks[r], x->b, i) = ranks[x->from].message[i];
        }
        for (int r = 0; r < s->ranks; r++)
            if (!ranks[r].done && ranks[r].step.when == when)
                advance(&ranks[r], commutes);
    }
}

static uint64_t expression[RANKS][UNITS]; /* of each rank's result */

/* Runs a shape on a message of `units` units, and finds the expression of each unit on each rank. */
static void find_expressions(const struct engine *e, const struct shape *s, int64_t units, bool commutes)
{
    const struct cut cut = {.units = units, .blocks = s->blocks, .parts = engine_parts(e, s)};
    run(e, s, commutes);
    int64_t block = 0;
    for (int64_t unit = 0; unit < units; unit++) {
        while (cut_offset(&cut, block + 1) <= unit)
            block++;
        for (int r = 0; r < s->ranks; r++)
            expression[r][unit] = ranks[r].value[SLOT_OUT][block];
    }
}

/* Does this rank have a result? */
static bool has_result(const struct shape *s, int r)
{
    return s->collective == COLL_REDUCE ? r == s->root : s->collective != COLL_EXSCAN || r > 0;
}

/* May the model cut the message like that? It makes fewer blocks than parts only if there are fewer units than parts. */
static bool may_cut(const struct engine *e, const struct shape *s, int64_t units)
{
    const int64_t parts = engine_parts(e, s);
    return s->blocks >= parts || s->blocks == units;
}

/*
 * Compares cuts of a message. Once there are as many blocks as ranks, the number of blocks grows by `more` from cut to cut.
 * Returns whether the expression of some unit differs between cuts.
 */
static bool varies(const struct engine *e, struct shape s, int64_t units, int64_t more)
{
    static uint64_t first[RANKS][UNITS];
    bool any = false, found = false;
    for (s.blocks = 1; s.blocks <= units; s.blocks += s.blocks < s.ranks ? 1 : more)
        for (s.wide = 1; s.wide <= (e->serves[s.collective].work ? 5 : 1); s.wide += 2) {
            if (!may_cut(e, &s, units))
                continue;
            find_expressions(e, &s, units, false);
            if (!any)
                memcpy(first, expression, sizeof first);
            any = true;
            for (int r = 0; r < s.ranks; r++)
                for (int64_t unit = 0; unit < units; unit++) {
                    found |= has_result(&s, r) && expression[r][unit] != first[r][unit];
                    REQUIRE(s.collective != COLL_ALLREDUCE || expression[r][unit] == expression[0][unit],
                            SHAPE "w=%d: ranks 0 and %d have different expressions", SHAPE_OF(e, &s), (int)s.wide, r);
                }
        }
    REQUIRE(any, SHAPE "no cut of %d units", SHAPE_OF(e, &s), (int)units);
    return found;
}

/*
 * Tries all small shapes of a collective, both ordered and unordered, both with and without nodes or places. Returns the
 * number of shapes in which some expression varies.
 */
static int varying_shapes(const struct engine *e, enum collective c)
{
    int count = 0;
    for (int p = 1; p <= FEW; p++)
        for (int kind = 0; kind < 6; kind++) {
            struct shape s = {SHAPED(c, kind % 2, p, c == COLL_REDUCE ? p / 3 : 0, 1), .node_ranks = kind / 2 == 1 ? 3 : 1,
                              .places = kind / 2 == 2 ? places_of_three(p) : NULL};
            const int64_t units[] = {1, p, FEW_UNITS};
            for (size_t i = 0; i < COUNT(units) && engine_fits(e, &s); i++)
                count += varies(e, s, units[i], 1);
        }
    return count;
}

LOOPED_TEST(whatever_the_cut, engine_count() - 1)
{
    const struct engine *e = engines[_i + 1];
    for (enum collective c = COLL_REDUCE; c < COLLECTIVES; c++)
        ck_assert_msg((varying_shapes(e, c) > 0) == e->serves[c].model.order_varies, "%s %s: order_varies is wrong", e->name,
                      collective_name(c));
}

/* Engines that cut a message into a part for each rank, on many ranks. */
START_TEST(many_ranks)
{
    const int p[] = {13, 16, 31, 45, 100};
    for (int i = 1; engines[i]; i++)
        for (size_t j = 0; j < COUNT(p) && engines[i]->serves[COLL_ALLREDUCE].work; j++)
            for (int kind = 0; kind < 4; kind++) {
                struct shape s = {SHAPED(COLL_ALLREDUCE, kind % 2, p[j], 0, 1), .node_ranks = kind > 1 ? 3 : 0};
                REQUIRE(!engine_fits(engines[i], &s) || !varies(engines[i], s, 3 * p[j] + 1, 1 + p[j] / 3),
                        SHAPE "the order varies", SHAPE_OF(engines[i], &s));
            }
}

START_TEST(what_varies_is_found)
{
    by_block = true;
    for (int i = 1; engines[i]; i++)
        for (enum collective c = COLL_REDUCE; c < COLLECTIVES; c++)
            ck_assert(!engines[i]->serves[c].generate || engines[i]->serves[c].segment.cells ||
                      varying_shapes(engines[i], c) > 0);
}

/*
 * The expression of a native allreduce of 2^k ranks by halving, which combines neighbours first. Its hash ignores the order
 * of two operands.
 */
static uint64_t halved(int first, int count)
{
    return count == 1 ? mix64((uint64_t)first + 1)
                      : combined(halved(first, count / 2), halved(first + count / 2, count / 2), true);
}

START_TEST(as_native)
{
    const struct engine *e = engine_find("butterfly");
    for (int p = 1; p <= 8; p *= 2)
        for (int ordered = 0; ordered < 2; ordered++) {
            struct shape s = {.collective = COLL_ALLREDUCE, .ordered = ordered, .ranks = p, .blocks = 2 * p, .wide = 3};
            find_expressions(e, &s, FEW_UNITS, true);
            for (int unit = 0; unit < FEW_UNITS; unit++)
                ck_assert_uint_eq(expression[p - 1][unit], halved(0, p));
        }
}

SUITE("expressions", 120)
