/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scans: rounds and messages of the engines doubling and binomial as in the papers; scans over trees, on the engines' trees
 * and on random in-order trees. No rank may do more than it needs to: the test counts the folds, sends and receives in each
 * schedule, and compares them with the papers' formulas, or with those that follow from the rank's subtree.
 */
#include "in_order.h"
#include "schedules.h"
#include "two_tree.h"

#include <limits.h>

enum { MOST = 4096, SMALL = 24, TREES = 500 };

static struct shape shape_of(enum collective c, int p, int64_t n)
{
    return (struct shape){.collective = c, .ordered = true, .ranks = p, .blocks = n};
}

/* ceil(log2(a / b)) for a >= b > 0. */
static int ceil_log2_of(int64_t a, int64_t b)
{
    int k = 0;
    for (; b << k < a; k++)
        ;
    return k;
}

/* floor(log2(a / b)) for a >= b > 0; -1 for a < b. */
static int floor_log2_of(int64_t a, int64_t b)
{
    int k = -1;
    for (; b << (k + 1) <= a; k++)
        ;
    return k;
}

/*
 * Is p worth a test? All small numbers of ranks are, large ones at which or behind which scans need one round more, and
 * some others.
 */
static bool telling(int p)
{
    return p < 200 || p % 97 == 0 || ceil_log2_of(p, 1) != ceil_log2_of(p - 1, 1) ||
           ceil_log2_of(4 * (p - 1), 3) != ceil_log2_of(4 * (p - 2), 3) ||
           ceil_log2_of(4 * (p - 1), 3) != ceil_log2_of(4 * p, 3);
}

/* One block takes exactly the papers' number of rounds. The next block begins when the one before has ended. */
START_TEST(rounds_of_doubling)
{
    for (int p = 2; p <= 2000; p++)
        for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN && telling(p); c++) {
            int rounds = c == COLL_SCAN ? ceil_log2_of(p, 1) : ceil_log2_of(4 * (p - 1), 3);
            for (int n = 1; n <= (p < 100 ? 3 : 1); n++) {
                struct shape s = shape_of(c, p, n);
                struct verdict v = simulated(engine_find("doubling"), &s);
                ck_assert_msg(v.rounds == rounds * n, "%s p=%d n=%d: %d rounds, not %d", collective_name(s.collective), p, n,
                              (int)v.rounds, rounds * n);
            }
        }
}

/*
 * Let f = floor(log2 p). In the last round, messages go down the tree only if p >= 3/2 * 2^f. No step both sends and
 * receives, and a block crosses each edge of a tree at most twice.
 */
START_TEST(rounds_of_binomial)
{
    for (int p = 2; p <= 600; p++)
        for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
            struct shape s = shape_of(c, p, 1);
            struct verdict v = simulated(engine_find("binomial"), &s);
            int rounds = floor_log2_of(p, 1) + floor_log2_of(2 * p, 3);
            ck_assert_msg(v.rounds == rounds, "%s p=%d: %d rounds, not %d", collective_name(s.collective), p, (int)v.rounds,
                          rounds);
            ck_assert_int_lt(v.messages, 2 * p);
            s.blocks = 2;
            ck_assert_msg(simulate_engine_by(engine_find("binomial"), &s, true, &v), "p=%d, one direction: %s", p, v.why);
        }
}

/* ---- Work of doubling and binomial ------------------------------------------------------------------------------------ */

/* The number of 1s at the end of a binary number. */
static int ones(int64_t j)
{
    return j % 2 ? 1 + ones(j / 2) : 0;
}

static int folds_of_doubling(enum collective c, int p, int r)
{
    if (r == 0)
        return 0;
    return c == COLL_SCAN ? ceil_log2_of((int64_t)r + 1, 1) : ceil_log2_of(4 * (int64_t)r, 3) - 1 + (r <= p - 3);
}

