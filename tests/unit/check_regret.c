/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The regret of choices that nothing measured may decide, on nodes of several ranks. The log of this test has the table: by
 * collective, nodes and bytes, with the engine's name where the regret exceeds MUCH.
 */
#include "cell.h"
#include "grid.h"

#include <math.h>

#define MUCH 1.5        /* more than that only where no engine that may serve has clearly less */
#define RESOLVED 1.1001 /* a prediction does not resolve smaller factors */

static const int64_t bytes_of[] = {8, 64, 256, K, 4 * K, 16 * K, 64 * K};
static const int nodes_of[] = {4, 16, 64, 100, 256, 1024}, ranks_a_node[] = {4, 16, 64, 128};

struct worst {
    double regret, median; /* of all calls */
    char call[80];
};

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The regret of the choice for a call; *least: that of the engine that has least. */
static double regret_of_choice(const struct settings *s, const struct facts *f, const struct engine **engine, double *least)
{
    struct offer list[OFFERS_MOST];
    *engine = choose(s, NULL, f).engine;
    const struct facts middle = choose_class(f);
    choose_list(s, NULL, &middle, list);
    *least = INFINITY;
    for (struct offer *o = list; o->engine; o++)
        if (!o->barred)
            *least = fmin(*least, o->cost);
    return list[engine_row(*engine)].cost;
}

static struct worst table(enum collective c, enum op_class op)
{
    struct settings s = read_settings((const char *[ENV]){NULL});
    struct worst worst = {0};
    double all[COUNT(nodes_of) * COUNT(ranks_a_node) * COUNT(bytes_of)];
    size_t count = 0;
    for (size_t n = 0; n < COUNT(nodes_of); n++)
        for (size_t k = 0; k < COUNT(ranks_a_node); k++) {
            printf("%-9s %s %4d x %3d:", collective_name(c), op == OP_ORDERED ? "user    " : "rounding", nodes_of[n],
                   ranks_a_node[k]);
            for (size_t b = 0; b < COUNT(bytes_of); b++) {
                const struct machine m = {.nodes = nodes_of[n],
                                          .node_ranks = ranks_a_node[k],
                                          .node_least = ranks_a_node[k],
                                          .shared_tried = true,
                                          .cell = segment_cell_bytes(ranks_a_node[k], nodes_of[n]),
                                          IN_ORDER};
                struct facts f = {
                    FACTS(c, op, REASON_NONE, nodes_of[n] * ranks_a_node[k], 0, bytes_of[b], bytes_of[b] / 8, &m)};
                const struct engine *engine;
                double least;
                f.symmetric = op == OP_ROUNDS;
                const double regret = all[count++] = regret_of_choice(&s, &f, &engine, &least);
                printf(" %.2f%s%s", regret, regret > MUCH ? " " : "", regret > MUCH ? engine->name : "");
                REQUIRE(regret <= MUCH || regret <= least * RESOLVED, "%d x %d, %d bytes: %s has %g, another one %g",
                        nodes_of[n], ranks_a_node[k], (int)bytes_of[b], engine->name, regret, least);
                if (regret > worst.regret) {
                    worst.regret = regret;
                    snprintf(worst.call, sizeof worst.call, "%d x %d, %d bytes: %s", nodes_of[n], ranks_a_node[k],
                             (int)bytes_of[b], engine->name);
                }
            }
            putchar('\n');
            fflush(stdout);
        }
    qsort(all, count, sizeof all[0], by_size);
    worst.median = all[count / 2];
    return worst;
}

/* `most`: the largest regret. Without one of its candidates, a choice would exceed it somewhere, or the median. */
START_TEST(of_calls_on_nodes)
{
    static const struct {
        enum collective collective;
        enum op_class op;
        double most;
    } kind[] = {{COLL_REDUCE, OP_ROUNDS, 3.5},     {COLL_REDUCE, OP_ORDERED, 1.9}, {COLL_ALLREDUCE, OP_ROUNDS, 2.4},
                {COLL_ALLREDUCE, OP_ORDERED, 2.5}, {COLL_SCAN, OP_ROUNDS, 2.2},    {COLL_EXSCAN, OP_ROUNDS, 2}};
    printf("regret at");
    for (size_t b = 0; b < COUNT(bytes_of); b++)
        printf(" %d", (int)bytes_of[b]);
    puts(" bytes, by nodes x ranks a node:");
    for (size_t i = 0; i < COUNT(kind); i++) {
        const struct worst w = table(kind[i].collective, kind[i].op);
        printf("median %.2f, largest %.2f, %s\n", w.median, w.regret, w.call);
        REQUIRE(w.median <= 1.25 && w.regret <= kind[i].most, "%s: median %g, %g with %s",
                collective_name(kind[i].collective), w.median, w.regret, w.call);
    }
}

SUITE("regret", 200)
