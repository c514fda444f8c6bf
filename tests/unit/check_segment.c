/* SPDX-License-Identifier: BSD-2-Clause */
/* Engines that go through a segment: the simulator finds no race, no deadlock and no wrong result, but finds mutants. */
#include "cell.h"
#include "cut.h"
#include "schedules.h"

#include <math.h>

/* The engines that go through a segment. */
static const char *const names[] = {"node-copy", "node-line", "node-ring", "node-prefixes", "node-flat", "node-tree"};

static const struct engine *engine_at(size_t i)
{
    const struct engine *e = engine_find(names[i]);
    ck_assert_ptr_nonnull(e);
    return e;
}

/* The most blocks of a round. */
static int64_t widest(const struct engine *e, const struct shape *s)
{
    return e->serves[s->collective].segment.cells == CELLS_SLICES ? s->ranks : 1;
}

/* Number of kinds that set_roots() tells apart. */
static int kinds_of_roots(enum collective c)
{
    return c == COLL_BCAST ? 2 * (READERS_OTHERS + 1) : 2;
}

/* `kind` selects whether a shape has one root or `roots` roots and, for a broadcast, the readers. */
static void set_roots(struct shape *s, int kind, int roots)
{
    s->roots = kind % 2 ? roots : 0;
    s->readers = s->collective == COLL_BCAST ? (enum readers)(kind / 2) : READERS_ALL;
    s->reader = (s->root + 1 + roots) % s->ranks;
}

/* ---- every shape ------------------------------------------------------------------------------------------------------ */

static void try_shape(struct shape s, const struct engine *e)
{
    for (s.wide = engine_fits(e, &s) ? widest(e, &s) : 0; s.wide > 0; s.wide /= 2)
        simulated(e, &s);
}

static void try_shapes(int ranks, int depth, int blocks)
{
    for (size_t i = 0; i < COUNT(names); i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int root = 0; root < (collective_rooted(c) ? ranks : 1); root++)
                for (int ordered = 0; ordered < 2; ordered++) {
                    struct shape s = {
                        .collective = c, .ordered = ordered, .ranks = ranks, .root = root, .blocks = blocks, .depth = depth};
                    try_shape(s, engine_at(i));
                    s.domain = 2 + (root + depth + blocks) % ranks;
                    if (engine_at(i) == engine_find("node-tree"))
                        try_shape(s, engine_at(i));
                    for (int kind = 1; kind < kinds_of_roots(c) && ranks > 1; kind++) {
                        set_roots(&s, kind, 1 + (root + blocks) % ranks);
                        try_shape(s, engine_at(i));
                    }
                }
}

START_TEST(every_shape)
{
    const int depths[] = {2, 3, 8};
    for (int ranks = 1; ranks <= 9; ranks += ranks < 7 ? 1 : whole_or(1, 2))
        for (size_t d = 0; d < COUNT(depths); d++)
            for (int blocks = 1; blocks <= 20; blocks += blocks < 4 ? 1 : ranks)
                try_shapes(ranks, depths[d], blocks);
    for (int ranks = 10; ranks <= 17; ranks += whole_or(1, 7))
        for (size_t d = 0; d < COUNT(depths); d++)
            try_shapes(ranks, depths[d], 2 * ranks + 1);
}

/* Blocks of a reduction by a line with which it goes around the cells of a long line three times. */
static int64_t around(int ranks, int depth)
{
    return 3 * depth * ceil_div(2 * ranks, depth) + 1;
}

/* In a line of more ranks than cells, no rank waits for free cells for long: the rounds stay within the engine's bound. */
START_TEST(long_lines)
{
    const int lines[] = {9, 16, 33, 64};
    for (size_t i = 0; i < COUNT(lines); i++)
        for (int c = COLL_BCAST + 1; c < COLLECTIVES; c++)
            for (int ordered = 0; ordered < 2; ordered++) {
                const int ranks = lines[i], root = collective_rooted(c) ? ranks / 2 : 0;
                try_shape(
                    (struct shape){SHAPED(c, ordered, ranks, root, around(ranks, SEGMENT_DEPTH)), .depth = SEGMENT_DEPTH},
                    engine_find("node-line"));
            }
}

