/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes of several consecutive ranks, for the engines smp, smp-nested and smp-phases. */
#ifndef PLEACH_SMP_H
#define PLEACH_SMP_H

#include "two_tree.h"

/* The trees of smp and smp-nested. Their functions take O(1) time. */
extern const struct scan_tree smp_tree, smp_nested_tree;

/* A rank's position: number x, from 0, of the `count` ranks on node y. */
struct smp_position {
    int x, y, count;
};

/* P: the number of nodes. */
static inline int smp_nodes(const struct shape *s)
{
    return (s->ranks - 1) / s->node_ranks + 1;
}

/* Ranks on node y. */
static inline int smp_count(const struct shape *s, int y)
{
    int rest = s->ranks - y * s->node_ranks;
    return rest < s->node_ranks ? rest : s->node_ranks;
}

static inline struct smp_position smp_position(const struct shape *s, int rank)
{
    int y = rank / s->node_ranks;
    return (struct smp_position){.x = rank % s->node_ranks, .y = y, .count = smp_count(s, y)};
}

#endif
