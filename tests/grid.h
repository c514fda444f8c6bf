/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls, machines and settings for tests of choices. */
#ifndef TESTS_FACTS_H
#define TESTS_FACTS_H

#include "choose.h"
#include "suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Like ck_assert_msg, but costs nothing where it holds. */
#define REQUIRE(condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))

enum { ENV = 4 };
#define K ((int64_t)1 << 10)
#define M ((int64_t)1 << 20)
#define HUGE_MESSAGE ((int64_t)1 << 40)

static struct settings read_settings(const char *const *env)
{
    struct settings s;
    char *vector[ENV + 1] = {NULL};
    for (int i = 0; i < ENV && env[i]; i++)
        vector[i] = (char *)env[i];
    ck_assert_int_eq(settings_read(&s, vector, NULL, NULL), 0);
    return s;
}

/* Machines: a rank on every node, two on every node, more ranks than cores. */
static const struct machine spread = {.nodes = 1000, .node_ranks = 1, .gathered = true, .consecutive = true};
static const struct machine pairs = {.nodes = 500, .node_ranks = 2, .gathered = true, .consecutive = true};
static const struct machine full = {
    .nodes = 1, .node_ranks = 8, .gathered = true, .consecutive = true, .oversubscribed = true};

#define BCAST(p, root, m) COLL_BCAST, OP_NONE, 0, p, root, m, m, &spread
#define REDUCE(op, p, root, m) COLL_REDUCE, op, 0, p, root, m, (m) / 8, &spread
#define SCAN(op, p, m) COLL_SCAN, op, 0, p, 0, m, (m) / 8, &spread
#define EXSCAN(op, p, m) COLL_EXSCAN, op, 0, p, 0, m, (m) / 8, &spread

static const int64_t sizes[] = {1,
                                2,
                                3,
                                7,
                                64,
                                1000,
                                4096,
                                65535,
                                65536,
                                65537,
                                1000003,
                                1048576,
                                3145729,
                                100000007,
                                1099511627776,
                                1099511627777,
                                1152921504606846976};
static const int64_t units_of[] = {1, 2, 8, 12, 1 << 20}; /* bytes in a unit */
static const int ranks_of[] = {2, 3, 4, 5, 8, 17, 64, 1000, 1 << 20};

/* Calls `check` for every call of a grid. */
static inline void for_all(const struct settings *s, void (*check)(const struct settings *, const struct facts *))
{
    for (int c = 0; c < COLLECTIVES; c++)
        for (size_t m = 0; m < sizeof sizes / sizeof sizes[0]; m++)
            for (size_t u = 0; u < (c == COLL_BCAST ? 1 : sizeof units_of / sizeof units_of[0]); u++)
                for (size_t r = 0; r < sizeof ranks_of / sizeof ranks_of[0]; r++)
                    for (int root = 0; root < (c <= COLL_REDUCE ? 3 : 1); root++) {
                        enum op_class op = c == COLL_BCAST ? OP_NONE : (enum op_class)(OP_EXACT + (m + r) % 3);
                        struct facts f = {(enum collective)c, op,     0, ranks_of[r], root ? (ranks_of[r] - 1) / root : 0, 0,
                                          sizes[m],           &spread};
                        if (f.units <= INT64_MAX / units_of[u]) {
                            f.bytes = f.units * units_of[u];
                            check(s, &f);
                        }
                    }
}

#endif
