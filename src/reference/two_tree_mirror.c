/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two-tree-mirror: two pipelined binary trees, mirror images, with the paper's own colouring; see doc/two-trees.
 *
 * The paper that two_tree.c cites, Sect. 3 and 5.1 (Algorithm inEdgeColor, Fig. 3).
 *
 * The trees span the nodes 1 .. m = p-1, the ranks but the root. For even m, T1 = A(m) (shift_trees.c) and T2 is its image
 * under i -> m+1-i. For odd m the last node is appended: as right child of the rightmost node in T1, as left child of the
 * leftmost in T2, which is then not in-order.
 *
 * Colour of the edge into an even node i of T1, with i' its parent (Fig. 3 prints "= 1" where it must be "!= 0"):
 *
 *     inEdgeColor(i) = 1 at the root, else inEdgeColor(i') xor (m/2 mod 2) xor [i' > i]
 *
 * The edge into an odd node i of T1 has colour inEdgeColor(m+1-i). In T2, the edge into node i has the other colour. The
 * edges to an appended node and to its sibling differ.
 *
 * The schedule is that of trees.c: n + 2q - 1 rounds. Example, p = 7, n = 4, root 0; T1 is 4 -> (2 -> (1, 3), 6 -> (5, -))
 * and carries blocks 2, 3, and T2 is 3 -> (1 -> (-, 2), 5 -> (4, 6)) and carries blocks 0, 1:
 *
 *     step     0    1    2    3    4    5    6    7
 *     rank 0  -/0  -/2  -/1  -/3
 *     rank 1       0/-  -/0  1/-  2/1       3/-
 *     rank 2            0/-  2/-  1/2  3/2  -/3  -/3
 *     rank 3  0/-  -/0  1/0  -/1  -/1  2/-       3/-
 *     rank 4       2/-  -/2  3/2  0/3  -/3  1/-
 *     rank 5            0/-  2/0  1/0  3/1  -/1
 *     rank 6            2/-  0/2  3/-  1/3
 */
#include "two_tree.h"

enum { T1, T2 };

int mirror_colour(int m, int i)
{
    int p = m / 2 & 1, h = __builtin_ctz((unsigned)i), t = i == m ? 0 : 31 - __builtin_clz((unsigned)(i ^ m));
    int low = i & (int)((1u << t) - 1);
    if (low == 0)
        return 1 ^ (p & (__builtin_popcount((unsigned)i) - 1));
    return (h ^ t ^ __builtin_popcount((unsigned)low) ^ (p * (__builtin_popcount((unsigned)m >> (t + 1)) + t + h))) & 1;
}

/* Nodes that are not appended. From here on, nodes are numbered 0 .. m-1. */
static int proper(int m)
{
    return m > 1 ? m - m % 2 : m;
}

static int colour(int m, int t, int x)
{
    int k = proper(m), i = x + 1;
    if (m == 1)
        return t == T1;
    if (i > k) { /* appended in T1 beside k's left child */
        int last[2];
        two_tree_children(k, TREE_U, k - 1, last);
        return 1 ^ colour(m, T1, last[LEFT]) ^ (t == T2);
    }
    return mirror_colour(k, i % 2 ? k + 1 - i : i) ^ (t == T2);
}

static int root(int m, int t)
{
    int k = proper(m), top = two_tree_root(k, TREE_U);
    return t == T1 ? top : k - 1 - top;
}

static int hop(int m, int t, int x, int parent)
{
    return parent == NOBODY ? 1 + colour(m, t, x) : 1 + (colour(m, t, parent) == colour(m, t, x));
}

static int position(int m, int t, int x)
{
    return t == T2 && x >= proper(m) ? -1 : x;
}

static void children(int m, int t, int x, int child[2])
{
    int k = proper(m), image[2];
    child[LEFT] = child[RIGHT] = -1;
    if (x >= k)
        return;
    two_tree_children(k, TREE_U, t == T1 ? x : k - 1 - x, image);
    for (int i = LEFT; i <= RIGHT; i++)
        if (image[i] >= 0)
            child[t == T1 ? i : !i] = t == T1 ? image[i] : k - 1 - image[i];
    if (m > k && x == (t == T1 ? k - 1 : 0))
        child[t == T1 ? RIGHT : LEFT] = k;
}

static const struct family mirrored = {root, children, hop, NULL, position};

static const struct trees pipeline = {trees_round_bound, &mirrored, .count = 2};

#define PIPELINE                                                                                                            \
    .model.reference = true, .text.rounds = "2q-1+n", .model.streams = true, .model.crossings = 2, .model.both_ways = true, \
    .trees = &pipeline, .generate = trees_generate

const struct engine engine_two_tree_mirror = {
    .name = "two-tree-mirror",
    .summary = "two binary trees at once, one the mirror image of the other",
    .halves = true,
    .scratch = 4,
    .serves = {[COLL_BCAST] = {PIPELINE}, [COLL_REDUCE] = {PIPELINE, .needs = NEED_COMMUTATIVE_OR_ODD_END_ROOT}},
};
