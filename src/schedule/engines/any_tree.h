/* SPDX-License-Identifier: BSD-2-Clause */
/* Broadcast and reduction over one pipelined tree of any degree, which an engine makes from the places; see any_tree.c. */
#ifndef PLEACH_ANY_TREE_H
#define PLEACH_ANY_TREE_H

#include "engine.h"
#include "tree_cache.h"

/* For struct service. */
struct round_bound any_tree_round_bound(const struct shape *shape, tree_maker *make);
void any_tree_generate(struct schedule *s, tree_maker *make);

/* The scratch slots, and what an engine of such a tree says in `text`. */
enum { ANY_TREE_SCRATCH = 3 };
#define ANY_TREE_ROUNDS "t+c(n-1)"

#endif
