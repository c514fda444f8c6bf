/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The scans of two-tree: two pipelined binary trees at once, each with half of the message. doc/scans says more.
 *
 * P. Sanders, J. Speck, J. L. Traeff, "Two-Tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan", Parallel
 * Computing 35 (2009), Sect. 4.3. The trees are U and V of two_tree.c over all p ranks, and the messages are those of
 * scan_trees.c. V carries the first ceil(n/2) blocks and U the others.
 *
 * The period is 4. An edge of colour c is used upwards in steps 2c and downwards in steps 2c+1 modulo 4. A rank's
 * edges to its two parents differ in colour. It has children in one tree alone, and the edges to them differ in colour, too.
 * So it has at most one send and one receive in a step. A hop takes 2 steps where the colour changes and 4 where it stays.
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
 * The block received / the block sent, in a scan or an exclusive scan:
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

static int parent_u(const struct shape *shape, int x)
{
    return two_tree_parent(shape->ranks, TREE_U, x);
}

static int parent_v(const struct shape *shape, int x)
{
    return two_tree_parent(shape->ranks, TREE_V, x);
}

static void children_u(const struct shape *shape, int x, int child[2])
{
    two_tree_children(shape->ranks, TREE_U, x, child);
}

static void children_v(const struct shape *shape, int x, int child[2])
{
    two_tree_children(shape->ranks, TREE_V, x, child);
}

static int height_u(const struct shape *shape)
{
    return ceil_log2((int64_t)shape->ranks + 1) - 1;
}

static int height_v(const struct shape *shape)
{
    return ceil_log2(shape->ranks);
}

const struct scan_tree scan_tree_u = {parent_u, children_u, height_u};
static const struct scan_tree scan_tree_v = {parent_v, children_v, height_v};

/* Both trees use U's colours. V has the opposite ones, so two edges are equal in colour in V if they are in U. */
static int hop(const struct shape *shape, enum scan_hop kind, int x, int parent)
{
    bool same = two_tree_colour(shape->ranks, TREE_U, x) == two_tree_colour(shape->ranks, TREE_U, parent);
    if (kind == HOP_TURN)
        return same ? -1 : 1;
    return same ? PERIOD : PERIOD / 2;
}

void two_tree_scan(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const int64_t first = shape->blocks - shape->blocks / 2; /* V's share */
    /* No path up begins before step 0: it has at most q-1 hops, and a turn. */
    const int64_t origin = PERIOD * (int64_t)(ceil_log2(shape->ranks) - 1) + 1;
    const struct scan_clock u = {hop, PERIOD, origin + 2, 0, SLOT_T3, first, shape->blocks - first};
    const struct scan_clock v = {hop, PERIOD, origin, 0, SLOT_T3, 0, first};

    scan_tree_lanes(&scan_tree_v, &v, s);
    scan_tree_lanes(&scan_tree_u, &u, s);
}

struct round_bound two_tree_scan_round_bound(const struct shape *shape)
{
    return (struct round_bound){.slope = 2, .latency = shape->ranks > 1 ? 6 * ceil_log2(shape->ranks) - 7 : 0};
}
