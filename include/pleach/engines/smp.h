/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes of several consecutive ranks, for the engines smp, smp-nested and smp-phases. */
#pragma once

#include "two_tree.h"

/* The trees of smp and smp-nested: tree k is over nodes of k ranks. Their functions take O(1) time. */
extern const struct family smp_trees, smp_nested_trees;

/* A rank's position: number x, from 0, of the `count` ranks on node y. */
struct smp_position {
    int x, y, count;
};

/* P: the number of nodes. */
static inline int smp_nodes(int p, int k)
{
    return (p - 1) / k + 1;
}

static inline int smp_count(int p, int k, int y)
{
    int rest = p - y * k;
    return rest < k ? rest : k;
}

static inline struct smp_position smp_position(int p, int k, int rank)
{
    return (struct smp_position){.x = rank % k, .y = rank / k, .count = smp_count(p, k, rank / k)};
}
