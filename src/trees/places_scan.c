/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scans of the engines places and places-line, over two trees over places; doc/places-scans has the proofs.
 *
 * They are ours, after the paper that two_tree.c cites, Sect. 4.3. pair.c makes U and V, tree_pair_scan.c the messages. V
 * carries the first ceil(n/2) blocks. The period is 4.
 *
 * Example, scan, the places 0 1 2 | 3 4 | 5 6, n = 2:
 *
 *     step     0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15   16   17   18   19   20   21
 *     rank 0            -/0       1/-                 -/1                      -/1
 *     rank 1  1/-       0/-       -/1       -/0                                1/-                 -/1
 *     rank 2  -/1                           0/-       0/-       -/0                                1/0
 *     rank 3                      -/0                 1/-            -/1                                               0/-
 *     rank 4                      0/-                 -/0            1/-                 -/1       0/-                 -/0
 *     rank 5                                                    0/-            -/0            -/1  1/-
 *     rank 6                                                                   0/-       1/-  1/-  -/1
 *
 * Places-line: sites in a line. The last rank of a site, its gate, is the source of a pair over the site, and the next gate
 * is right of it in both trees.
 *
 * Example, scan, the sites 0 1 2 | 3 4 | 5 6 with the gates 2, 4, 6, n = 2:
 *
 *     step     0    1    2    3    4    5    6    7    8    9   10   11   12   13
 *     rank 0  1/-       -/0       -/1                      -/1
 *     rank 1  -/1       0/-                 -/0            1/-
 *     rank 2                      1/-       0/1       -/0
 *     rank 3                           -/1       -/0            1/-       0/-
 *     rank 4                           1/-  1/-  0/1  0/-  -/0  -/1       -/0
 *     rank 5                                                    -/1  1/-  -/0  0/-
 *     rank 6                                     1/-       0/-  1/-  -/1  0/-  -/0
 */
#include "pair.h"

static const struct tree_pair_beat beat = {.trees = 2, .period = 4, .lag = 1, .spare = SLOT_T4};

/* Colours 0 and 1 become steps modulo the period. */
static void spread_colours(struct tree_pair *b, const struct place *place, int shift)
{
    for (int rank = place->first; rank < place->end; rank++)
        for (int t = TREE_U; t <= TREE_V; t++)
            b->node[rank].colour[t] = 2 * b->node[rank].colour[t] + shift;
}

static void weave(struct tree_pair *b, const struct places *t, int root)
{
    pair_all(b, t, root);
    spread_colours(b, &t->place[0], 0);
    tree_pair_time_scan(b, &beat);
}

static void weave_line(struct tree_pair *b, const struct places *t, int root)
{
    const struct place *place = t->place;
    (void)root;
    pair_sites(b, t, true);
    tree_pair_colour(b);
    for (int row = places_part(0), site = 0, before = NOBODY; row < place[0].next; row = place[row].next, site++) {
        int gate = place[row].end - 1;
        for (int tree = TREE_U; tree <= TREE_V; tree++) {
            b->node[gate].parent[tree] = before;
            b->node[gate].colour[tree] = tree;
            if (before != NOBODY)
                b->node[before].child[tree][RIGHT] = gate;
        }
        spread_colours(b, &place[row], site);
        before = gate;
    }
    tree_pair_time_scan(b, &beat);
}

const struct trees places_scan = {tree_pair_scan_round_bound, .pair = weave, .beat = &beat};
const struct trees gates_scan = {tree_pair_scan_round_bound, .pair = weave_line, .beat = &beat};
