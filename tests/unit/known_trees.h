/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of engines with one tree over places: finds the tree from the schedule of a broadcast. */
#ifndef PLEACH_KNOWN_TREES_H
#define PLEACH_KNOWN_TREES_H

#include "schedules.h"

enum { MOST_RANKS = 5000 };

struct known_tree {
    int parent[MOST_RANKS]; /* NOBODY at the root */
    int order[MOST_RANKS];  /* parents before children; the children of a rank in the order in which it serves them */
    int children[MOST_RANKS];
    double arrival[MOST_RANKS]; /* when the shortest message reaches a rank, in seconds after the broadcast begins */
    double finish;              /* the latest arrival */
};

static inline struct shape shape_over(const struct places *t, enum collective c, int root, int64_t blocks)
{
    return (struct shape){.collective = c, .ranks = places_ranks(t), .root = root, .blocks = blocks, .places = t};
}

/* The time in seconds at which `to` has the shortest message, if `from` sends it at time `sent`. */
static inline double taken(const struct places *t, double sent, int from, int to)
{
    return sent + t->gap + t->reach[places_level(t, from, to)].alpha + t->gap;
}

/* Returns the tree by which an engine broadcasts one block. */
static inline const struct known_tree *tree_over(const struct engine *e, const struct places *t, int root)
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

#endif
