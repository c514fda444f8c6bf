/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trees over places that no formula gives. The latency tree takes the times that doc/trees has in a table, and is optimal on
 * small machines. In the adaptive trees, the edges are a tree after every round, and ranks change parents by the paper's
 * rules. check_over_places simulates these engines.
 */
#include "adaptive.h"
#include "hash.h"
#include "placed.h"

#include <fenv.h>

enum { MOST_RANKS = 5000 };

struct known_tree {
    int parent[MOST_RANKS]; /* NOBODY at the root */
    int order[MOST_RANKS];  /* parents before children; the children of a rank in the order in which it serves them */
    int children[MOST_RANKS];
    double arrival[MOST_RANKS]; /* when the shortest message reaches a rank, in seconds after the broadcast begins */
    double finish;              /* the latest arrival */
};

static struct shape shape_over(const struct places *t, enum collective c, int root, int64_t blocks)
{
    return (struct shape){.collective = c, .ranks = places_ranks(t), .root = root, .blocks = blocks, .places = t};
}

/* The time in seconds at which `to` has the shortest message, if `from` sends it at time `sent`. */
static double taken(const struct places *t, double sent, int from, int to)
{
    return sent + t->gap + t->reach[places_level(t, from, to)].alpha + t->gap;
}

/* Returns the tree by which an engine broadcasts one block. */
static const struct known_tree *tree_over(const struct engine *e, const struct places *t, int root)
{
    static struct known_tree tree;
    const struct shape shape = shape_over(t, COLL_BCAST, root, 1);
    int last = 0;
    tree.order[last++] = root;
    tree.parent[root] = NOBODY;
    tree.finish = tree.arrival[root] = 0;
    for (int i = 0; i < last; i++) {
        struct walk s;
        struct step x;
        int v = tree.order[i];
        double free = tree.arrival[v];
        tree.children[v] = 0;
        for (engine_walk(e, &s, &shape, v); walk_next(&s, &x);)
            if (x.kind == STEP_EXCHANGE && x.to != NOBODY) {
                REQUIRE(last < shape.ranks, "more edges than a tree has");
                tree.children[v]++;
                tree.parent[x.to] = v;
                tree.order[last++] = x.to;
                tree.arrival[x.to] = taken(t, free, v, x.to);
                free += t->gap;
                if (tree.finish < tree.arrival[x.to])
                    tree.finish = tree.arrival[x.to];
            }
    }
    ck_assert_int_eq(last, shape.ranks);
    return &tree;
}

/* ---- The latency tree ------------------------------------------------------------------------------------------------ */

static const struct engine *latency_tree(void)
{
    return engine_find("latency-tree");
}

static void simulate_both(const struct places *t, int root, int blocks)
{
    for (enum collective c = COLL_BCAST; c <= COLL_REDUCE; c++) {
        const struct shape shape = shape_over(t, c, root, blocks);
        simulated(latency_tree(), &shape);
    }
}

/*
 * The table in doc/trees: the time of the shortest message over the latency tree, and over a binomial tree in the order of
 * the ranks. All times are in the table's unit.
 */
