/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adaptive latency: the paper's tree for short messages; see adaptive.c and, for proofs, doc/trees.
 *
 * "Latency-Aware Spanning Tree" in H. Saito, K. Taura, T. Chikayama, Grid 2005, Sect. IV-B. A rank p takes `cand` for its
 * parent if RTT(p, cand) < RTT(p, parent), and dist(cand) < dist(p), the sum of round-trip times to the root.
 *
 * Example, broadcast, places of 3, 2 and 2 ranks, n = 2:
 *
 *     step     0    1    2    3    4    5    6
 *     rank 0  -/0       -/1
 *     rank 1  0/-  -/0  1/-  -/1
 *     rank 2       0/-  -/0  1/0  -/1  -/1
 *     rank 3                 0/-       1/-
 *     rank 4            0/-  -/0  1/-  -/1
 *     rank 5                      0/-       1/-
 *     rank 6                 0/-  -/0  1/-  -/1
 */
#include "adaptive.h"

static double distance(const struct growth *g, int v)
{
    int parent = g->tree->parent[v];
    return g->value[parent] + g->way(g->places, v, parent);
}

static bool nearer(const struct growth *g, int v, int other)
{
    return g->way(g->places, v, other) < g->way(g->places, v, g->tree->parent[v]) && g->value[other] < g->value[v];
}

const struct adaptive_rule adaptive_latency = {.root = 0, .value = distance, .better = nearer};

static double round_trip(const struct places *places, int a, int b)
{
    return 2 * places->reach[places_level(places, a, b)].alpha * adaptive_noise(a, b);
}

static void make(struct tree *t, const struct places *places)
{
    adaptive_make(t, places, &adaptive_latency, round_trip);
}

static const struct trees tree = {any_tree_round_bound, .maker = make};

const struct engine engine_adaptive_latency = {
    .name = "adaptive-latency",
    .summary = "a tree in which ranks look for parents that are near, by chance (for short messages)",
    ANY_TREE_SERVES(.trees = &tree, .model.reference = true),
};
