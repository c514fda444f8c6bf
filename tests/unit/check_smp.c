/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The engines for nodes of several consecutive ranks: their trees, and the messages between nodes. Wrong trees, and promises
 * that the right trees break, show that the checks can fail.
 */
#include "in_order.h"
#include "schedules.h"
#include "smp.h"

enum { MOST = 1 << 12 };

static struct shape shape_of(int p, int k)
{
    return (struct shape){.collective = COLL_SCAN, .ordered = true, .ranks = p, .blocks = 1, .node_ranks = k};
}

/* ---- Trees --------------------------------------------------------------------------------------------------------- */

/*
 * A tree and its promise: at most `talkers` ranks of a node have edges to other nodes, and P nodes have at most halves/2 *
 * (P-1) such edges.
 */
struct promise {
    const char *name;
    const struct family *tree;
    int talkers, halves;
};

static const struct promise promises[] = {{"smp", &smp_trees, 2, 3}, {"smp-nested", &smp_nested_trees, 3, 2}};

static bool apart(const struct shape *s, int a, int b)
{
    return a / s->node_ranks != b / s->node_ranks;
}

/* The mistake in a whole tree, or NULL. */
static const char *tree_wrong(const struct promise *promise, const struct shape *s, int *height)
{
    const struct family *tree = promise->tree;
    static bool talks[MOST];
    int p = s->ranks, k = s->node_ranks, edges = 0, talkers = 0;
    *height = height_in_order(tree, p, k, tree->root(p, k), 0, p - 1);
    if (*height < 0)
        return "is not in-order";
    memset(talks, 0, sizeof talks);
    for (int x = 0; x < p; x++) {
        int child[2];
        tree->children(p, k, x, child);
        for (int i = LEFT; i <= RIGHT; i++)
            if (child[i] >= 0 && apart(s, x, child[i])) {
                edges++;
                talks[x] = talks[child[i]] = true;
            }
    }
    for (int x = 0; x < p; x++) {
        talkers = x > 0 && !apart(s, x - 1, x) ? talkers + talks[x] : talks[x];
        if (talkers > promise->talkers)
            return "has too many ranks of a node at edges between nodes";
    }
    return 2 * edges > promise->halves * (smp_nodes(p, k) - 1) ? "has too many edges between nodes" : NULL;
}

static void check_tree(const struct promise *promise, int p, int k)
{
    const struct shape s = shape_of(p, k);
    int height = 0, bound = promise->tree->height(p, k), nodes = smp_nodes(p, k);
    const char *wrong = tree_wrong(promise, &s, &height);
    REQUIRE(!wrong, "%s p=%d k=%d %s", promise->name, p, k, wrong);
    /* A tree has the height of its formula, but smp-nested may be lower if its root is on a last node with fewer ranks. */
    bool short_root = promise->tree == &smp_nested_trees && (nodes & (nodes - 1)) == 0 && p % k != 0;
    REQUIRE(height == bound || (short_root && height < bound), "%s p=%d k=%d: height %d, not %d", promise->name, p, k,
            height, bound);
}

START_TEST(every_small_tree)
{
    for (size_t i = 0; i < COUNT(promises); i++) {
        for (int p = 1; p <= 128; p++)
            for (int k = 1; k <= p + 1; k++)
                check_tree(&promises[i], p, k);
        for (int p = 1; p <= MOST; p += 1 + below(100))
            for (int j = 0; j < 4; j++)
                check_tree(&promises[i], p, 1 + below(j % 2 ? 64 : p));
        check_tree(&promises[i], 5, INT32_MAX);
    }
}

/* Checks a rank of a tree that is too large to walk through. */
static void check_rank(const struct promise *promise, const struct shape *s, int x)
{
    const int p = s->ranks, k = s->node_ranks, depth = depth_in_order(promise->tree, p, k, x);
    REQUIRE(depth >= 0 && depth <= promise->tree->height(p, k), "%s p=%d k=%d: rank %d has depth %d", promise->name, p, k, x,
            depth);
}

START_TEST(ranks_at_random)
{
    for (size_t i = 0; i < COUNT(promises); i++)
        for (int j = 0; j < 4000; j++) {
            int p = j % 3 ? 1 + below(1 << (8 + below(22))) : INT32_MAX - 1 - below(3);
            const struct shape s = shape_of(p, j % 2 ? 1 + below(128) : 1 + below(p));
            int head = below(p) / s.node_ranks * s.node_ranks;
            check_rank(&promises[i], &s, below(p));
            check_rank(&promises[i], &s, j % 5 ? p - 1 : 0);
            check_rank(&promises[i], &s, head);
            check_rank(&promises[i], &s, head > 0 ? head - 1 : 0);
        }
}

/* A tree without the second rule of smp.c: r_i is always the right successor of g_i, even if g_i has one already. */
static void always_right(int p, int k, int x, int child[2])
{
    smp_trees.children(p, k, x, child);
    if (x % k == 0 && smp_count(p, k, x / k) > 1)
        child[RIGHT] = x + 1 + two_tree_root(smp_count(p, k, x / k) - 1, TREE_U);
}

static void sides_swapped(int p, int k, int x, int child[2])
{
    int right_way[2];
    smp_nested_trees.children(p, k, x, right_way);
    child[LEFT] = right_way[RIGHT];
    child[RIGHT] = right_way[LEFT];
}