/* ---- domains ---------------------------------------------------------------------------------------------------------- */

/* The lowest rank whose operand the rank folds into its total; its own number if it folds none. */
static int first_of_total(const struct shape *s, int rank)
{
    struct walk w;
    struct step x;
    int first = rank;
    for (engine_walk(engine_find("node-tree"), &w, s, rank); walk_next(&w, &x) && x.kind != STEP_TELL;)
        if (x.kind == STEP_AWAIT && x.from < first)
            first = x.from;
    return first;
}

/* A group has at most g ranks, all of one domain, or else all of each. Without domains, each group but the last has g. */
static void check_groups(int q, int domain)
{
    const struct shape s = {SHAPED(COLL_ALLREDUCE, true, q, 0, 1), .domain = domain, .depth = SEGMENT_DEPTH};
    const int g = (int)ceil(sqrt(q));
    for (int rank = 0; rank < q; rank++) {
        const int first = first_of_total(&s, rank);
        ck_assert_int_lt(rank - first, g);
        if (domain > 1 && rank > first && first / domain != rank / domain)
            ck_assert_msg(first % domain == 0 && ((rank + 1) % domain == 0 || rank == q - 1),
                          "%d ranks, domains of %d: ranks %d to %d", q, domain, first, rank);
        if (domain <= 1 || domain >= q) /* groups of g from rank 0 on */
            ck_assert_int_eq(first, rank % g == g - 1 || rank == q - 1 ? rank - rank % g : rank);
    }
}

START_TEST(groups_follow_domains)
{
    for (int q = 1; q <= 80; q++)
        for (int domain = 0; domain <= q + 1; domain++)
            check_groups(q, domain);
    check_groups(192, 24);
}

/* ---- sequences of calls ----------------------------------------------------------------------------------------------- */

enum { CALLS = 6 };

struct sequence {
    struct shape shape[CALLS];
    struct generator generator[CALLS];
    struct segment_call call[CALLS];
    int spots, group;
};

/* `full`: each rank has a slice, or a part, of each round. */
static struct shape drawn_shape(const struct engine *e, int ranks, int depth, bool full)
{
    struct shape s;
    do {
        const enum collective c = (enum collective)below(COLLECTIVES);
        s = (struct shape){SHAPED(c, below(2), ranks, collective_rooted(c) ? below(ranks) : 0,
                                  full ? ranks * (1 + below(3)) : 1 + below(3 * ranks)),
                           .depth = depth};
        s.domain = (int)(s.blocks + s.root + c) % ranks;
        s.wide = full ? widest(e, &s) : 1 + below((int)widest(e, &s));
        if (below(2) && collective_rooted(c))
            set_roots(&s, 1 + below(kinds_of_roots(c) - 1), full ? ranks : 1 + below(ranks));
    } while (!engine_fits(e, &s));
    return s;
}

/* The calls have small cells or cells of 1 to `widest` spots, and the ring has the spots of `depth` of the widest cells. */
static void draw_sequence(struct sequence *q, int ranks, int depth, int widest, int group, bool full)
{
    q->spots = depth * widest;
    q->group = group;
    for (int i = 0; i < CALLS; i++) {
        const struct engine *e = engine_at((size_t)below(COUNT(names)));
        q->shape[i] = drawn_shape(e, ranks, depth, full);
        q->generator[i] = generator_of(e);
        const int64_t width = 1 << below(ceil_log2(widest) + 1);
        q->call[i] = (struct segment_call){&q->generator[i], &q->shape[i], below(2), width, width == 1 && below(2)};
    }
}

/* Simulates a sequence with groups and without. */
static void try_sequence(const struct sequence *q, int number)
{
    struct verdict v;
    for (int group = 1; group <= q->group; group += q->group - 1)
        ck_assert_msg(simulate_segment(q->call, CALLS, q->spots, group, &v), "sequence %d, %d ranks, groups of %d: %s",
                      number, q->shape[0].ranks, group, v.why);
}

START_TEST(sequences)
{
    for (int i = 0; i < 4000; i++) {
        struct sequence q;
        draw_sequence(&q, 2 + below(6), 2 + below(3), 1 << below(4), 2 + below(3), false);
        try_sequence(&q, i);
    }
}

