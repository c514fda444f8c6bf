/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The two trees of the shift construction: the closed forms of shift_trees.c must agree with trees that the test builds,
 * node by node, from the definition; and colours must meet their conditions. Five wrong rules for colours show that the
 * check can fail.
 */
#include "in_order.h"
#include "schedules.h"
#include "two_tree.h"

enum { EXHAUSTIVE = 4096, MOST = 1 << 20 };

/* A binary tree as arrays: 0-based nodes, -1 for none. */
struct arrays {
    int root;
    int parent[MOST + 2], child[2][MOST + 2];
};

static struct arrays u, v;

static void hang(struct arrays *t, int parent, int side, int node)
{
    if (parent < 0)
        t->root = node;
    else
        t->child[side][parent] = node;
    if (node >= 0)
        t->parent[node] = parent;
}

/* Builds a tree of the nodes low .. high-1 below `parent`: on the left of its root is the largest possible complete tree. */
static void build(struct arrays *t, int low, int high, int parent, int side)
{
    int size = high - low, top = 1;
    if (size == 0)
        return;
    while (2 * top <= size)
        top *= 2;
    int node = low + top - 1;
    hang(t, parent, side, node);
    build(t, low, node, node, 0);
    build(t, node + 1, high, node, 1);
}

static void build_a(struct arrays *t, int n)
{
    memset(t->parent, -1, sizeof t->parent[0] * (size_t)(n + 1));
    for (int side = 0; side < 2; side++)
        memset(t->child[side], -1, sizeof t->child[0][0] * (size_t)(n + 1));
    build(t, 0, n, -1, 0);
}

/* Removes a node without a right child. Its left child, if it has one, takes its place. */
static void take_out(struct arrays *t, int node)
{
    int up = t->parent[node];
    hang(t, up, up >= 0 && t->child[1][up] == node, t->child[0][node]);
}

/* Numbers the nodes 1 .. last anew, from 0 on. */
static void shift(struct arrays *t, int last)
{
    for (int x = 0; x < last; x++) {
        t->parent[x] = t->parent[x + 1] < 0 ? -1 : t->parent[x + 1] - 1;
        for (int side = 0; side < 2; side++)
            t->child[side][x] = t->child[side][x + 1] < 0 ? -1 : t->child[side][x + 1] - 1;
    }
    t->root--;
    t->parent[last] = t->child[0][last] = t->child[1][last] = -1;
}

static void build_both(int m)
{
    int n = m + m % 2;
    build_a(&u, n);
    build_a(&v, n);
    take_out(&v, 0);
    shift(&v, n - 1);
    if (m == n)
        hang(&v, m - 2, 1, m - 1);
    else
        take_out(&u, n - 1);
}

/* ---- The conditions on colours ------------------------------------------------------------------------------------ */

/* The closed form of colours, with one of the mistakes 1 to 4; 0: without a mistake. */
static int colour_with(int mistake, int m, int tree, int x)
{
    unsigned y = (unsigned)x + 1, n = (unsigned)m + (unsigned)m % 2, c;
    unsigned t = y == n ? 0 : 31 - (unsigned)__builtin_clz(y ^ n);
    unsigned mask = mistake == 1 ? 1u << t : (1u << t) - 1;
    unsigned q = (unsigned)__builtin_parity(y & mask);
    if (y % 2)
        c = mistake == 2 ? 1 ^ q : 1 ^ ((t + q) % 2);
    else if (m % 4 >= 2)
        c = mistake == 3 ? 1 ^ q : (unsigned)__builtin_parity(y);
    else
        c = mistake == 4 ? (unsigned)__builtin_parity(y) : 1 ^ q;
    return (int)(tree == TREE_V ? 1 ^ c : c);
}

enum { CLOSED_FORM = 0, V_AS_U = 5, LIBRARY };

/* A node's colour by a rule: the library's, the closed form, or a wrong one. */
static int colour(int rule, int m, int t, int x)
{
    if (rule == LIBRARY)
        return two_tree_colour(m, t, x);
    if (rule == V_AS_U)
        return colour_with(0, m, x > 0 ? TREE_U : t, x);
    return colour_with(rule, m, t, x);
}