static int folds_of_binomial(enum collective c, int p, int r)
{
    int t = ones(r);
    bool sends = r < p - 1, up = ((int64_t)1 << t) < p - r, down = ((int64_t)1 << t) <= r;
    if (c == COLL_SCAN)
        return t + down;
    return t == 0 ? 0 : t - 1 + down + (sends ? 1 + (up && down) : 0);
}

static void check_work(const char *name, int p, int rank, int (*folds)(enum collective c, int p, int r))
{
    for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++) {
        struct shape s = shape_of(c, p, 3);
        const struct counts w = count_steps(engine_find(name), &s, rank);
        int each = folds(s.collective, p, rank);
        REQUIRE(w.folds == 3 * each && w.copies <= 3, "%s %s p=%d rank %d: %d folds, not 3*%d; %d copies", name,
                collective_name(s.collective), p, rank, (int)w.folds, each, (int)w.copies);
        /* In an exclusive scan, the last rank receives into its result, and rank 0 has no result: neither copies. */
        if (c == COLL_EXSCAN && (rank == 0 || rank == p - 1))
            ck_assert_int_eq(w.copies, 0);
        if (rank == p - 1)
            ck_assert_int_eq(w.sends, 0);
    }
}

/* The formulas hold on INT_MAX ranks, too. check_vast looks at the peers there. */
START_TEST(folds)
{
    const int ranks[] = {0, 1, 2, 4095, 1000000, (1 << 30) - 1, 1 << 30, INT_MAX - 3, INT_MAX - 2, INT_MAX - 1};
    for (int p = 2; p <= 200; p++)
        for (int rank = 0; rank < p; rank++) {
            check_work("doubling", p, rank, folds_of_doubling);
            check_work("binomial", p, rank, folds_of_binomial);
        }
    for (size_t i = 0; i < COUNT(ranks); i++) {
        check_work("doubling", INT_MAX, ranks[i], folds_of_doubling);
        check_work("binomial", INT_MAX, ranks[i], folds_of_binomial);
    }
}

/* A tree as arrays; `low` and `high` are the first and the last rank of a node's subtree. */
static struct arrays {
    int root, child[MOST][2], low[MOST], high[MOST], height;
} drawn;

/* ---- Counting ------------------------------------------------------------------------------------------------------ */

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
        struct counts is = count_steps(e, shape, rank), must = {0};
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
    (void)p, (void)t;
    return drawn.root;
}

static void drawn_children(int p, int t, int x, int child[2])
{
    (void)p, (void)t;
    child[0] = drawn.child[x][0];
    child[1] = drawn.child[x][1];
}

static int drawn_height(int p, int t)
{
    (void)p, (void)t;
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
            for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++)
                for (int n = 1; n <= 5; n++) {
                    const struct shape shape = shape_of(c, p, n);
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
    for (int p = 2; p <= 1100; p += p < 130 ? 1 : 97) {
        measure_both(p);
        for (enum collective c = COLL_SCAN; c <= COLL_EXSCAN; c++)
            for (int n = 1; n <= 5; n++) {
                const struct shape shape = shape_of(c, p, n);
                const struct arrays *trees[] = {&u, &v};
                const int64_t all[] = {n}, shares[] = {n / 2, n - n / 2};
                check_counts(trees, all, 1, engine_find("bintree"), &shape);
                check_counts(trees, all, 1, engine_find("doubly-pipelined"), &shape);
                check_counts(trees, shares, 2, engine_find("two-tree"), &shape);
            }
    }
}

/* The last rank of an exclusive scan never folds in a chain. */
START_TEST(last_of_a_chain)
{
    for (int p = 2; p <= 70; p++) {
        const struct shape shape = shape_of(COLL_EXSCAN, p, 6);
        ck_assert_int_eq(count_steps(engine_find("chain"), &shape, p - 1).folds, 0);
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
        const struct shape shape = shape_of(COLL_SCAN, p, 2);
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

SUITE("scans", 120)