START_TEST(sequences_of_many_ranks)
{
    const int ranks[] = {8, 11, 17, 24, 31, 32, 33, 40, 47};
    for (int i = 0; i < 18; i++) {
        struct sequence q;
        const int p = ranks[i % COUNT(ranks)];
        draw_sequence(&q, p, 2 + below(3), 1 << below(3), p < 32 ? 2 + below(3) : segment_group(p), true);
        try_sequence(&q, i);
    }
}

/* These calls of many ranks go around the cells several times. */
START_TEST(most_ranks)
{
    for (size_t i = 0; i < COUNT(names); i++)
        for (enum collective c = 0; c < COLLECTIVES; c++) {
            const struct generator g = generator_of(engine_at(i));
            struct shape s = {.collective = c, .ranks = 192, .blocks = 5, .domain = below(100), .depth = 2};
            const struct segment_call call = {&g, &s, false, 1, false};
            struct verdict v;
            if (!engine_fits(engine_at(i), &s))
                continue;
            if (engine_at(i) == engine_find("node-line")) {
                s.depth = SEGMENT_DEPTH;
                s.blocks = around(s.ranks, s.depth);
            }
            if (engine_at(i)->serves[c].segment.cells == CELLS_PARTS)
                s.blocks *= s.ranks;
            REQUIRE(simulate_segment(&call, 1, s.depth, segment_group(s.ranks), &v), SHAPE "%s", SHAPE_OF(engine_at(i), &s),
                    v.why);
        }
}

/* ---- mutants ---------------------------------------------------------------------------------------------------------- */

/* The mutant leaves out one step of one rank. The number of the step counts the rank's steps in all calls. */
static struct {
    int rank, left_out, steps; /* the rank; number of the step to leave out; steps that the rank has taken */
    const void *engine_now;    /* of this call */
    const void *engine_of;     /* of the step that was left out */
    int64_t base, rounds;      /* rounds of all earlier calls; rounds of this call */
    struct step step;          /* the step that was left out */
    int64_t round;             /* the round of this step in the segment */
} mutant;

static void start_mutant(void *self, struct walk *w, const struct shape *shape, int rank)
{
    start_engine(self, w, shape, rank);
    if (rank == mutant.rank) {
        mutant.base += mutant.rounds;
        mutant.rounds = w->schedule.rounds;
        mutant.engine_now = self;
    }
}

static bool next_of_mutant(void *self, struct walk *w, struct step *step, int rank)
{
    if (!next_step(self, w, step, rank))
        return false;
    if (rank != mutant.rank || mutant.steps++ != mutant.left_out)
        return true;
    mutant.step = *step;
    mutant.round = mutant.base + step->when;
    mutant.engine_of = mutant.engine_now;
    return next_of_mutant(self, w, step, rank);
}

/*
 * The simulator need not notice that a wait is missing if another wait includes it: a rank that waits for another's work on
 * the next round also waits for the work on this round. The cells of the first rounds are free from the start, so no rank
 * needs to wait for them. If a rank does not tell a turn, telling the next turn makes up for it.
 */
static bool may_be_harmless(enum step_kind kind)
{
    return kind == STEP_TELL || kind == STEP_AWAIT || kind == STEP_AWAIT_ALL || kind == STEP_AWAIT_FREE;
}

static const char *mutant_text(void)
{
    static char text[100];
    const struct step *x = &mutant.step;
    snprintf(text, sizeof text, "rank %d, step %d: kind %d, round %d, from %d, turn %d", mutant.rank, mutant.left_out,
             (int)x->kind, (int)mutant.round, x->from, x->turn);
    return text;
}

