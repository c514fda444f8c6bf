/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The adaptive trees. Their schedules are right, the edges are a tree after every round, and ranks change parents by the
 * paper's rules. The last test is about the chain in the order of places.
 */
#include "adaptive.h"
#include "hash.h"
#include "known_trees.h"

static uint64_t seed; /* of noise() */

/* The factor, 0.8 to 1.3, by which a measurement changes a pair's figure. It is always the same for that pair and seed. */
static double noise(int a, int b)
{
    uint64_t pair = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
    return 0.8 + 0.5 * (double)(mix64(mix64(pair + 1) + seed) >> 11) / 0x1p53;
}

static double noisy_round_trip(const struct places *t, int a, int b)
{
    return 2 * t->reach[places_level(t, a, b)].alpha * noise(a, b);
}

static double noisy_bandwidth(const struct places *t, int a, int b)
{
    return noise(a, b) / t->reach[places_level(t, a, b)].flow;
}

enum { LATENCY, BANDWIDTH, KINDS };

static void make_noisy_latency(struct tree *t, const struct places *places)
{
    adaptive_make(t, places, &adaptive_latency, noisy_round_trip);
}

static void make_noisy_bandwidth(struct tree *t, const struct places *places)
{
    adaptive_make(t, places, &adaptive_bandwidth, noisy_bandwidth);
}

static const struct {
    const struct adaptive_rule *rule;
    adaptive_way *way;
    tree_maker *make;
    const char *engine; /* the engine of this kind in the registry, whose noise has another seed */
} kinds[KINDS] = {{&adaptive_latency, noisy_round_trip, make_noisy_latency, "adaptive-latency"},
                  {&adaptive_bandwidth, noisy_bandwidth, make_noisy_bandwidth, "adaptive-bandwidth"}};

static const struct trees latency = {any_tree_round_bound, .maker = make_noisy_latency};
static const struct trees bandwidth = {any_tree_round_bound, .maker = make_noisy_bandwidth};

/* The two engines of the registry, but with the noise of this file. */
static const struct engine noisy[KINDS] = {
    {.name = "noisy latency", ANY_TREE_SERVES(.trees = &latency)},
    {.name = "noisy bandwidth", ANY_TREE_SERVES(.trees = &bandwidth)},
};

static void simulate_both(const struct places *t, int kind, int root, int blocks)
{
    for (int c = COLL_BCAST; c <= COLL_REDUCE; c++) {
        const struct shape shape = shape_over(t, (enum collective)c, root, blocks);
        simulated(engine_find(kinds[kind].engine), &shape);
        simulated(&noisy[kind], &shape);
    }
}

/* Sites are 4 ms apart behind thin uplinks, and hosts of a site 0.1 ms apart, as in the paper. */
static struct places *read_sites(const char *text)
{
    const struct reach site = {0.1e-3, 8e-9, 8e-9}, reach[] = {{4e-3, 27e-9, 27e-9}, site, site, site};
    struct places *t = read_places(text);
    places_set_reach(t, reach, 0.05e-3);
    return t;
}

static const char *const small[] = {"1,1,2", "2,1", "2x2", "(2,1),3", "4-4-4", "5,7,(3,4,2)"};

LOOPED_TEST(all_roots, COUNT(small))
{
    struct places *t = read_sites(small[_i]);
    for (int kind = 0; kind < KINDS; kind++)
        for (int root = 0; root < places_ranks(t); root++)
            for (int n = 1; n <= 5; n++) {
                seed = (uint64_t)root;
                simulate_both(t, kind, root, n);
            }
    places_free(t);
}

START_TEST(large)
{
    static const char *const texts[] = {"50,40,30,17", "16x16", "3x7x5", "300,1"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *t = read_sites(texts[i]);
        for (int kind = 0; kind < KINDS; kind++)
            for (int root = 0; root < places_ranks(t); root += 1 + places_ranks(t) / 2)
                simulate_both(t, kind, root, places_ranks(t) < 500 ? 3 : 1);
        places_free(t);
    }
}

/* ---- Growing --------------------------------------------------------------------------------------------------------- */

/* An empty tree in static memory, which the next call uses again. */
static struct tree *new_tree(int ranks, int root)
{
    static int ints[9][MOST_RANKS];
    static double numbers[2][MOST_RANKS];
    static struct tree t;
    t = (struct tree){.ranks = ranks,
                      .root = root,
                      .parent = ints[0],
                      .child = ints[1],
                      .next = ints[2],
                      .order = ints[3],
                      .served = ints[4],
                      .when = ints[5],
                      .spare = {ints[6], ints[7], ints[8]},
                      .value = {numbers[0], numbers[1]}};
    return &t;
}

/* The number of edges from a rank up to the root, or -1 if the rank is in a cycle. */
static int depth_of(const struct tree *t, int v)
{
    int depth = 0;
    for (; v != t->root; v = t->parent[v])
        if (depth++ == t->ranks)
            return -1;
    return depth;
}