START_TEST(wrong_trees_are_found)
{
    const struct shape s = shape_of(17, 3);
    struct family no_second_rule = smp_trees, swapped = smp_nested_trees;
    no_second_rule.children = always_right;
    swapped.children = sides_swapped;
    const struct promise wrong[] = {
        {"smp", &no_second_rule, 2, 3}, {"smp-nested", &swapped, 3, 2},          {"smp", &smp_trees, 1, 3},
        {"smp", &smp_trees, 2, 2},      {"smp-nested", &smp_nested_trees, 2, 2}, {"smp-nested", &smp_nested_trees, 3, 1}};
    int height;
    for (size_t i = 0; i < COUNT(wrong); i++)
        ck_assert_msg(tree_wrong(&wrong[i], &s, &height) != NULL, "wrong promise %d was not found", (int)i);
}

/* ---- Schedules ----------------------------------------------------------------------------------------------------- */

static const struct traffic {
    const char *engine;
    int talkers;
    int crossing; /* most blocks between nodes, divided by blocks * (P-1); 0: ceil(log2((4(P-1)+2)/3)) */
    int needed;   /* least rounds of 15 full nodes, in percent of the bound */
} traffic[] = {{"smp", 2, 3, 94},
               {"smp-nested", 3, 2, 64}, /* the bound counts a way down to rank 0, on which no message goes */
               {"smp-phases", 1, 0, 100}};

/* The mistake in the messages between nodes, or NULL. */
static const char *traffic_wrong(const struct traffic *t, const struct shape *s, const struct verdict *v)
{
    if (v->talkers > t->talkers)
        return "too many ranks of a node talk to other nodes";
    int64_t others = smp_nodes(s->ranks, s->node_ranks) - 1,
            most = t->crossing ? t->crossing : ceil_log2((4 * others + 2) / 3);
    return v->crossing > s->blocks * others * most ? "too much goes between nodes" : NULL;
}

/* Each block that a fold, message or copy puts into scratch must be used. */
static void check_nothing_in_vain(const struct engine *e, const struct shape *s, int rank)
{
    bool idle[SLOTS] = {false};
    struct walk schedule;
    struct step x;
    engine_walk(e, &schedule, s, rank);
    while (walk_next(&schedule, &x)) {
        bool exchange = x.kind == STEP_EXCHANGE;
        if (!exchange || x.to != NOBODY)
            idle[x.a.slot] = false;
        if (exchange && x.from == NOBODY)
            continue;
        REQUIRE(!idle[x.b.slot] || x.b.slot < SLOT_T0 || x.kind == STEP_FOLD, SHAPE "rank %d: %s was of no use",
                SHAPE_OF(e, s), rank, slot_name(x.b.slot, (char[SLOT_TEXT]){0}));
        idle[x.b.slot] = true;
    }
    for (int slot = SLOT_T0; slot < SLOTS; slot++)
        REQUIRE(!idle[slot], SHAPE "rank %d: %s is of no use", SHAPE_OF(e, s), rank, slot_name(slot, (char[SLOT_TEXT]){0}));
}

static void check_schedule(const struct traffic *t, int p, int k, int n)
{
    const struct engine *e = engine_find(t->engine);
    for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
        struct shape s = shape_of(p, k);
        s.collective = (enum collective)c;
        s.blocks = n;
        const struct verdict v = simulated(e, &s);
        const char *wrong = traffic_wrong(t, &s, &v);
        REQUIRE(!wrong, SHAPE "%s: %d blocks, %d ranks", SHAPE_OF(e, &s), wrong, (int)v.crossing, v.talkers);
        for (int rank = 0; rank < p; rank++)
            check_nothing_in_vain(e, &s, rank);
    }
}

LOOPED_TEST(small, COUNT(traffic))
{
    for (int p = 1; p <= 64; p++)
        for (int k = 1; k <= 16; k++)
            for (int n = 1; n <= 5; n += n)
                check_schedule(&traffic[_i], p, k, n);
}

START_TEST(large)
{
    const int sizes[][2] = {{127, 8},   {128, 8},  {129, 8},  {257, 16},  {300, 7},   {511, 32},   {1000, 1},
                            {1000, 48}, {1023, 2}, {1024, 4}, {1024, 64}, {1024, 31}, {1024, 513}, {1024, 5000}};
    for (size_t t = 0; t < COUNT(traffic); t++)
        for (size_t i = 0; i < COUNT(sizes); i++)
            for (int n = 1; n <= 4; n += 3)
                check_schedule(&traffic[t], sizes[i][0], sizes[i][1], n);
}

/* An engine that is not made for nodes exceeds a bound. */
START_TEST(others_talk_more)
{
    const struct engine *e = engine_find("chain");
    const struct shape s = shape_of(48, 16);
    const struct verdict v = simulated(e, &s);
    ck_assert_int_eq(v.talkers, 2); /* the first and the last */
    ck_assert_int_eq(v.crossing, 2);
    ck_assert_ptr_null(traffic_wrong(&traffic[0], &s, &v));
    ck_assert_ptr_nonnull(traffic_wrong(&traffic[2], &s, &v));
}

/* The bounds are not much too high: on full nodes, schedules take at least `needed` percent of them. */
START_TEST(bounds_are_needed)
{
    for (size_t t = 0; t < COUNT(traffic); t++)
        for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++)
            for (int k = 1; k <= 64; k *= 4)
                for (int n = 1; n <= 7; n += 3) {
                    const struct engine *e = engine_find(traffic[t].engine);
                    struct shape s = shape_of(15 * k, k);
                    s.collective = (enum collective)c;
                    s.blocks = n;
                    const struct verdict v = simulated(e, &s);
                    int64_t bound = simulate_bound(e, &s);
                    ck_assert_msg(100 * v.rounds >= traffic[t].needed * bound, SHAPE "%d of %d rounds", SHAPE_OF(e, &s),
                                  (int)v.rounds, (int)bound);
                }
}

SUITE("smp", 120)
