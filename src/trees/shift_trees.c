/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The two trees of the shift construction, from the paper that two_tree.c cites; see doc/two-trees. The colouring in O(1) is
 * ours.
 *
 * A(n), for even n, is an in-order tree over the nodes 1 .. n. Let b = i & -i be the lowest set bit of i:
 *
 *     root       the largest power of two <= n
 *     left(i)    i - b/2, none if b = 1
 *     right(i)   i + 2^floor(log2 rho), rho = min(n-i, b-1), none if rho = 0
 *
 * The two trees span the nodes y = 1 .. m (rank in the trees + 1), n = m rounded up to even:
 *
 *     U, unshifted: y plays node y of A(n). If m is odd, no y plays node n: the left child of n takes the place of n.
 *     V, shifted:   y plays node y+1 of A(n), and node 1, a leaf, is dropped. If m is even, y = m is right child of m-1.
 *
 * The two edges by which a node receives differ in colour, and so do the two by which it sends. An edge of colour c is used
 * in steps of parity c.
 */
#include "two_tree.h"

static unsigned parity(unsigned x)
{
    return (unsigned)__builtin_popcount(x) & 1;
}

/* Unsigned: with m = 2^31 - 1, the last y plays node 2^31 in V. */
static unsigned lowest_bit(unsigned x)
{
    return x & -x;
}

static unsigned highest_bit(unsigned x)
{
    return 1u << (31 - __builtin_clz(x));
}

static unsigned even(int m)
{
    return (unsigned)m + ((unsigned)m & 1);
}

/* In A(n); 0: none. */
static unsigned right_in_a(unsigned n, unsigned i)
{
    unsigned room = n - i, below = lowest_bit(i) - 1;
    unsigned rho = room < below ? room : below;
    return rho ? i + highest_bit(rho) : 0;
}

static unsigned left_in_a(unsigned i)
{
    unsigned b = lowest_bit(i);
    return b > 1 ? i - b / 2 : 0;
}

/* The y of V that plays node i; 0 (none) stays 0. */
static unsigned shifted_back(unsigned i)
{
    return i > 0 ? i - 1 : 0;
}

int two_tree_colour(int m, int tree, int x)
{
    unsigned y = (unsigned)x + 1, n = even(m);
    int t = y == n ? 0 : 31 - __builtin_clz(y ^ n);
    unsigned q = parity(y & ((1u << t) - 1));
    unsigned c;
    if (y & 1)
        c = 1 ^ (((unsigned)t + q) & 1);
    else if (m & 2)
        c = parity(y);
    else
        c = 1 ^ q;
    return (int)c ^ (tree == TREE_V);
}

int two_tree_root(int m, int t)
{
    unsigned top = highest_bit(even(m));
    if (t == TREE_V)
        return (int)(top - 2);
    return (int)(top > (unsigned)m ? left_in_a(top) : top) - 1;
}

void two_tree_children(int m, int t, int x, int child[2])
{
    unsigned y = (unsigned)x + 1, n = even(m), left, right, last = (unsigned)m;

    if (t == TREE_U) {
        left = left_in_a(y);
        right = right_in_a(n, y);
        if (right > last)
            right = left_in_a(right);
    } else if (y == n) {
        left = right = 0;
    } else {
        left = shifted_back(left_in_a(y + 1));
        right = shifted_back(right_in_a(n, y + 1));
        if (y == last - 1 && y + 1 == n)
            right = last;
    }
    child[LEFT] = (int)left - 1;
    child[RIGHT] = (int)right - 1;
}

/* 1 if the edges into x and into its parent differ in colour, else 2. */
static int hop(int m, int t, int x, int parent)
{
    int colour = two_tree_colour(m, t, x);
    return parent == NOBODY ? 1 + colour : 1 + (two_tree_colour(m, t, parent) == colour);
}

static int height_of_u(int m, int t)
{
    (void)t;
    return ceil_log2((int64_t)m + 1) - 1;
}

const struct family two_trees = {.root = two_tree_root, .children = two_tree_children, .hop = hop};
const struct family single_tree = {two_tree_root, two_tree_children, hop_by_side, height_of_u, NULL};
