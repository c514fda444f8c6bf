/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Communicators of up to INT_MAX ranks. The simulator cannot hold so many; but single ranks and their peers must fit
 * together, and numbers of rounds, blocks and bytes must be right. The undefined-behaviour sanitizer finds overflows here.
 */
#include "grid.h"
#include "operation.h"
#include "schedules.h"

#include <limits.h>
#include <math.h>

enum { STEPS = 40, PATIENCE = 400 }; /* steps to follow on a rank; most steps to look at on its peer */

static const int many[] = {INT_MAX, INT_MAX - 1, BIT(30) + 1, BIT(30)};

/* Does the peer have the other end of a message of this rank? Also true if the peer's step is too far away to look. */
static bool has_other_end(const struct engine *e, const struct shape *s, int peer, int rank, const struct step *x, bool sent)
{
    struct walk schedule;
    struct step y;
    engine_walk(e, &schedule, s, peer);
    for (int i = 0; i < PATIENCE; i++) {
        if (!walk_next(&schedule, &y) || (y.kind == STEP_EXCHANGE && y.when > x->when))
            return false;
        if (y.kind == STEP_EXCHANGE && y.when == x->when)
            return sent ? y.from == rank && y.b.block == x->a.block : y.to == rank && y.a.block == x->b.block;
    }
    return true;
}

static void follow(const struct engine *e, const struct shape *s, int rank)
{
    struct walk schedule;
    struct step x;
    int64_t last = -1;
    engine_walk(e, &schedule, s, rank);
    for (int i = 0; i < STEPS && walk_next(&schedule, &x); i++) {
        REQUIRE(x.a.block >= 0 && x.a.block < s->blocks && x.b.block >= 0 && x.b.block < s->blocks,
                SHAPE "rank %d: no such block", SHAPE_OF(e, s), rank);
        if (x.kind != STEP_EXCHANGE)
            continue;
        REQUIRE(x.when > last, SHAPE "rank %d: step %" PRId64 " after %" PRId64, SHAPE_OF(e, s), rank, x.when, last);
        last = x.when;
        const int peer[] = {x.to, x.from};
        for (int k = 0; k < 2; k++) {
            REQUIRE(peer[k] == NOBODY || (peer[k] >= 0 && peer[k] < s->ranks && peer[k] != rank),
                    SHAPE "rank %d has the peer %d", SHAPE_OF(e, s), rank, peer[k]);
            REQUIRE(peer[k] == NOBODY || has_other_end(e, s, peer[k], rank, &x, k == 0),
                    SHAPE "rank %d and its peer %d do not meet in step %" PRId64, SHAPE_OF(e, s), rank, peer[k], x.when);
        }
    }
}

/* Follows ranks at both ends, around the middle, around the root and at the end of the first node. */
static void follow_some(const struct engine *e, const struct shape *s)
{
    const int64_t around[] = {0, s->ranks / 2, s->root, s->node_ranks, s->ranks - 1};
    for (size_t i = 0; i < COUNT(around); i++)
        for (int64_t rank = around[i] - 2; rank <= around[i] + 2; rank++)
            if (rank >= 0 && rank < s->ranks)
                follow(e, s, (int)rank);
}

/*
 * Tries a shape. If the engine cuts the message into a part for each rank, the shape has a block for each part: with fewer
 * blocks, most rounds would have no messages. For other engines 6 blocks are enough.
 */
static void try_shape(const struct engine *e, struct shape s)
{
    s.blocks = e->serves[s.collective].work ? s.ranks : strcmp(e->name, "scatter-allgather") == 0 ? s.ranks : 6;
    if (!engine_fits(e, &s))
        return;
    int64_t rounds = simulate_bound(e, &s);
    REQUIRE(rounds > 0 && rounds < BIT(40), SHAPE "%" PRId64 " rounds", SHAPE_OF(e, &s), rounds);
    follow_some(e, &s);
}

LOOPED_TEST(schedules_fit_together, engine_count() - 1)
{
    const struct engine *e = engines[_i + 1];
    const int nodes[] = {0, 1, 3, BIT(30) - 1, INT_MAX};
    for (size_t k = 0; k < COUNT(many); k++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int root = 0; root < (collective_rooted(c) ? 4 : 1); root++)
                for (size_t i = 0; i < COUNT(nodes); i++)
                    for (int ordered = 0; ordered < 2; ordered++) {
                        const int roots[] = {0, 1, many[k] / 2, many[k] - 1};
                        try_shape(e, (struct shape){.collective = c,
                                                    .ordered = ordered,
                                                    .ranks = many[k],
                                                    .root = roots[root],
                                                    .node_ranks = nodes[i]});
                    }
}

/* Checks the predicted time, the number of blocks and the scratch memory of every engine for a call. */
static void plan_call(const struct settings *s, const struct facts *f)
{
    const struct shape shape = choose_shape(f, 1);
    for (int row = 1; engines[row]; row++) {
        if (!engine_fits(engines[row], &shape))
            continue;
        struct operation o = {.facts = *f, .plan = choose_row(s, NULL, f, row)};
        REQUIRE(o.plan.blocks >= 1 && o.plan.blocks <= f->units, "%s: %" PRId64 " blocks", engines[row]->name,
                o.plan.blocks);
        const int64_t size = f->collective == COLL_BCAST ? 1 : f->bytes / f->units;
        o.element = (struct extents){.size = size, .extent = size, .end = size, .plain = true};
        operation_make(&o, f->ranks - 1);
        REQUIRE(o.scratch >= 0 && o.scratch_agreed >= 0 && o.scratch >= o.scratch_agreed &&
                    o.scratch < (engines[row]->scratch + 3) * (f->bytes + BIT(12)),
                "%s: %" PRId64 " bytes of scratch memory for %" PRId64, engines[row]->name, o.scratch, f->bytes);
    }
    choose(s, NULL, f);
}

START_TEST(calls_are_planned)
{
    const int64_t sizes[] = {8, 8 * K, M, BIT(31) - 8, BIT(31), BIT(34) + 24, BIT(44)};
    const int on_node[] = {1, 3, INT_MAX};
    for (size_t k = 0; k < COUNT(many); k++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (size_t i = 0; i < COUNT(on_node); i++)
                for (size_t m = 0; m < COUNT(sizes); m++)
                    for (int op = OP_EXACT; op <= OP_ORDERED; op++) {
                        if (!sampled(4))
                            continue;
                        const struct machine machine = {
                            .nodes = many[k] / on_node[i] + (many[k] % on_node[i] > 0), .node_ranks = on_node[i], IN_ORDER};
                        const struct facts f = {.collective = c,
                                                .op = c == COLL_BCAST ? OP_NONE : (enum op_class)op,
                                                .ranks = many[k],
                                                .root = collective_rooted(c) ? many[k] - 1 : 0,
                                                .bytes = sizes[m],
                                                .units = c == COLL_BCAST ? sizes[m] : sizes[m] / 8,
                                                .machine = &machine};
                        static const char *const block[] = {NULL, "PLEACH_BLOCK=1", "PLEACH_BLOCK=inf"};
                        for (size_t b = 0; b < COUNT(block); b++) {
                            const struct settings s = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=0", block[b]});
                            plan_call(&s, &f);
                        }
                    }
}

SUITE("vast", 60)
