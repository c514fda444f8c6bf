/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans over trees, on the engines' trees and on random in-order trees. No rank may do more than it needs to: the test
 * counts the folds, sends and receives in each schedule, and compares them with those that follow from the rank's subtree.
 */
#include "schedules.h"
#include "two_tree.h"

enum { MOST = 4096, SMALL = 24, TREES = 500 };

/* A tree as arrays; `low` and `high` are the first and the last rank of a node's subtree. */
static struct arrays {
    int root, child[MOST][2], low[MOST], high[MOST], height;
} drawn;

/* ---- Counting ------------------------------------------------------------------------------------------------------ */

struct counts {
    int64_t folds, sends, receives, of_out; /* of_out: steps that write OUT */
};

static struct counts count(const struct engine *e, const struct shape *shape, int rank)
{
    struct walk s;
    struct step x;
    struct counts c = {0};
    engine_walk(e, &s, shape, rank);
    while (walk_next(&s, &x)) {
        bool exchange = x.kind == STEP_EXCHANGE;
        c.folds += x.kind == STEP_FOLD;
        c.sends += exchange && x.to != NOBODY;
        c.receives += exchange && x.from != NOBODY;
        c.of_out += x.b.slot == SLOT_OUT && (!exchange || x.from != NOBODY);
    }
    return c;
}

/* The folds, sends and receives of node x of a tree for one block. */
static struct counts due(const struct arrays *t, const struct shape *shape, int x)
{
    int left = t->child[x][0] >= 0, right = t->child[x][1] >= 0;
    int up = t->high[x] < shape->ranks - 1;
    int prefix = t->low[x] > 0;
    struct counts c = {.sends = up + (left && prefix) + right, .receives = left + (right && up) + prefix};
    if (shape->collective == COLL_SCAN)
        c.folds = left + (right && up) + prefix;
    else /* folds for the parent, for OUT, and for the right child */
        c.folds = up * (left + right) + (left && prefix) + (right && (left || prefix));
    return c;
}

static void check_counts(const struct arrays *t[], const int64_t blocks[], int trees, const struct engine *e,
                         const struct shape *shape)
{
    for (int rank = 0; rank < shape->ranks; rank++) {
        struct counts is = count(e, shape, rank), must = {0};
        for (int i = 0; i < trees; i++) {
            struct counts one = due(t[i], shape, rank);
            must.folds += one.folds * blocks[i];
            must.sends += one.sends * blocks[i];
            must.receives += one.receives * blocks[i];
        }
        REQUIRE(is.folds == must.folds, "%s %s p=%d n=%d rank %d: %d folds, not %d", e->name,
                collective_name(shape->collective), shape->ranks, (int)shape->blocks, rank, (int)is.folds, (int)must.folds);
        REQUIRE(is.sends == must.sends && is.receives == must.receives, "%s %s p=%d n=%d rank %d: %d sends, %d receives",
                e->name, collective_name(shape->collective), shape->ranks, (int)shape->blocks, rank, (int)is.sends,
                (int)is.receives);
        REQUIRE(rank > 0 || shape->collective == COLL_SCAN || is.of_out == 0, "%s p=%d: rank 0 writes OUT", e->name,
                shape->ranks);
    }
}

/* ---- Random trees -------------------------------------------------------------------------------------------------- */

/* A random in-order tree over low .. high, in which many nodes have a single child. Returns its root, -1 if it is empty. */
static int grow(int low, int high, int depth)
{
    if (low > high)
        return -1;
    int kind = rand() % 6, root = kind == 0 ? low : kind == 1 ? high : low + rand() % (high - low + 1);
    if (drawn.height < depth)
        drawn.height = depth;
    drawn.low[root] = low;
    drawn.high[root] = high;
    drawn.child[root][0] = grow(low, root - 1, depth + 1);
    drawn.child[root][1] = grow(root + 1, high, depth + 1);
    return root;
}

static int drawn_root(int p, int t)
{
    (void)p;
    (void)t;
    return drawn.root;
}

static void drawn_children(int p, int t, int x, int child[2])
{
    (void)p;
    (void)t;
    child[0] = drawn.child[x][0];
    child[1] = drawn.child[x][1];
}

static int drawn_height(int p, int t)
{
    (void)p;
    (void)t;
    return drawn.height;
}

static const struct family drawn_tree = {drawn_root, drawn_children, hop_by_side, drawn_height, NULL};

static const struct trees doubly = {scan_one_tree_round_bound, &drawn_tree, .way = SCAN_DOUBLY};
static const struct trees two_phase = {scan_one_tree_round_bound, &drawn_tree, .way = SCAN_TWO_PHASE};

START_TEST(random_trees)
{
    const struct engine drawn_engines[] = {
        {.name = "doubly",
         .scratch = 3,
         .serves = {[COLL_SCAN] = {.trees = &doubly, .generate = scan_one_tree},
                    [COLL_EXSCAN] = {.executor.keeps_input = true, .trees = &doubly, .generate = scan_one_tree}}},
        {.name = "two phases",
         .scratch = 3,
         .serves = {[COLL_SCAN] = {.trees = &two_phase, .generate = scan_one_tree},
                    [COLL_EXSCAN] = {.executor.keeps_input = true, .trees = &two_phase, .generate = scan_one_tree}}}};
    const struct arrays *tree[] = {&drawn};
    srand(1);
    for (int i = 0; i < TREES; i++) {
        int p = 1 + rand() % SMALL;
        drawn.height = 0;
        drawn.root = grow(0, p - 1, 0);
        for (size_t w = 0; w < 2; w++)
            for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++)
                for (int n = 1; n <= 5; n++) {
                    const struct shape shape = {.collective = (enum collective)c, .ordered = true, .ranks = p, .blocks = n};
                    simulated(&drawn_engines[w], &shape);
                    const int64_t blocks[] = {n};
                    if (p > 1)
                        check_counts(tree, blocks, 1, &drawn_engines[w], &shape);
                }
    }
}

