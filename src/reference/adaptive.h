/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees that grow as pairs of ranks compare their parents. */
#pragma once

#include "any_tree.h"

/* A pair's round-trip time or bandwidth, alike in both directions. */
typedef double adaptive_way(const struct places *places, int a, int b);

/* A factor, 0.8 .. 1.3, always the same for a pair. */
double adaptive_noise(int a, int b);

/* A growing tree, which owns the arrays; all but `pairs` by rank, as the round began. */
struct growth {
    const struct adaptive_rule *rule;
    adaptive_way *way;
    const struct places *places;
    struct tree *tree;
    double *value;
    int *children;
    int *number; /* parents before children */
    int *pairs;  /* entries 2i and 2i+1 are a pair */
};

struct adaptive_rule {
    double root;
    double (*value)(const struct growth *g, int v); /* of others, from the parent's value */
    bool (*better)(const struct growth *g, int v, int other);
};

extern const struct adaptive_rule adaptive_latency, adaptive_bandwidth;

/* The first tree, in a tree cache's memory. */
void adaptive_begin(struct growth *g, const struct adaptive_rule *rule, adaptive_way *way, const struct places *places,
                    struct tree *t);

/* R, the rounds of a sweep; the most sweeps. */
int adaptive_rounds(int ranks);
enum { ADAPTIVE_SWEEPS = 16 };

bool adaptive_round(struct growth *g, int round);

/* For makers: the tree, and the order of children. */
void adaptive_make(struct tree *t, const struct places *places, const struct adaptive_rule *rule, adaptive_way *way);
