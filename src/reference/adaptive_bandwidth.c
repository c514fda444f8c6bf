/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adaptive bandwidth: the paper's tree for long messages; see adaptive.c and, for proofs, doc/trees.
 *
 * "Bandwidth-Aware Spanning Tree" in H. Saito, K. Taura, T. Chikayama, Grid 2005, Sect. IV-C. A rank p is fed at about
 * est(p) = min(est(parent), bw(p, parent) / children(parent)); est(root) is infinite. Rank p takes `cand` for its parent if
 * min(est(cand), bw(p, cand) / (children(cand) + 1)) > est(p). The paper divides by children(cand), without p itself.
 *
 * Our own rule moves equal siblings below each other: p also changes if est(p) does not fall, children(cand) + 1 <
 * children(parent), and cand comes before p: by falling est, then by growth.number.
 *
 * Example, broadcast, places of 3, 2 and 2 ranks, n = 2:
 *
 *     step     0    1    2    3    4    5    6
 *     rank 0  -/0  -/1
 *     rank 1  0/-  1/0  -/1
 *     rank 2       0/-  1/0  -/1
 *     rank 3                 0/-  1/0  -/1
 *     rank 4            0/-  1/0  -/1
 *     rank 5                           0/-  1/-
 *     rank 6                      0/-  1/0  -/1
 */
#include "adaptive.h"

#include <math.h>

static double least(double a, double b)
{
    return a < b ? a : b;
}

static double estimate(const struct growth *g, int v)
{
    int parent = g->tree->parent[v];
    return least(g->value[parent], g->way(g->places, v, parent) / g->children[parent]);
}

static bool faster(const struct growth *g, int v, int other)
{
    const double *est = g->value;
    double then = least(est[other], g->way(g->places, v, other) / (g->children[other] + 1));
    if (then != est[v])
        return then > est[v];
    return g->children[other] + 1 < g->children[g->tree->parent[v]] &&
           (est[other] > est[v] || g->number[other] < g->number[v]);
}

const struct adaptive_rule adaptive_bandwidth = {.root = INFINITY, .value = estimate, .better = faster};

static double bandwidth(const struct places *places, int a, int b)
{
    return adaptive_noise(a, b) / places->reach[places_level(places, a, b)].flow;
}

static void make(struct tree *t, const struct places *places)
{
    adaptive_make(t, places, &adaptive_bandwidth, bandwidth);
}

static const struct trees tree = {any_tree_round_bound, .maker = make};

const struct engine engine_adaptive_bandwidth = {
    .name = "adaptive-bandwidth",
    .summary = "a tree in which ranks look for parents that feed them fast, by chance (for long messages)",
    ANY_TREE_SERVES(.trees = &tree, .model.reference = true),
};
