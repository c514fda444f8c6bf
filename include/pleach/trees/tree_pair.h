/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tree pairs: two binary trees over the same ranks, as arrays, for trees that no formula gives. A maker makes both trees for
 * a root. Each rank takes its view from them: what it must know of both trees. See tree_pair.c.
 */
#pragma once

#include "place_tree.h"
#include "trees.h"
#include "two_tree.h"

/*
 * A rank in both trees; [tree] is TREE_U or TREE_V. The rank has at most two children in both trees together. The source is
 * a rank that feeds both trees and belongs to neither, so it has no parent. NOBODY: there is no such rank.
 */
struct tree_node {
    int parent[2];
    int child[2][2]; /* [tree][LEFT or RIGHT] */
    int colour[2];   /* of the edge to the parent: 0 or 1, for scans 0 .. period-1; no meaning without a parent */
    int down[2];     /* step in which the first block comes down from the parent; -1: none does */
    int up[2];       /* for scans: step in which the first block goes up to the parent; -1: none does */
};

/* The part of a tree pair that one rank must know. */
struct tree_pair_view {
    struct tree_view tree[2]; /* without shares */
    bool split;               /* the rank has a child in each tree */
    int front; /* with a source: the tree that the source feeds first; it carries the first half of the blocks */
    int span;  /* of the tree pair */
};

/* An edge that leaves a part of a place, for the recursion that makes trees. */
struct exit {
    int to;   /* row of a place; the edge leads to the place's root in the same tree; NOBODY: there is no exit */
    int tree; /* the tree of the edge */
};

struct pair_part {
    int row;
    struct exit exit[2]; /* [LEFT or RIGHT] */
};

struct tree_pair;

/* Makes both trees for a root, which it may ignore. Fills the empty nodes, and sets order and span. Must not fail. */
typedef void tree_pair_maker(struct tree_pair *b, const struct places *t, int root);

/* At least the number of makers. */
enum { TREE_PAIR_MAKERS = 9 };

/* The tree pair that was made last, and memory to make it, in the workshop. */
struct tree_pair {
    const struct places *places; /* for which it was made; NULL: there is no pair yet */
    tree_pair_maker *maker;
    int root;
    int ranks;              /* p */
    struct tree_node *node; /* [rank] */
    int *order;             /* the ranks in the order in which the maker built the trees; colouring follows it */
    int span;               /* of a broadcast: the largest `down`; of a scan: the latency of its round bound */
    int (*entry)[2];        /* [row of a place, perhaps a made-up one][tree]: row of the part that has that tree's root */
    struct pair_part *part; /* a stack of parts; see pair.c */
    struct tree_pair_latest {
        const struct places *places;
        tree_pair_maker *maker;
        int root, span;
    } latest[TREE_PAIR_MAKERS]; /* each maker's last span, as a choice asks all makers by turns */
};

/* In the workshop: makes the whole tree pair, in O(p), unless it is the one made last. */
void tree_pair_make(struct tree_pair *b, const struct places *t, tree_pair_maker *maker, int root);

/* The view of a rank, and the span. Both functions enter the workshop. */
struct tree_pair_view tree_pair_view(const struct places *t, tree_pair_maker *maker, int root, int rank);
int tree_pair_span(const struct places *t, tree_pair_maker *maker, int root);

/* For makers: at most this many made-up places may follow the rows of the tree of places. */
enum { TREE_PAIR_DEPTH = PLACES_DEPTH + 3 };

/* For makers: sets the parents from the children, which are ranks. */
void tree_pair_join(struct tree_pair *b);

/*
 * For makers: joins as tree_pair_join() does, and colours the edges. The two edges by which a rank receives differ in
 * colour, and so do the two by which it sends. The work is O(p).
 */
void tree_pair_colour(struct tree_pair *b);

/* For makers: joins, colours, sets `down` and the span of a broadcast. An edge's steps have the parity of its colour. */
void tree_pair_down(struct tree_pair *b);

/* For makers: visits the ranks of tree t from a root on, each after its parent. Uses b->order as a stack, and loses it. */
typedef void tree_pair_visitor(struct tree_pair *b, const struct tree_pair_beat *beat, int t, const struct tree_node *rank);
void tree_pair_visit(struct tree_pair *b, const struct tree_pair_beat *beat, int t, int root, tree_pair_visitor *visit);

/*
 * For struct service: broadcast and reduction over the tree pair of the root, in n + span rounds. Rank 0 computes the result
 * of an interior root and sends each block on, in 2n + 2 span rounds.
 */
void tree_pair_generate(struct schedule *s, tree_pair_maker *maker);
struct round_bound tree_pair_round_bound(const struct shape *shape, tree_pair_maker *maker);

/* Adds this rank's lanes of a reduction in tree t. The tree in front carries the first half of the blocks. */
void tree_pair_reduce(const struct tree_pair_view *x, struct schedule *s, const struct clock *c, int t);

/* ---- Scans; see tree_pair_scan.c ------------------------------------------------------------------------------------- */

/* How a scan uses a tree pair. */
struct tree_pair_beat {
    int trees;     /* 2, of which V carries the first half of the blocks; 1: U alone */
    int period;    /* steps between a block of a tree and the next */
    int lag;       /* an edge of colour c is used upwards in steps c modulo the period, downwards in steps c + lag */
    uint8_t spare; /* a slot other than T0 .. T3; or T1, if U alone carries all and each hop is shorter than the period */
};

/* For makers: sets `up`, `down` and the span from the colours. The trees must span all ranks, in-order. */
void tree_pair_time_scan(struct tree_pair *b, const struct tree_pair_beat *beat);

/*
 * For struct service: scans over x->pair by x->beat, and their rounds. They use `spare` and the slots T0 .. T3; T0 .. T2 if
 * U alone carries all blocks. The exclusive scan keeps its input.
 */
void tree_pair_scan(struct schedule *s);
struct round_bound tree_pair_scan_round_bound(const struct trees *x, const struct shape *shape);
