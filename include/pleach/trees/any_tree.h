/* SPDX-License-Identifier: BSD-2-Clause */
/* Broadcast and reduction over one pipelined tree of any degree, made from the places; see any_tree.c. */
#pragma once

#include "tree_cache.h"
#include "trees.h"

/* For struct service, over the maker's tree; they enter the workshop. any_tree_first(): seconds of one block. */
void any_tree_generate(struct schedule *s);
struct round_bound any_tree_round_bound(const struct trees *x, const struct shape *shape);
double any_tree_first(const struct shape *shape, tree_maker *make);

/* Fields of struct engine; the arguments are fields of both services. */
#define ANY_TREE_SERVES(...)                                                                                                \
    .scratch = 3, .serves = {                                                                                               \
                      [COLL_BCAST] = {.needs = NEED_PLACES, ANY_TREE_SERVICE, __VA_ARGS__},                                 \
                      [COLL_REDUCE] = {.needs = NEED_PLACES_COMMUTATIVE, ANY_TREE_SERVICE, __VA_ARGS__},                    \
    }
#define ANY_TREE_SERVICE .text.rounds = "t+c(n-1)", .generate = any_tree_generate