static int children_of(const struct tree *t, int v)
{
    int children = 0;
    for (int u = 0; u < t->ranks; u++)
        children += u != t->root && t->parent[u] == v;
    return children;
}

/*
 * The number that the rule of this kind compares, computed from the tree alone. It is the sum of the round-trip times from
 * the rank to the root, or the rate of the slowest edge on that path.
 */
static double value_of(const struct tree *t, const struct places *p, int kind, int v)
{
    double value = kind == LATENCY ? 0 : 1e99;
    for (; v != t->root; v = t->parent[v]) {
        double way = kinds[kind].way(p, v, t->parent[v]);
        if (kind == LATENCY)
            value += way;
        else if (value > way / children_of(t, t->parent[v]))
            value = way / children_of(t, t->parent[v]);
    }
    return value;
}

/* Does the paper's rule prefer `other` to the parent of v? */
static bool better(const struct tree *t, const struct places *p, int kind, int v, int other)
{
    double way = kinds[kind].way(p, v, other);
    if (kind == LATENCY)
        return way < kinds[kind].way(p, v, t->parent[v]) &&
               value_of(t, p, kind, other) < value_of(t, p, kind, v) * (1 - 1e-9);
    double rate = way / (children_of(t, other) + 1), upper = value_of(t, p, kind, other);
    return (rate < upper ? rate : upper) > value_of(t, p, kind, v) * (1 + 1e-9);
}

/*
 * After every round, the edges are a tree, and the parent of a rank is either its old parent or its partner of that round.
 * When nothing changes any more, no rank has a partner that would be a better parent.
 */
static void check_rounds(const char *text, int kind)
{
    struct places *p = read_sites(text);
    int settled = 0;
    for (seed = 1; seed <= 4; seed++) {
        struct growth g;
        struct tree *t = new_tree(places_ranks(p), (int)seed * 7 % places_ranks(p));
        int most = adaptive_rounds(t->ranks), sweeps = 0, last[MOST_RANKS], changes = 1;
        adaptive_begin(&g, kinds[kind].rule, kinds[kind].way, p, t);
        for (; sweeps < 4 * ADAPTIVE_SWEEPS && changes; sweeps++) {
            changes = 0;
            for (int round = 0; round < most; round++) {
                memcpy(last, t->parent, (size_t)t->ranks * sizeof *last);
                bool changed = adaptive_round(&g, round), differs = false;
                for (int v = 0; v < t->ranks; v++) {
                    REQUIRE(depth_of(t, v) >= 0, "no tree in sweep %d, round %d", sweeps, round);
                    REQUIRE(v == t->root || children_of(t, v) <= most, "%d children", children_of(t, v));
                    differs |= v != t->root && last[v] != t->parent[v];
                }
                ck_assert_int_eq(changed, differs);
                changes += changed;
                for (int i = 0; changed && i + 1 < t->ranks; i += 2)
                    for (int side = 0; side < 2; side++) {
                        int v = g.pairs[i + side], other = g.pairs[i + !side];
                        ck_assert(v == t->root || t->parent[v] == last[v] || t->parent[v] == other);
                    }
            }
        }
        for (int round = 0; !changes && round < most; round++) {
            ck_assert(!adaptive_round(&g, round));
            for (int i = 0; i + 1 < t->ranks; i += 2)
                for (int side = 0; side < 2; side++) {
                    int v = g.pairs[i + side], other = g.pairs[i + !side];
                    REQUIRE(v == t->root || other == t->parent[v] || !better(t, p, kind, v, other),
                            "%s: rank %d should have gone over to %d", text, v, other);
                }
        }
        settled += !changes;
    }
    ck_assert_int_gt(settled, 0);
    places_free(p);
}

START_TEST(rounds)
{
    static const char *const texts[] = {"50,40,30,17", "67,67,67", "5,7,(3,4,2)", "6x6", "23", "2,1"};
    for (size_t i = 0; i < COUNT(texts); i++)
        for (int kind = 0; kind < KINDS; kind++)
            check_rounds(texts[i], kind);
}

/* Makes the noisy tree of this kind; returns how many of its edges lead from site to site. */
static int links(const struct places *p, int kind, struct tree *t)
{
    int count = 0;
    kinds[kind].make(t, p);
    for (int v = 0; v < t->ranks; v++)
        count += v != t->root && places_level(p, v, t->parent[v]) == 0;
    return count;
}

/*
 * The rounds start from a tree with 87 edges between sites, and end with a tree that has few such edges. Trees for short
 * messages are shallow, and those for long messages are deeper.
 */
