/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scans of two-tree: two pipelined binary trees at once, each with half of the message; see doc/scans.
 *
 * The paper that two_tree.c cites, Sect. 4.3. The trees are U and V of shift_trees.c over all p ranks, the messages those of
 * scan_trees.c. V carries the first ceil(n/2) blocks.
 *
 * The period is 4. An edge of colour c goes up in steps 2c and down in steps 2c+1 modulo 4. A hop takes 2 steps where the
 * colour changes, else 4.
 *
 * Example, p = 7, n = 2. The nodes are ranks, each edge shows its colour, V carries block 0 and U block 1:
 *
 *       U:         3                          V:                6
 *             1/       \0                                1/
 *             1         5                              2
 *          1/   \0   0/   \1                     0/       \1
 *          0     2   4     6                     0         4
 *                                                 \0     0/   \1
 *                                                  1     3     5
 *
 * A scan or an exclusive scan:
 *
 *     step     0    1    2    3    4    5    6    7    8    9   10   11   12   13   14   15   16   17   18   19
 *     rank 0                      0/-       -/1       -/0                                          -/0
 *     rank 1                      -/0       1/-       1/-       -/1                                0/1
 *     rank 2                                0/-       0/1       -/0                      -/0       1/-
 *     rank 3                      -/0                           1/-            -/1                 0/-
 *     rank 4            0/-       0/-       -/0                           -/1            0/-       1/0       -/0
 *     rank 5            -/0                                               1/-  1/-       -/1       -/1       0/-
 *     rank 6                                                    0/-                      1/-
 *
 * Rounds <= 2n + 6q - 7; doc/scans says how far that is proved.
 */
#include "two_tree.h"

enum { PERIOD = 4 };

void two_tree_scan(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    /* So no rank sends before step 0: a path up is a turn and at most q-1 hops of at most PERIOD steps. */
    const int64_t origin = PERIOD * (int64_t)(ceil_log2(shape->ranks) - 1) + 1;
    for (int t = TREE_U; t <= TREE_V; t++) {
        const struct gait gait = {t == TREE_U ? origin + 2 : origin, .down = {2, PERIOD}, .up = {2, PERIOD}};
        struct tree_view x = tree_scan_view(&two_trees, &gait, shape->ranks, t, s->rank);
        tree_share_out(&x, tree_share(shape, PERIOD, 2, t == TREE_U));
        tree_scan(s, &x, (struct scan_slots){SLOT_T0, SLOT_T2, SLOT_T3});
    }
}

struct round_bound two_tree_scan_round_bound(const struct shape *shape)
{
    return (struct round_bound){.slope = 2, .latency = shape->ranks > 1 ? 6 * ceil_log2(shape->ranks) - 7 : 0};
}