START_TEST(mutants)
{
    int found[STEP_LEAVE + 1] = {0}, missed[STEP_LEAVE + 1] = {0}, waits[COUNT(names)][2] = {0};
    for (int i = 0; i < 20; i++) {
        struct sequence q;
        struct verdict v;
        /* With two cells, a wait for a free cell often includes that for another rank's turn; with three, it seldom does. */
        draw_sequence(&q, 2 + below(4), 2 + i % 2, 1, 1, true);
        for (int c = 0; c < CALLS; c++) {
            q.generator[c].next = next_of_mutant;
            q.generator[c].start = start_mutant;
            q.call[c].in_place = false; /* else a copy from IN to OUT does nothing */
        }
        for (mutant.rank = 0; mutant.rank < q.shape[0].ranks; mutant.rank++)
            for (mutant.left_out = 0;; mutant.left_out++) {
                mutant.base = mutant.rounds = mutant.steps = 0;
                const bool passes = simulate_segment(q.call, CALLS, q.spots, q.group, &v);
                if (mutant.steps <= mutant.left_out)
                    break;
                ++*(passes ? &missed[mutant.step.kind] : &found[mutant.step.kind]);
                for (size_t n = 0; n < COUNT(names); n++)
                    waits[n][passes] += mutant.step.kind == STEP_AWAIT && mutant.engine_of == engine_at(n);
                ck_assert_msg(!passes || may_be_harmless(mutant.step.kind), "sequence %d passes without this step: %s", i,
                              mutant_text());
            }
    }
    for (size_t n = 0; n < COUNT(names); n++)
        if (engine_at(n) != engine_find("node-prefixes")) /* which waits for all ranks at once */
            ck_assert_msg(waits[n][0] > 2 * waits[n][1], "%s: %d waits found, %d missed", names[n], waits[n][0],
                          waits[n][1]);
    ck_assert_int_gt(found[STEP_AWAIT], 2 * missed[STEP_AWAIT]);
    ck_assert_int_gt(found[STEP_AWAIT_ALL], 2 * missed[STEP_AWAIT_ALL]);
    ck_assert_int_gt(found[STEP_AWAIT_FREE], 300);
    ck_assert_int_gt(found[STEP_TELL], 100);
}

/* ---- one reader ------------------------------------------------------------------------------------------------------- */

static void start_with_one_reader(void *self, struct walk *w, const struct shape *shape, int rank)
{
    start_engine(self, w, shape, rank);
    w->schedule.one_reader = true;
}

/* In these calls several ranks may read a block of a cell at once, so the engines may not promise one reader. */
START_TEST(more_readers_than_one)
{
    static const struct {
        const char *engine;
        enum collective collective;
        int ranks;
    } calls[] = {{"node-copy", COLL_BCAST, 3},    {"node-ring", COLL_ALLREDUCE, 3}, {"node-flat", COLL_ALLREDUCE, 3},
                 {"node-flat", COLL_SCAN, 3},     {"node-tree", COLL_ALLREDUCE, 3}, {"node-tree", COLL_SCAN, 4},
                 {"node-line", COLL_ALLREDUCE, 2}};
    for (size_t i = 0; i < COUNT(calls); i++) {
        const struct shape s = {
            .collective = calls[i].collective, .ranks = calls[i].ranks, .blocks = 2 * calls[i].ranks, .depth = 8};
        struct generator g = generator_of(engine_find(calls[i].engine));
        const struct segment_call call = {&g, &s, false, 1, false};
        struct verdict v;
        ck_assert_msg(simulate_segment(&call, 1, s.depth, 1, &v), "%s: %s", calls[i].engine, v.why);
        g.start = start_with_one_reader;
        ck_assert_msg(!simulate_segment(&call, 1, s.depth, 1, &v), "%s may promise one reader", calls[i].engine);
    }
}

/* ---- loads and stores ------------------------------------------------------------------------------------------------- */

/*
 * Checks the bytes that all ranks load and store, in multiples of the message's m bytes: at most `most`, and more than
 * `most` - 4; and that no rank loads and stores more than `busiest`. For each byte, a copy counts 2 and a fold 3.
 */
