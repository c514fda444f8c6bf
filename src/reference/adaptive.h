/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees that grow as pairs of ranks compare their parents, for the engines adaptive-latency and adaptive-bandwidth. */
#pragma once

#include "any_tree.h"

/* The figure that a pair of ranks measures: its round-trip time or its bandwidth. It is the same in either direction. */
typedef double adaptive_way(const struct places *places, int a, int b);

/* A factor, 0.8 .. 1.3, by which the figure of a pair is off, as if measured. It is always the same for this pair. */
double adaptive_noise(int a, int b);

/* A growing tree, and the data by which a rule judges its edges. The tree owns the arrays. All but `pairs` are by rank. */
struct growth {
    const struct adaptive_rule *rule;
    adaptive_way *way;
    const struct places *places;
    struct tree *tree;
    double *value; /* the rank's value when the round began; see struct adaptive_rule */
    int *children; /* the number of children when the round began */
    int *number;   /* the rank's number when the round began: from the root down, parents before children */
    int *pairs;    /* of this round: entries 2i and 2i+1 are a pair */
};

struct adaptive_rule {
    double root;                                              /* the value of the root */
    double (*value)(const struct growth *g, int v);           /* of any other rank, from the value of its parent */
    bool (*better)(const struct growth *g, int v, int other); /* is the other rank a better parent for v? */
};

extern const struct adaptive_rule adaptive_latency, adaptive_bandwidth;

/* Makes the first tree, in the memory of a tree cache. */
void adaptive_begin(struct growth *g, const struct adaptive_rule *rule, adaptive_way *way, const struct places *places,
                    struct tree *t);

/* R, the number of rounds in a sweep; and the most sweeps. */
int adaptive_rounds(int ranks);
enum { ADAPTIVE_SWEEPS = 16 };

/* Lets the pairs of a round judge. Returns whether some rank has a new parent. */
bool adaptive_round(struct growth *g, int round);

/* For makers: makes the whole tree, and the order of the children. */
void adaptive_make(struct tree *t, const struct places *places, const struct adaptive_rule *rule, adaptive_way *way);