/* The mistake in the colours of node x and its children in both trees, or NULL. */
static const char *colours_wrong(int m, int x, int rule)
{
    int out[2], outs = 0;
    if (colour(rule, m, TREE_U, x) == colour(rule, m, TREE_V, x))
        return "receives twice in steps of one parity";
    for (int t = TREE_U; t <= TREE_V; t++) {
        int child[2];
        two_tree_children(m, t, x, child);
        if (two_tree_root(m, t) == x && colour(rule, m, t, x) != (t == TREE_U))
            return "is the root of U without colour 1, or of V without colour 0";
        for (int i = 0; i < 2; i++)
            if (child[i] >= 0) {
                if (outs == 2)
                    return "has more than two children in both trees";
                out[outs++] = colour(rule, m, t, child[i]);
            }
    }
    return outs == 2 && out[0] == out[1] ? "sends twice in steps of one parity" : NULL;
}

static const char *tree_wrong(int m, int rule)
{
    const char *wrong = NULL;
    for (int x = 0; x < m && !wrong; x++)
        wrong = colours_wrong(m, x, rule);
    return wrong;
}

START_TEST(wrong_rules_are_found)
{
    for (int rule = CLOSED_FORM; rule <= V_AS_U; rule++) {
        int m = 1;
        while (m <= 64 && !tree_wrong(m, rule))
            m++;
        ck_assert_msg(rule == CLOSED_FORM ? m > 64 : m <= 6, "rule %d fails at m = %d", rule, m);
    }
}

/* ---- Whole trees --------------------------------------------------------------------------------------------------- */

static void check_place(int m, int t, int x, const struct arrays *built)
{
    int child[2];
    two_tree_children(m, t, x, child);
    REQUIRE(two_tree_colour(m, t, x) == colour(CLOSED_FORM, m, t, x), "m=%d %c node %d: not the colour of the formula", m,
            "UV"[t], x);
    for (int i = 0; i < 2; i++) {
        const int want = built->child[i][x];
        REQUIRE(child[i] == want, "m=%d %c node %d: child %d, not %d", m, "UV"[t], x, child[i], want);
    }
}

static void check_tree(int m)
{
    const struct arrays *built[] = {&u, &v};
    int q = ceil_log2(m + 1);
    build_both(m);
    for (int x = 0; x < m; x++) {
        for (int t = TREE_U; t <= TREE_V; t++)
            check_place(m, t, x, built[t]);
        const char *wrong = colours_wrong(m, x, LIBRARY);
        REQUIRE(!wrong, "m=%d node %d: %s", m, x, wrong);
    }
    for (int t = TREE_U; t <= TREE_V; t++) {
        const int root = two_tree_root(m, t), want = built[t]->root;
        REQUIRE(root == want, "m=%d %c: root %d, not %d", m, "UV"[t], root, want);
        /* A path has at most q edges, counting the edge from the source; in V it may have one more if m + 1 = 2^q. */
        int height = height_in_order(&two_trees, m, t, root, 0, m - 1),
            most = q - 1 + (t == TREE_V && (m & (m + 1)) == 0 && m > 1);
        REQUIRE(height >= 0, "m=%d %c: not in-order", m, "UV"[t]);
        REQUIRE(height <= most, "m=%d %c: height %d > %d", m, "UV"[t], height, most);
    }
}

START_TEST(every_small_tree)
{
    for (int m = 1; m <= EXHAUSTIVE; m++)
        check_tree(m);
}

START_TEST(some_large_trees)
{
    for (int k = 13; k <= 20; k++)
        for (int d = -2; d <= (k < 20 ? 2 : 0); d += 1 + (k > 16))
            check_tree((1 << k) + d);
    for (int i = 0; i < 12; i++)
        check_tree(EXHAUSTIVE + 1 + below(MOST - EXHAUSTIVE));
}

/* Checks a node of trees that are too large to build. */
static void check_node(int m, int x)
{
    for (int t = TREE_U; t <= TREE_V; t++) {
        const int depth = depth_in_order(&two_trees, m, t, x);
        REQUIRE(depth >= 0 && depth <= ceil_log2((int64_t)m + 1), "m=%d %c: node %d has depth %d", m, "UV"[t], x, depth);
        REQUIRE(two_tree_colour(m, t, x) == colour(CLOSED_FORM, m, t, x), "m=%d %c: colour of %d", m, "UV"[t], x);
    }
    const char *wrong = colours_wrong(m, x, LIBRARY);
    REQUIRE(!wrong, "m=%d node %d: %s", m, x, wrong);
}