START_TEST(table)
{
    static const struct {
        const char *places;
        double outer, inner, gap, finish, binomial;
    } rows[] = {
        {"67,67,67", 4, 0.1, 0.05, 4.90, 9.25},
        {"60,50,30,20", 4, 0.1, 0.05, 4.80, 9.25},
        {"64x16", 2.5, 0.5, 0.5, 15.5, 27.0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct places *t = read_places(rows[i].places);
        const struct reach reach[] = {{rows[i].outer, 1, 1}, {rows[i].inner, 1, 1}};
        places_set_reach(t, reach, rows[i].gap);
        ck_assert_double_eq_tol(tree_over(latency_tree(), t, 0)->finish, rows[i].finish, 1e-9);
        ck_assert_double_eq_tol(tree_over(engine_find("binomial"), t, 0)->finish, rows[i].binomial, 1e-9);
        places_free(t);
    }
}

/*
 * Does some rank that has the message lie nearer to the receiver than the sender does? If so, the sender would make the
 * message enter a place that it has entered before.
 */
static bool entered(const struct places *t, unsigned have, int from, int to)
{
    for (int v = 0; v < places_ranks(t); v++)
        if (v != to && have >> v & 1 && places_level(t, v, to) > places_level(t, from, to))
            return true;
    return false;
}

/*
 * The least time at which all ranks have the message. The ranks of the bit set `have` have it already: the last of them got
 * it at time `last`. Rank r can send from time free[r] on.
 */
static double least(const struct places *t, const double free[], unsigned have, double last)
{
    int p = places_ranks(t);
    double best = 1e9;
    if (have == (1u << p) - 1)
        return last;
    for (int from = 0; from < p; from++)
        for (int to = 0; to < p && have >> from & 1; to++) {
            double then[8];
            if (have >> to & 1 || entered(t, have, from, to))
                continue;
            memcpy(then, free, sizeof then);
            double time = then[to] = taken(t, free[from], from, to);
            then[from] += t->gap;
            double finish = least(t, then, have | 1u << to, time > last ? time : last);
            best = finish < best ? finish : best;
        }
    return best;
}

/* Where latency between places exceeds all times inside them, no tree that enters each place once is faster. */
START_TEST(optimal)
{
    static const char *const texts[] = {"2,2",   "1,2",   "1,3",     "2,3",     "3,3",
                                        "1,1,3", "2,2,2", "1,(2,2)", "(1,2),2", "1,1,(1,2)"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *t = read_places(texts[i]);
        for (int root = 0; root < places_ranks(t); root++) {
            double free[8] = {0}, finish = tree_over(latency_tree(), t, root)->finish;
            double best = least(t, free, 1u << root, 0);
            REQUIRE(finish <= best * (1 + 1e-9), "%s root %d: %g us, not %g", texts[i], root, 1e6 * finish, 1e6 * best);
        }
        places_free(t);
    }
}

/* A hash of the steps of a rank, and of the round bound. */
static uint64_t steps(const struct places *t, int root, int rank)
{
    const struct shape shape = shape_over(t, COLL_REDUCE, root, 3);
    const struct round_bound bound = service_round_bound(&latency_tree()->serves[COLL_REDUCE], &shape);
    return hash_of_steps(latency_tree(), &shape, rank) + (uint64_t)(1000 * bound.slope + bound.latency);
}

/*
 * A rank may have more children than SCHEDULE_NUMBERS, as the list of its children stays in the tree cache. The cache makes
 * a tree again when its root comes back.
 */
START_TEST(wide)
{
    struct places *t = read_places("40,1,1,100,1");
    set_alpha(t, 1000);
    uint64_t before = steps(t, 42, 42);
    for (int root = 20; root < places_ranks(t); root += 20) {
        const struct known_tree *tree = tree_over(latency_tree(), t, root);
        int widest = 0;
        for (int v = 0; v < places_ranks(t); v++)
            widest = tree->children[v] > widest ? tree->children[v] : widest;
        ck_assert_int_gt(widest, SCHEDULE_NUMBERS);
        simulate_both(t, root, 1);
        simulate_both(t, root, 3);
        ck_assert_uint_eq(steps(t, 42, 42), before);
    }
    places_free(t);
}

/* Sums of equal times in another order may differ if they are rounded upwards. Even so, the tree is that of other ranks. */
START_TEST(rounding)
{
    for (int i = 0; i < 50; i++) {
        struct places *t = random_places(10 + below(50));
        struct reach reach[PLACES_DEPTH + 1];
        for (int level = 0; level <= PLACES_DEPTH; level++)
            reach[level] = (struct reach){.alpha = 0.1 * (1 + below(9)), .flow = 1, .up = 1};
        for (int up = 0; up < 2 && places_differ(t); up++) {
            static struct known_tree nearest;
            places_set_reach(t, reach, 0.1); /* the tree is made anew */
            fesetround(up ? FE_UPWARD : FE_TONEAREST);
            const struct known_tree *tree = tree_over(latency_tree(), t, 0);
            fesetround(FE_TONEAREST);
            if (up)
                ck_assert_mem_eq(tree->parent, nearest.parent, (size_t)places_ranks(t) * sizeof *tree->parent);
            else
                nearest = *tree;
        }
        places_free(t);
    }
}

/* ---- Adaptive trees -------------------------------------------------------------------------------------------------- */

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
} kinds[KINDS] = {{&adaptive_latency, noisy_round_trip, make_noisy_latency},
                  {&adaptive_bandwidth, noisy_bandwidth, make_noisy_bandwidth}};

static const struct trees latency = {any_tree_round_bound, .maker = make_noisy_latency};
static const struct trees bandwidth = {any_tree_round_bound, .maker = make_noisy_bandwidth};

/* The two engines of the registry, but with the noise of this file. */
static const struct engine noisy[KINDS] = {
    {.name = "noisy latency", ANY_TREE_SERVES(.trees = &latency)},
    {.name = "noisy bandwidth", ANY_TREE_SERVES(.trees = &bandwidth)},
};

/* Sites are 4 ms apart behind thin uplinks, and hosts of a site 0.1 ms apart, as in the paper. */
static struct places *read_sites(const char *text)
{
    const struct reach site = {0.1e-3, 8e-9, 8e-9}, reach[] = {{4e-3, 27e-9, 27e-9}, site, site, site};
    struct places *t = read_places(text);
    places_set_reach(t, reach, 0.05e-3);
    return t;
}

/* The schedules over trees with this noise. check_over_places simulates the engines of the registry. */
START_TEST(schedules)
{
    static const char *const texts[] = {"1,1,2", "2,1", "2x2", "(2,1),3", "4-4-4", "5,7,(3,4,2)", "16x16"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct places *t = read_sites(texts[i]);
        const int p = places_ranks(t);
        for (int kind = 0; kind < KINDS; kind++)
            for (int root = 0; root < p; root += 1 + p / 30)
                for (enum collective c = COLL_BCAST; c <= COLL_REDUCE; c++) {
                    const struct shape shape = shape_over(t, c, root, 1 + root % 5);
                    seed = (uint64_t)root;
                    simulated(&noisy[kind], &shape);
                }
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

SUITE("any tree", 60)
