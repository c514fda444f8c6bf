/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places-tree: scans over one binary tree that keeps places together. doc/places-scans says more.
 *
 * The tree is new, to our knowledge. Its schedule is that of scan_trees.c, both phases at once: P. Sanders, J. L. Traeff,
 * "Parallel Prefix (Scan) Algorithms for MPI", EuroPVM/MPI 2006, Sect. 2.3. pair.c makes the tree, and tree_pair_scan.c
 * finds the steps.
 *
 * A place acts as a node of a tree: its ranks form a subtree with two exits, edges that leave the place. Its left subtree
 * hangs below its first rank, and its right subtree below its last rank. The place X has the parts Y1 .. Yk and the exits L
 * and R, either of which may be missing. In its tree, each part is a node of the in-order tree U of shift_trees.c, and "a ->
 * (l, r)" gives the part a these exits:
 *
 *     neither     U over Y1 .. Yk
 *     L           Y1 -> (L, U over Y2 .. Yk)
 *     R           Yk -> (U over Y1 .. Yk-1, R)
 *     both        Y1 -> (L, Yk), Yk -> (U over Y2 .. Yk-1, R)
 *     sites       parts in a line, with any exits: Y1 -> (L, Y2), Yi -> (none, Yi+1), Yk -> (none, R)
 *
 * A rank's exits are its children. So P places of one level have P-1 edges between them, each with at most one message in
 * either direction for a block. Where the parts of the outermost place are sites, the exit of each site is at its last rank,
 * which is the root of its subtree. All these ranks are on the right spine, and no message goes back to an earlier site.
 *
 * Rounds: 3n + s, where s <= 4H - 5 follows from the steps, and H is the height of the tree: 11 for 16 nodes of 16 ranks.
 *
 * Example, p = 7 in the places 0 1 | 2 3 4 | 5 6. The second place is U's root and has both exits, at 2 and 4:
 *              2
 *          1       4
 *        0       3   6
 *                   5
 *
 * Scan, n = 2; the block received / the block sent:
 *     step     0    1    2    3    4    5    6    7    8    9   10
 *     rank 0       -/0            -/1
 *     rank 1       0/-       -/0  1/-       -/1
 *     rank 2                 0/-  -/0       1/-  -/1
 *     rank 3                           0/0            1/1
 *     rank 4                      0/-  0/0  -/0  1/-  1/1  -/1
 *     rank 5                                     0/0            1/1
 *     rank 6                                0/-  0/0       1/-  1/1
 */
#include "pair.h"

static const struct tree_pair_beat beat = {.trees = 1, .period = 3, .lag = 0, .spare = SLOT_T1};

/* Colours the edges to a rank's children. A rank uses its edges to parent, left child and right child by turns. */
static void alternate(struct tree_pair *b, const struct tree_pair_beat *x, int t, const struct tree_node *v)
{
    for (int side = LEFT; side <= RIGHT; side++)
        if (v->child[t][side] != NOBODY)
            b->node[v->child[t][side]].colour[t] = (v->colour[t] + 1 + side) % x->period;
}

void places_tree_single(struct tree_pair *b, const struct places *t, int root)
{
    int top = 0;
    pair_single(b, t, root);
    while (b->node[top].parent[TREE_U] != NOBODY)
        top = b->node[top].parent[TREE_U];
    b->node[top].colour[TREE_U] = 2;
    tree_pair_visit(b, &beat, TREE_U, top, alternate);
    tree_pair_time_scan(b, &beat);
}

static const struct trees tree = {tree_pair_scan_round_bound, .pair = places_tree_single, .beat = &beat};

#define SCAN .text.rounds = "3n+s", .needs = NEED_PLACES_IN_ORDER, .trees = &tree, .generate = tree_pair_scan

const struct engine engine_places_tree = {
    .name = "places-tree",
    .summary = "one tree that keeps groups together, blocks up and down at once",
    .scratch = 3,
    .serves = {[COLL_SCAN] = {SCAN}, [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
