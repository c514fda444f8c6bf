/* SPDX-License-Identifier: BSD-2-Clause */
/* Binary trees that a formula gives (struct family): are they in-order? */
#pragma once

#include "trees.h"

/* The height of the subtree of x in tree t over m nodes; -1 if it has not exactly the nodes low .. high, in order. */
static inline int height_in_order(const struct family *f, int m, int t, int x, int low, int high)
{
    int child[2], height = 0;
    if (x < low || x > high)
        return -1;
    f->children(m, t, x, child);
    if ((child[0] < 0) != (x == low) || (child[1] < 0) != (x == high))
        return -1;
    for (int side = 0; side < 2; side++)
        if (child[side] >= 0) {
            const int under = height_in_order(f, m, t, child[side], side ? x + 1 : low, side ? high : x - 1);
            if (under < 0)
                return -1;
            height = under + 1 > height ? under + 1 : height;
        }
    return height;
}

/* The depth of node x, for trees that are too large to walk through; -1 if no way in order leads to x and its children. */
static inline int depth_in_order(const struct family *f, int m, int t, int x)
{
    int child[2], hops = 0, low = 0, high = m - 1;
    for (int v = f->root(m, t);; v = child[v < x], hops++) {
        if (v < low || v > high)
            return -1;
        f->children(m, t, v, child);
        if ((child[0] < 0) != (v == low) || (child[1] < 0) != (v == high))
            return -1;
        if (v == x)
            break;
        *(v < x ? &low : &high) = v < x ? v + 1 : v - 1;
    }
    for (int side = 0; side < 2; side++)
        if (child[side] >= 0 && (child[side] < low || child[side] > high || (child[side] > x) != side))
            return -1;
    return hops;
}