START_TEST(shapes_of_trees)
{
    enum { SEEDS = 20 };
    static const struct {
        int links, shallow, deep;
    } limits[KINDS] = {{15, 6, 20}, {15, 14, 60}};
    struct places *p = read_sites("50,40,30,17");
    for (int kind = 0; kind < KINDS; kind++) {
        int sum = 0;
        for (seed = 1; seed <= SEEDS; seed++) {
            struct tree *t = new_tree(places_ranks(p), 0);
            int count = links(p, kind, t), deepest = 0;
            for (int v = 0; v < t->ranks; v++)
                deepest = depth_of(t, v) > deepest ? depth_of(t, v) : deepest;
            ck_assert_int_ge(count, 3);
            ck_assert_int_ge(deepest, limits[kind].shallow);
            ck_assert_int_le(deepest, limits[kind].deep);
            sum += count;
        }
        ck_assert_int_le(sum, limits[kind].links * SEEDS);
    }
    places_free(p);
}

/* On the paper's 201 processors, the shortest message takes longer over the paper's tree than over the latency tree. */
START_TEST(short_messages)
{
    struct places *p = read_sites("67,67,67");
    double best = tree_over(engine_find("latency-tree"), p, 0)->finish;
    ck_assert_double_eq_tol(best, 4.9e-3, 1e-9);
    for (seed = 1; seed <= 10; seed++) {
        struct places *again = read_sites("67,67,67"); /* new places, as the old ones may keep the tree of another seed */
        double finish = tree_over(&noisy[LATENCY], again, 0)->finish;
        REQUIRE(finish > best && finish > 5.4e-3 && finish < 10.2e-3, "%g s", finish);
        places_free(again);
    }
    places_free(p);
}

/* The paper's rule, without the rule that we add for equal estimates. */
static bool faster_alone(const struct growth *g, int v, int other)
{
    double rate = g->way(g->places, v, other) / (g->children[other] + 1);
    return (rate < g->value[other] ? rate : g->value[other]) > g->value[v];
}

static double equal_bandwidth(const struct places *places, int a, int b)
{
    (void)places;
    return a != b;
}

static int widest(const struct places *p, const struct adaptive_rule *rule, int root)
{
    struct tree *t = new_tree(places_ranks(p), root);
    int most = 0;
    adaptive_make(t, p, rule, equal_bandwidth);
    for (int v = 0; v < t->ranks; v++)
        most = children_of(t, v) > most ? children_of(t, v) : most;
    return most;
}

/* If all pairs measure the same, the rule that we add makes the widest fan-out less than three quarters as large. */
START_TEST(ties)
{
    struct adaptive_rule alone = adaptive_bandwidth;
    alone.better = faster_alone;
    struct places *p = read_sites("100,100");
    for (int root = 0; root < 200; root += 20)
        ck_assert_int_lt(widest(p, &adaptive_bandwidth, root), widest(p, &alone, root) * 3 / 4);
    places_free(p);
}

/*
 * Returns the steps that a rank's subtree needs. A rank must serve its children by falling numbers of steps, and children of
 * equal numbers by rising ranks.
 */
static int height(const struct tree *t, int v)
{
    int most = 0, k = 0, last = 0;
    for (int c = t->child[v]; c != NOBODY; c = t->next[c]) {
        int own = height(t, c);
        ck_assert_int_eq(t->parent[c], v);
        ck_assert(k == 0 || own <= last);
        ck_assert(t->next[c] == NOBODY || height(t, t->next[c]) < own || t->next[c] > c);
        last = own;
        k++;
        most = k + own > most ? k + own : most;
    }
    return most;
}

START_TEST(order_of_service)
{
    struct places *p = read_sites("5,7,(3,4,2)");
    for (int kind = 0; kind < KINDS; kind++)
        for (seed = 1; seed <= 5; seed++)
            for (int root = 0; root < 21; root++) {
                struct places *again = read_sites("5,7,(3,4,2)");
                const struct shape shape = shape_over(again, COLL_REDUCE, root, 1);
                struct tree *t = new_tree(21, root);
                kinds[kind].make(t, p);
                ck_assert_int_eq(simulate_bound(&noisy[kind], &shape), height(t, root));
                places_free(again);
            }
    places_free(p);
}

/* ---- Chain ----------------------------------------------------------------------------------------------------------- */

/* Wherever the root is, the chain enters each place at most once and leaves it at most once. */
START_TEST(chain_over_places)
{
    static const char *const texts[] = {"3,4,1", "2x3x2", "1,(2,(3,1)),4"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *p = read_places(texts[i]);
        for (int root = 0; root < places_ranks(p); root++) {
            const struct known_tree *tree = tree_over(engine_find("chain"), p, root);
            for (int row = 0; row < p->rows; row++) {
                int in = 0, out = 0;
                for (int v = 0; v < places_ranks(p); v++) {
                    bool here = v >= p->place[row].first && v < p->place[row].end;
                    int from = tree->parent[v];
                    bool there = from >= p->place[row].first && from < p->place[row].end;
                    in += from != NOBODY && here && !there;
                    out += from != NOBODY && !here && there;
                }
                ck_assert(in <= 1 && out <= 1);
            }
        }
        places_free(p);
    }
}

SUITE("adaptive", 60)