/* ---- The trees of the engines -------------------------------------------------------------------------------------- */

/* Fills in x and the nodes below it; returns the height. */
static int measure(struct arrays *t, int p, int which, int x)
{
    int height = 0;
    two_tree_children(p, which, x, t->child[x]);
    t->low[x] = t->high[x] = x;
    for (int side = 0; side < 2; side++) {
        int child = t->child[x][side];
        if (child < 0)
            continue;
        REQUIRE((child > x) == side, "p=%d: rank %d is on the wrong side of %d", p, child, x);
        int below = 1 + measure(t, p, which, child);
        height = below > height ? below : height;
        if (side)
            t->high[x] = t->high[child];
        else
            t->low[x] = t->low[child];
    }
    return height;
}

static struct arrays u, v;

static void measure_both(int p)
{
    u.height = measure(&u, p, TREE_U, two_tree_root(p, TREE_U));
    v.height = measure(&v, p, TREE_V, two_tree_root(p, TREE_V));
}

static bool inner(const struct arrays *t, int x)
{
    return t->child[x][0] >= 0 || t->child[x][1] >= 0;
}

/* The trees have the heights that two_tree_scan.c counts on, and no rank has children in both. */
START_TEST(heights)
{
    for (int p = 1; p <= MOST; p++) {
        measure_both(p);
        ck_assert_int_eq(u.height, 31 - __builtin_clz((unsigned)p));
        ck_assert_int_eq(single_tree.height(p, TREE_U), u.height);
        ck_assert_int_le(v.height, ceil_log2(p));
        for (int x = 0; x < p; x++)
            REQUIRE(!inner(&u, x) || !inner(&v, x), "p=%d: rank %d has children in both trees", p, x);
    }
}

START_TEST(no_more_than_needed)
{
    for (int p = 2; p <= 130; p++) {
        measure_both(p);
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++)
            for (int n = 1; n <= 5; n++) {
                const struct shape shape = {.collective = (enum collective)c, .ordered = true, .ranks = p, .blocks = n};
                const struct arrays *trees[] = {&u, &v};
                const int64_t all[] = {n}, shares[] = {n / 2, n - n / 2};
                check_counts(trees, all, 1, engine_find("bintree"), &shape);
                check_counts(trees, all, 1, engine_find("doubly-pipelined"), &shape);
                check_counts(trees, shares, 2, engine_find("two-tree"), &shape);
            }
    }
}

/* For each block of an exclusive scan, the last rank never folds in a chain, and folds at most once in a tree. */
START_TEST(last_rank)
{
    static const struct {
        const char *engine;
        int folds; /* for each block */
    } table[] = {{"chain", 0}, {"bintree", 1}, {"doubly-pipelined", 1}, {"two-tree", 1}};
    for (size_t i = 0; i < COUNT(table); i++)
        for (int p = 2; p <= 70; p++) {
            const struct shape shape = {.collective = COLL_EXSCAN, .ordered = true, .ranks = p, .blocks = 6};
            ck_assert_int_le(count(engine_find(table[i].engine), &shape, p - 1).folds, table[i].folds * shape.blocks);
        }
}

/*
 * If each of the two trees carries k blocks, a rank sends at most 4k blocks and receives at most 4k: it needs 4k steps once
 * the pipelines are full.
 */
START_TEST(full_bandwidth)
{
    for (int p = 2; p <= 1100; p += p < 200 ? 1 : 37)
        for (int c = COLL_SCAN; c <= COLL_EXSCAN; c++)
            for (int n = 1; n <= 4; n++) {
                const struct shape shape = {.collective = (enum collective)c, .ordered = true, .ranks = p, .blocks = n};
                int64_t k = n - n / 2;
                for (int rank = 0; rank < p; rank++) {
                    struct counts is = count(engine_find("two-tree"), &shape, rank);
                    REQUIRE(is.sends <= 4 * k && is.receives <= 4 * k, "p=%d n=%d rank %d: %d sends, %d receives", p, n,
                            rank, (int)is.sends, (int)is.receives);
                }
            }
}

/*
 * The steps of the first blocks prove the bound on the rounds for all n, as in doc/places-scans. Blocks go up in even steps,
 * down in odd ones. `first` is the first step down, `last` the last step up.
 */
START_TEST(two_tree_rounds_are_proved)
{
    const struct engine *e = engine_find("two-tree");
    for (int p = 3; p <= 1100; p++) {
        const struct shape shape = {.collective = COLL_SCAN, .ordered = true, .ranks = p, .blocks = 2};
        int64_t begin = INT64_MAX, first = INT64_MAX, last = 0, end = 0;
        for (int rank = 0; rank < p; rank++) {
            struct walk s;
            struct step x;
            for (engine_walk(e, &s, &shape, rank); walk_next(&s, &x);) {
                if (x.kind != STEP_EXCHANGE)
                    continue;
                begin = x.when < begin ? x.when : begin;
                first = x.when % 2 && x.when < first ? x.when : first;
                last = x.when % 2 == 0 && x.when > last ? x.when : last;
                end = x.when > end ? x.when : end;
            }
        }
        int64_t proved = (first - begin + 1) / 2 + last - first - 1 + (end - last + 1) / 2;
        REQUIRE(proved <= 6 * ceil_log2(p) - 7, "p=%d: 2n+%d", p, (int)proved);
    }
}

SUITE("scan_trees", 120)
