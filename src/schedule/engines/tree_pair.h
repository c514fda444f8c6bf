/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tree pairs: two binary trees over the same ranks as arrays, for trees that no formula gives. A construction makes them for
 * a root, once; then each rank keeps its view, what it must know of both trees. See tree_pair.c.
 */
#ifndef PLEACH_TREE_PAIR_H
#define PLEACH_TREE_PAIR_H

#include "trees.h"
#include "two_tree.h"

/*
 * A rank in both trees, [tree], TREE_U or TREE_V. It has at most two children in both together. A rank that feeds both
 * trees, and belongs to neither, has no parent: the source. NOBODY stands for what is not there.
 */
struct tree_node {
    int parent[2];
    int child[2][2]; /* [tree][LEFT or RIGHT] */
    int colour[2];   /* of the edge to the parent, 0 or 1; for scans 0 .. period-1; no meaning without one */
    int down[2];     /* step of the first block that comes down from the parent; -1 without one */
    int up[2];       /* for scans: that of the first block that goes up to the parent; -1 where none does */
};

/* What one rank must know. */
struct tree_pair_view {
    struct tree_node own;
    struct tree_node child[2][2]; /* the nodes of its children; no meaning where there is none */
    int front; /* the tree that carries the first blocks, where there is a source: it feeds that tree first */
    int span;  /* of the tree pair */
};

/* A part of a place, for the recursion that makes trees: what leaves it on its left and on its right. */
struct exit {
    int to;   /* the place that it leads to, there to the root of the same tree; NOBODY: nothing leaves */
    int tree; /* by which tree it leaves */
};

struct part {
    int row;
    struct exit exit[2];
};

struct tree_pair;

/* Fills nodes, order and span for a root, which may be of no meaning to it. Must not fail. */
typedef void tree_pair_maker(struct tree_pair *b, const struct places *t, int root);

/* At least as many as there are makers. */
enum { TREE_PAIR_MAKERS = 9 };

/* The tree pair that was made last, and memory to make it. It belongs to a struct places; see places.h. */
struct tree_pair {
    int ranks;              /* p */
    struct tree_node *node; /* [rank] */
    int *order;             /* the ranks in the order in which the trees were built: that of colouring */
    int span;               /* of a broadcast: the largest `down`; of a scan: the latency of its round bound */
    int (*entry)[2];        /* of a place, or of one made up, by tree: the part in which the root is; see pair.c */
    struct part *part;      /* a stack of parts; likewise */
    tree_pair_maker *maker; /* what made it, for which root; NULL: there is none yet */
    int root;
    struct {
        tree_pair_maker *maker;
        int root, span;
    } latest[TREE_PAIR_MAKERS]; /* the spans that makers found last: a choice asks for them by turns */
};

/* Memory for tree pairs of p >= 1 ranks; NULL if there is none. */
struct tree_pair *tree_pair_new(int p);
void tree_pair_free(struct tree_pair *b);

/* All arrays; they are valid until the next call. Work O(p) if they are not those made last; never fails. */
const struct tree_pair *tree_pair_made(const struct places *t, tree_pair_maker *maker, int root);

/* The view of a rank, and the span. */
struct tree_pair_view tree_pair_view(const struct places *t, tree_pair_maker *maker, int root, int rank);
int tree_pair_span(const struct places *t, tree_pair_maker *maker, int root);

/* For makers. Empties the nodes and the order; so many made-up places may be added to those of the tree. */
enum { TREE_PAIR_DEPTH = PLACES_DEPTH + 3 };
void tree_pair_clear(struct tree_pair *b);

/* Finds the parents to the children, which are ranks. */
void tree_pair_join(struct tree_pair *b);

/*
 * Colours the edges such that the two by which a rank receives differ, and the two by which it sends. The work is O(p).
 */
void tree_pair_colour(struct tree_pair *b);

/* Sets `down` for a broadcast, where an edge is used in steps of its colour's parity, and the span. */
void tree_pair_down(struct tree_pair *b);

/*
 * For struct service: broadcast and reduction over the tree pair of a source, and their n + span rounds. If a reduction's
 * root is another rank than the source, the source, which must be rank 0, sends each block on to it: 2n + 2 span. See
 * tree_pair_lanes.c.
 */
void tree_pair_generate(struct schedule *s, tree_pair_maker *maker, int source);
struct round_bound tree_pair_round_bound(const struct shape *shape, tree_pair_maker *maker, int source);

/* The blocks of half 0 or 1, as a lane of period 2. The tree in front carries half 0. */
struct lane tree_pair_half(const struct shape *shape, int half);

/* Adds the lanes of this rank's reduction in one tree. */
void tree_pair_reduce(const struct tree_pair_view *x, struct schedule *s, const struct clock *c, int t);

/* ---- Scans; see tree_pair_scan.c ------------------------------------------------------------------------------------- */

/* How a scan uses a tree pair. */
struct tree_pair_beat {
    int trees;     /* 2, of which V carries the first half of the blocks; 1: U alone */
    int period;    /* steps between a block of a tree and the next */
    int lag;       /* an edge is used upwards in steps of its colour modulo the period, downwards so many later */
    uint8_t spare; /* a slot beside T0 .. T3; for U alone and hops shorter than the period, T1 */
};

/* For makers: sets `up`, `down` and the span by the colours. The trees must span all ranks, in-order. */
void tree_pair_time_scan(struct tree_pair *b, const struct tree_pair_beat *beat);

/* For struct service: scans, and their rounds. Slots up to the spare one. The exclusive scan keeps its input. */
void tree_pair_scan(struct schedule *s, tree_pair_maker *maker, const struct tree_pair_beat *beat);
struct round_bound tree_pair_scan_round_bound(const struct shape *shape, tree_pair_maker *maker,
                                              const struct tree_pair_beat *beat);

#endif
