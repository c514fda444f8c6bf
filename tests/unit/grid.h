/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls, machines and settings for tests of choices. */
#pragma once

#include "choose.h"
#include "suite.h"

#include <inttypes.h>

enum { ENV = 4 };
#define HUGE_MESSAGE BIT(40)

static inline struct settings read_settings(const char *const *env)
{
    struct settings s;
    char *vector[ENV + 1] = {NULL};
    for (int i = 0; i < ENV && env[i]; i++)
        vector[i] = (char *)env[i];
    ck_assert_int_eq(settings_read(&s, vector, NULL, NULL), 0);
    return s;
}

/* Machines: one rank a node, two ranks a node, native algorithms to choose from, more ranks than cores. */
static const struct machine spread = {.nodes = 1000, .node_ranks = 1, IN_ORDER};
static const struct machine pairs = {.nodes = 500, .node_ranks = 2, IN_ORDER};
static const struct machine switching = {
    .nodes = 8, .node_ranks = 1, .node_least = 1, IN_ORDER, .algorithms.of = {0xffe, 0xffe, 0xffe, 0, 0xffe}};
static const struct machine full = {.nodes = 1, .node_ranks = 8, IN_ORDER, .oversubscribed = 4};

#define FACTS(c, o, why, p, r, m, u, where)                                                                                 \
    .collective = (c), .op = (o), .barred = (why), .ranks = (p), .root = (r), .bytes = (m), .units = (u), .machine = (where)
#define ON(where, c, o, p, r, m, u) FACTS(COLL_##c, OP_##o, REASON_NONE, p, r, m, u, &where)
#define BCAST(p, root, m) ON(spread, BCAST, NONE, p, root, m, m)
#define REDUCE(op, p, root, m) FACTS(COLL_REDUCE, op, REASON_NONE, p, root, m, (m) / 8, &spread)
#define SCAN(op, p, m) FACTS(COLL_SCAN, op, REASON_NONE, p, 0, m, (m) / 8, &spread)
#define EXSCAN(op, p, m) FACTS(COLL_EXSCAN, op, REASON_NONE, p, 0, m, (m) / 8, &spread)

#define ALLREDUCE(op, p, m) FACTS(COLL_ALLREDUCE, op, REASON_NONE, p, 0, m, (m) / 8, &spread)

static const int64_t sizes[] = {1,     2,       3, 7,         64,        1000,    4096,        65535,  65536,
                                65537, 1000003, M, 3 * M + 1, 100000007, BIT(40), BIT(40) + 1, BIT(60)};
static const int64_t units_of[] = {1, 2, 8, 12, 1 << 20}; /* bytes of a unit */
static const int ranks_of[] = {2, 3, 4, 5, 8, 17, 64, 1000, 1 << 20};

/* Calls `check` for a sample of a grid of collectives, operations, sizes and numbers of ranks. */
static inline void for_all(const struct settings *s, void (*check)(const struct settings *, const struct facts *))
{
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (size_t u = 0; u < (c == COLL_BCAST ? 1 : COUNT(units_of)); u++)
            for (size_t r = 0; r < COUNT(ranks_of); r++)
                for (int root = 0; root < (c <= COLL_REDUCE ? 3 : 1); root++)
                    for (size_t m = 0; m < COUNT(sizes); m++) {
                        if (!sampled(3))
                            continue;
                        enum op_class op = c == COLL_BCAST ? OP_NONE : (enum op_class)(OP_EXACT + (m + r) % 3);
                        struct facts f = {FACTS(c, op, REASON_NONE, ranks_of[r], root ? (ranks_of[r] - 1) / root : 0, 0,
                                                sizes[m], &spread)};
                        if (f.units <= INT64_MAX / units_of[u]) {
                            f.bytes = f.units * units_of[u];
                            check(s, &f);
                        }
                    }
}
