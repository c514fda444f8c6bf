/* SPDX-License-Identifier: BSD-2-Clause */
/* The colours of the mirrored two trees; see two_tree_mirror.c, and doc/two-trees for a closed form. */
#ifndef PLEACH_TWO_TREE_MIRROR_H
#define PLEACH_TWO_TREE_MIRROR_H

/* Colour of the edge that enters the even node i of T1 = A(m), 1 <= i <= m, m even; O(log m), as in the paper. */
int mirror_colour_walk(int m, int i);

#endif