static void check_moved(const char *engine, enum collective c, bool ordered, int q, int kind, double most, double busiest)
{
    const struct engine *e = engine_find(engine);
    struct shape s = {SHAPED(c, ordered, q, 0, 2 * q), .depth = 8, .wide = service_wide(&e->serves[c], q, q)};
    set_roots(&s, kind, q);
    const struct generator g = generator_of(e);
    const struct segment_call call = {&g, &s, false, 1, false};
    struct verdict v;
    ck_assert_msg(simulate_segment(&call, 1, 8, segment_group(q), &v), "%s: %s", engine, v.why);
    ck_assert_msg(v.moved <= most + 1e-6 && v.moved > most - 4, "%s %s of %d ranks moves %.2f m, not %.2f m", engine,
                  collective_name(c), q, v.moved, most);
    ck_assert_msg(v.busiest <= busiest + 1e-6 && v.busiest >= v.moved / q - 1e-6, "%s %s of %d ranks: one moves %.2f m",
                  engine, collective_name(c), q, v.busiest);
}

START_TEST(loads_and_stores)
{
    for (int q = 2; q <= 192; q += q < 33 ? 1 : 53) { /* the last one is 192 */
        check_moved("node-copy", COLL_BCAST, false, q, 0, 2 * q, 2);
        check_moved("node-copy", COLL_BCAST, false, q, 1, 2 * q, 2);
        check_moved("node-copy", COLL_BCAST, false, q, 2, 4, 2);
        check_moved("node-copy", COLL_BCAST, false, q, 3, 4 - 4.0 / q, 2);
        check_moved("node-copy", COLL_BCAST, false, q, 4, 2 * q - 2, 2);
        check_moved("node-line", COLL_REDUCE, false, q, 0, 3 * q, 3);
        check_moved("node-line", COLL_REDUCE, true, q, 0, 3 * q + 2, 5);
        check_moved("node-line", COLL_ALLREDUCE, true, q, 0, 5 * q, 5);
        check_moved("node-line", COLL_SCAN, true, q, 0, 5 * q - 3, 5);
        check_moved("node-line", COLL_EXSCAN, true, q, 0, 5 * q - 6, q > 2 ? 5 : 2);
        check_moved("node-ring", COLL_REDUCE, false, q, 1, 3 * q - 1, 3);
        check_moved("node-ring", COLL_ALLREDUCE, false, q, 0, 5 * q, 5);
        check_moved("node-prefixes", COLL_SCAN, true, q, 0, 7 * q, 7);
    }
}

/* A ring has whole spots, and its turns fit beside the other counters. */
START_TEST(rings)
{
    for (int64_t cell = SEGMENT_LEAST; cell <= SEGMENT_LARGE * segment_cell_bytes(2, 1); cell *= 2) {
        const int64_t spots = SEGMENT_DEPTH * cell >> segment_spot_log(cell);
        ck_assert_int_eq(1 << segment_spot_log(cell), SEGMENT_SPOT);
        ck_assert_int_ge(spots, SEGMENT_DEPTH * SEGMENT_SPOTS);
        ck_assert_int_ge(segment_counters(cell), SEGMENT_COUNTERS + spots / SEGMENT_NOTES * SEGMENT_TURN);
        ck_assert_int_lt(segment_bytes(2, cell), 2 * SEGMENT_DEPTH * cell * 13 / 12 + SEGMENT_PAGE);
    }
}

/* On a node of many ranks, a rank is in several communicators, such as the world, a row, a column and a pair. */
START_TEST(shares_suffice_for_several_communicators)
{
    static const int least[][2] = {{16, 6}, {64, 6}, {128, 6}, {192, 4}}; /* ranks of the node; communicators */
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        for (int ranks = 2; ranks <= least[i][0]; ranks++) {
            const int64_t share = (64 << 20) / least[i][0], cell = segment_cell_within(ranks, ranks % 2, share);
            ck_assert(cell >= SEGMENT_LEAST && cell <= SEGMENT_LARGE * segment_cell_bytes(ranks, 1));
            ck_assert_msg(least[i][1] * segment_bytes(ranks, cell) <= share * ranks, "%d of %d ranks", ranks, least[i][0]);
        }
    for (int ranks = 2; ranks <= 8; ranks++) /* a small node has cells of full size */
        ck_assert_int_eq(segment_cell_within(ranks, false, (64 << 20) / 8), segment_cell_bytes(ranks, 1));
    ck_assert_int_eq(segment_cell_within(192, false, 0), SEGMENT_LEAST);
}

SUITE("segment", 120)
