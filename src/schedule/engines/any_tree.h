/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Broadcast and reduction over one pipelined tree of any degree. An engine makes the tree from the places; see any_tree.c.
 */
#ifndef PLEACH_ANY_TREE_H
#define PLEACH_ANY_TREE_H

#include "tree_cache.h"
#include "trees.h"

/* For struct service, over the tree of x->maker. They enter the workshop. any_tree_first() gives seconds for one block. */
void any_tree_generate(struct schedule *s);
struct round_bound any_tree_round_bound(const struct trees *x, const struct shape *shape);
double any_tree_first(const struct shape *shape, tree_maker *make);

/* Copies `count` children of a run of the schedule's rank, from number `first` on, in the order in which they are served. */
void any_tree_children(const struct schedule *s, int first, int count, int *child);

/* For struct engine: the number of scratch slots, and the formula for the rounds. */
enum { ANY_TREE_SCRATCH = 3 };
#define ANY_TREE_ROUNDS "t+c(n-1)"

#endif
