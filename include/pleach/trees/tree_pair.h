/* SPDX-License-Identifier: BSD-2-Clause */
/* Tree pairs: two binary trees over the same ranks, as arrays, for trees that no formula gives. See tree_pair.c. */
#pragma once

#include "place_tree.h"
#include "trees.h"
#include "two_tree.h"

/*
 * A rank in both trees, at most two children in all; [tree] is TREE_U or TREE_V. The source feeds both trees and has no
 * parent.
 */
struct tree_node {
    int parent[2];
    int child[2][2]; /* [tree][LEFT or RIGHT] */
    int colour[2];   /* of the edge to the parent: 0 or 1, for scans 0 .. period-1 */
    int down[2];     /* step in which the first block comes from the parent, or -1 */
    int up[2];       /* for scans: step in which it goes to the parent, or -1 */
};

struct tree_pair_view {
    struct tree_view tree[2]; /* without shares */
    bool split;
    int front; /* with a source: the tree fed first, which carries the first half of the blocks */
    int span;
};

/* An edge that leaves a part of a place, while trees are made. */
struct exit {
    int to; /* row of a place, at its root in `tree`; NOBODY: no exit */
    int tree;
};

struct pair_part {
    int row;
    struct exit exit[2];
};

struct tree_pair;

/* Fills the empty nodes, sets order and span. May ignore the root. Must not fail. */
typedef void tree_pair_maker(struct tree_pair *b, const struct places *t, int root);

/* At least the number of makers. */
enum { TREE_PAIR_MAKERS = 9 };

/* The pair made last, in the workshop, and memory to make it. */
struct tree_pair {
    const struct places *places; /* NULL: no pair yet */
    tree_pair_maker *maker;
    int root;
    int ranks;
    struct tree_node *node;
    int *order;             /* in which the maker built the trees; colouring follows it */
    int span;               /* of a broadcast: the largest `down`; of a scan: the latency of its round bound */
    int (*entry)[2];        /* [row, perhaps made-up][tree]: row of the part with that tree's root */
    struct pair_part *part; /* a stack of parts; see pair.c */
    struct tree_pair_latest {
        const struct places *places;
        tree_pair_maker *maker;
        int root, span;
    } latest[TREE_PAIR_MAKERS]; /* each maker's last span, as a choice asks all makers */
};

/* Makes the pair in O(p), unless it is there. In the workshop. */
void tree_pair_make(struct tree_pair *b, const struct places *t, tree_pair_maker *maker, int root);

/* These enter the workshop. */
struct tree_pair_view tree_pair_view(const struct places *t, tree_pair_maker *maker, int root, int rank);
int tree_pair_span(const struct places *t, tree_pair_maker *maker, int root);

/* For makers: most made-up places, which follow the rows of the tree. */
enum { TREE_PAIR_DEPTH = PLACES_DEPTH + 3 };

/* For makers: sets parents from children. */
void tree_pair_join(struct tree_pair *b);

/* For makers: also colours the edges, in O(p). Both edges by which a rank receives differ, and both by which it sends. */
void tree_pair_colour(struct tree_pair *b);

/* For makers: also sets `down` and the span of a broadcast. Steps have the parity of their edge's colour. */
void tree_pair_down(struct tree_pair *b);

/* For makers: visits tree t from a root on, each rank after its parent. Overwrites b->order. */
typedef void tree_pair_visitor(struct tree_pair *b, const struct tree_pair_beat *beat, int t, const struct tree_node *rank);
void tree_pair_visit(struct tree_pair *b, const struct tree_pair_beat *beat, int t, int root, tree_pair_visitor *visit);

/* Broadcast and reduction in n + span rounds; to an interior root, by way of rank 0, in 2n + 2 span. */
void tree_pair_generate(struct schedule *s, tree_pair_maker *maker);
struct round_bound tree_pair_round_bound(const struct shape *shape, tree_pair_maker *maker);

void tree_pair_reduce(const struct tree_pair_view *x, struct schedule *s, const struct clock *c, int t);

/* ---- Scans; see tree_pair_scan.c ------------------------------------------------------------------------------------- */

struct tree_pair_beat {
    int trees;     /* 2, V with the first half of the blocks; 1: U alone */
    int period;    /* steps between two blocks of a tree */
    int lag;       /* an edge of colour c goes up in steps c, down in c + lag modulo the period */
    uint8_t spare; /* a slot other than T0 .. T3; T1 if U alone carries all and hops are shorter than the period */
};

/* For makers: sets `up`, `down` and span from the colours, for in-order trees over all ranks. */
void tree_pair_time_scan(struct tree_pair *b, const struct tree_pair_beat *beat);

/* Scans over x->pair by x->beat; slots T0 .. T3 (T2 for U alone) and `spare`. The exclusive scan keeps its input. */
void tree_pair_scan(struct schedule *s);
struct round_bound tree_pair_scan_round_bound(const struct trees *x, const struct shape *shape);
