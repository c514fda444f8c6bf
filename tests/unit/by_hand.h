/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of the cost model: figures and machines of calls whose seconds follow by hand. */
#pragma once

#include "grid.h"

/* Figures that a reader tells apart in a sum. */
static const struct figures plain = {.alpha = 1000, .beta = 1, .gamma = 10, .hop = 100, .gap = 50};

/* Figures within a node, for calls whose ranks lie on several nodes. */
static const struct figures inside = {.alpha = 200, .beta = 0.5, .gamma = 10, .hop = 20, .gap = 20};

/* Eight ranks: one on each node; in pairs; dealt to nodes in turn; in fours; all on one node. */
static const struct machine eight = {.nodes = 8, .node_ranks = 1, IN_ORDER};
static const struct machine four_pairs = {.nodes = 4, .node_ranks = 2, IN_ORDER};
static const struct machine dealt = {.nodes = 4, .node_ranks = 2};
static const struct machine two_fours = {.nodes = 2, .node_ranks = 4, IN_ORDER};
static const struct machine one_node = {.nodes = 1, .node_ranks = 8, IN_ORDER};

/* Four ranks: one on each node; in pairs. */
static const struct machine four_alone = {.nodes = 4, .node_ranks = 1, IN_ORDER};
static const struct machine two_pairs = {.nodes = 2, .node_ranks = 2, IN_ORDER};