START_TEST(nodes_at_random)
{
    for (int i = 0; i < 6000; i++) {
        int m = i % 2 ? 8 + below(MOST) : (1 << (10 + below(20))) + below(9) - 4;
        for (int k = 0; k < 8; k++)
            check_node(m, k < 2 ? k : k < 5 ? m - k + 1 : below(m));
    }
    for (int k = 0; k < 100; k++)
        check_node(INT32_MAX - 1, k < 50 ? below(INT32_MAX - 1) : INT32_MAX - 2 - (k - 50));
}

/* An all-reduce is a reduction and then a broadcast: at most 2n + 4q - 2 rounds. Returns 1 if it takes that many. */
static int check_allreduce(int p, int n)
{
    const struct engine *e = engine_find("two-tree");
    int64_t most = 2 * n + 4 * ceil_log2(p) - 2, rounds = 0;
    for (int ordered = 0; ordered < 2; ordered++) {
        struct shape s = {.collective = COLL_ALLREDUCE, .ordered = ordered, .ranks = p, .blocks = n};
        const struct verdict v = simulated(e, &s);
        REQUIRE(p == 1 || simulate_bound(e, &s) == most, "p=%d n=%d: the bound is %d", p, n, (int)simulate_bound(e, &s));
        REQUIRE(p == 1 || v.messages == 2 * (p - 1) * n, "p=%d n=%d: %d messages", p, n, (int)v.messages);
        REQUIRE(!ordered || v.rounds == rounds, "p=%d n=%d: the order costs rounds", p, n);
        rounds = v.rounds;
    }
    return rounds == most;
}

START_TEST(allreduce)
{
    const int large[] = {96, 97, 100, 127, 128, 129, 192, 500, 512, 513, 1000, 1023, 1024, 1025, 2048, 3001, 4095, 4096};
    int tight = 0;
    for (int n = 1; n <= 12; n++)
        for (int p = 1; p <= 64; p++)
            tight += check_allreduce(p, n);
    for (int n = 100; n <= 101; n++)
        for (int p = 2; p <= 13; p++)
            tight += check_allreduce(p, n);
    for (size_t i = 0; i < COUNT(large); i++)
        for (int n = 1; n <= 8; n += large[i] < 1000 ? 2 : 7)
            tight += check_allreduce(large[i], n);
    ck_assert_int_gt(tight, 0); /* the bound cannot be lower, as some calls reach it */
}

/* The colour of the even node i by the rule in two_tree_mirror.c, which goes down from the root of A(m) to i. */
static int mirror_colour_walk(int m, int i)
{
    int colour = 1;
    for (int v = two_tree_root(m, TREE_U) + 1, next; v != i; v = next) {
        int child[2];
        two_tree_children(m, TREE_U, v - 1, child);
        next = child[v < i] + 1;
        colour ^= (m / 2 & 1) ^ (v > next);
    }
    return colour;
}

/* In the mirrored trees, the paper's rule for colours and the closed form agree. */
START_TEST(mirrored_colours)
{
    for (int m = 2; m <= EXHAUSTIVE; m += 2)
        for (int i = 2; i <= m; i += 2)
            REQUIRE(mirror_colour_walk(m, i) == mirror_colour(m, i), "m=%d i=%d", m, i);
    for (int k = 0; k < 100000; k++) {
        int m = 2 + 2 * below(MOST), i = 2 + 2 * below(m / 2);
        REQUIRE(mirror_colour_walk(m, i) == mirror_colour(m, i), "m=%d i=%d", m, i);
    }
    /* p = 7 in the paper's Fig. 1: the nodes 2, 4, 6 of T1 */
    ck_assert_int_eq(mirror_colour_walk(6, 4), 1);
    ck_assert_int_eq(mirror_colour_walk(6, 2), 1);
    ck_assert_int_eq(mirror_colour_walk(6, 6), 0);
}

SUITE("two-tree", 120)
