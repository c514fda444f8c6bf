/* SPDX-License-Identifier: BSD-2-Clause */
/* The one in-order tree that keeps places together; see places_tree.c. */
#ifndef PLEACH_PLACES_TREE_H
#define PLEACH_PLACES_TREE_H

#include "tree_pair.h"

/* A construction: it makes the tree U alone, with colours 0 .. 2 and the steps of a scan. There is no source. */
tree_pair_maker places_tree_single;

#endif
