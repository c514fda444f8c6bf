/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees that grow by pairs of ranks which look at each other: the engines adaptive-latency and adaptive-bandwidth. */
#ifndef PLEACH_ADAPTIVE_H
#define PLEACH_ADAPTIVE_H

#include "any_tree.h"

/* What a pair of ranks measures: its round-trip time or its bandwidth. The same in either direction. */
typedef double adaptive_way(const struct places *places, int a, int b);

/* What measuring would make of a pair's figure, 0.8 .. 1.3 of it: always the same for that pair. */
double adaptive_noise(int a, int b);

/* A tree while it grows; what a rule judges by. The arrays are the tree's, by rank. */
struct growth {
    const struct adaptive_rule *rule;
    adaptive_way *way;
    const struct places *places;
    struct tree *tree;
    double *value; /* of the tree as it was when the round began; see struct adaptive_rule */
    int *children; /* their number, likewise */
    int *number;   /* of each rank on the way from the root down, parents before children; likewise */
    int *pairs;    /* of this round: a rank and the next one */
};

struct adaptive_rule {
    double root;                                              /* the value of the root */
    double (*value)(const struct growth *g, int v);           /* of another rank, from that of its parent */
    bool (*better)(const struct growth *g, int v, int other); /* is the other rank a better parent for v? */
};

extern const struct adaptive_rule adaptive_latency, adaptive_bandwidth;

/* Makes the first tree, in the memory of a tree cache's. */
void adaptive_begin(struct growth *g, const struct adaptive_rule *rule, adaptive_way *way, const struct places *places,
                    struct tree *t);

/* R: the rounds, 0 .. R-1, of a sweep; in each other pairs meet. Most sweeps. */
int adaptive_rounds(int ranks);
enum { ADAPTIVE_SWEEPS = 16 };

/* Lets the pairs of a round judge; true if some rank has another parent now. */
bool adaptive_round(struct growth *g, int round);

/* All of it, and the order of the children: for makers. */
void adaptive_make(struct tree *t, const struct places *places, const struct adaptive_rule *rule, adaptive_way *way);

#endif
