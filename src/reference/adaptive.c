/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adaptive spanning trees, for adaptive-latency and adaptive-bandwidth; see doc/trees.
 *
 * H. Saito, K. Taura, T. Chikayama, "Collective Operations for Wide-Area Message Passing Systems Using Adaptive Spanning
 * Trees", Grid 2005. Here all ranks compute the same tree. A sweep has R = ceil(log2 p) + 10 rounds, each a matching of the
 * ranks drawn from a seed. A breadth-first search over the measured pairs makes the first tree; ranks that it misses hang
 * under the root. Sweeps follow until nothing changes, at most 16. In a round each rank but the root judges its partner as a
 * parent, by the tree as the round began.
 *
 * Invariant: after every round the edges form a tree; the rules' files say why. Only the root may have over R children.
 */
#include "adaptive.h"

#include "hash.h"

double adaptive_noise(int a, int b)
{
    uint64_t pair = a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
    return 0.8 + 0.5 * (double)(mix64(mix64(pair + 1) + 1) >> 11) / 0x1p53;
}

int adaptive_rounds(int ranks)
{
    return ceil_log2(ranks) + 10;
}

static void draw_pairs(struct growth *g, int round)
{
    uint64_t seed = mix64((uint64_t)round + 1);
    for (int i = 0; i < g->tree->ranks; i++) {
        int j = (int)(mix64(seed + (uint64_t)i) % ((uint64_t)i + 1));
        g->pairs[i] = g->pairs[j];
        g->pairs[j] = i;
    }
}

static int add_level(struct growth *g, int first, int end)
{
    struct tree *t = g->tree;
    int added = end;
    for (int round = 0; round < adaptive_rounds(t->ranks); round++) {
        draw_pairs(g, round);
        for (int i = 0; i < t->ranks - t->ranks % 2; i++) {
            int v = g->pairs[i], parent = g->pairs[i ^ 1];
            if (g->number[v] < 0 && g->number[parent] >= first &&
                (t->parent[v] == NOBODY || g->number[parent] < g->number[t->parent[v]]))
                t->parent[v] = parent;
        }
    }
    for (int v = t->ranks - 1; v >= 0; v--)
        if (g->number[v] < 0 && t->parent[v] != NOBODY) {
            t->next[v] = t->child[t->parent[v]];
            t->child[t->parent[v]] = v;
        }
    for (int i = first; i < end; i++)
        for (int v = t->child[t->order[i]]; v != NOBODY; v = t->next[v]) {
            t->order[added] = v;
            g->number[v] = added++;
        }
    return added;
}

void adaptive_begin(struct growth *g, const struct adaptive_rule *rule, adaptive_way *way, const struct places *places,
                    struct tree *t)
{
    *g = (struct growth){.rule = rule,
                         .way = way,
                         .places = places,
                         .tree = t,
                         .value = t->value[0],
                         .children = t->spare[0],
                         .number = t->spare[1],
                         .pairs = t->spare[2]};
    for (int v = 0; v < t->ranks; v++)
        t->parent[v] = t->child[v] = g->number[v] = -1;
    t->order[0] = t->root;
    g->number[t->root] = 0;
    int first = 0, end = 1;
    while (first < end) {
        int added = add_level(g, first, end);
        first = end;
        end = added;
    }
    for (int v = 0; v < t->ranks; v++)
        if (g->number[v] < 0) {
            t->parent[v] = t->root;
            g->number[v] = end++;
        }
}

bool adaptive_round(struct growth *g, int round)
{
    struct tree *t = g->tree;
    bool changed = false;
    tree_list(t);
    for (int v = 0; v < t->ranks; v++)
        g->children[v] = 0;
    for (int i = 1; i < t->ranks; i++)
        g->children[t->parent[t->order[i]]]++;
    g->value[t->root] = g->rule->root;
    g->number[t->root] = 0;
    for (int i = 1; i < t->ranks; i++) {
        g->value[t->order[i]] = g->rule->value(g, t->order[i]);
        g->number[t->order[i]] = i;
    }

    draw_pairs(g, round);
    for (int i = 0; i < t->ranks - t->ranks % 2; i++) {
        int v = g->pairs[i], other = g->pairs[i ^ 1];
        if (v != t->root && other != t->parent[v] && g->rule->better(g, v, other)) {
            t->parent[v] = other;
            changed = true;
        }
    }
    return changed;
}

void adaptive_make(struct tree *t, const struct places *places, const struct adaptive_rule *rule, adaptive_way *way)
{
    struct growth g;
    adaptive_begin(&g, rule, way, places, t);
    bool changed = true;
    for (int sweep = 0; sweep < ADAPTIVE_SWEEPS && changed; sweep++) {
        changed = false;
        for (int round = 0; round < adaptive_rounds(t->ranks); round++)
            changed |= adaptive_round(&g, round);
    }
    tree_by_height(t);
}
