/* SPDX-License-Identifier: BSD-2-Clause */
/* The rounds of the 1-2-3 doubling, for the engines doubling and smp-phases; see doubling.c. */
#ifndef PLEACH_DOUBLING_H
#define PLEACH_DOUBLING_H

/* e(p): rounds of an exclusive scan over p ranks. */
int exscan_rounds(int p);

#endif
