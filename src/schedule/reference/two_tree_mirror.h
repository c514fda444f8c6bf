/* SPDX-License-Identifier: BSD-2-Clause */
/* The colours of the mirrored two trees; see two_tree_mirror.c. */
#ifndef PLEACH_TWO_TREE_MIRROR_H
#define PLEACH_TWO_TREE_MIRROR_H

/*
 * Colour of the edge that enters the even node i of T1 = A(m), 1 <= i <= m, m even. The first walks up to the root, as the
 * paper does, in O(log m); the second is a closed form, O(1).
 */
int mirror_colour_walk(int m, int i);
int mirror_colour_closed(int m, int i);

#endif
