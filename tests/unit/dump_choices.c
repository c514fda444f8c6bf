/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints random choices, a line each: the call, the plan, its expected times and the candidates of trials. Two versions of
 * Pleach choose alike if they print the same. Arguments: the number of choices (a million), and a seed.
 */
#include "grid.h"
#include "hash.h"

#include <assert.h>
#include <math.h>

enum { CALLS = 500 }; /* with the same settings, rules and machine */

static uint64_t seed, draws;

static int64_t below(int64_t limit)
{
    return (int64_t)(mix64(seed + ++draws * 0x9e3779b97f4a7c15u) % (uint64_t)limit);
}

static bool one_in(int n)
{
    return below(n) == 0;
}

/* A number between `least` and `most`, as often in each power of two. */
static double spread_out(double least, double most)
{
    return least * exp2((double)below(1 << 20) / (1 << 20) * log2(most / least));
}

static char *const texts[] = {
    "PLEACH_ENGINE=^chain",   "PLEACH_ENGINE=^native",  "PLEACH_ENGINE=two-tree,ring,doubly-pipelined,node-line",
    "PLEACH_ENGINE=random:7", "PLEACH_REPRODUCIBLE=no", "PLEACH_REPRODUCIBLE=no",
    "PLEACH_THRESHOLD=0",     "PLEACH_THRESHOLD=1M",    "PLEACH_BLOCK=10000",
    "PLEACH_ALPHA=3us",       "PLEACH_DRY_RUN=yes",     "PLEACH_LEARN=file"};

static const char *const lines[] = {
    "bytes=100K-1M -> engine=^native", "collective=bcast bytes=1K-inf -> engine=two-tree block=20000",
    "ranks=2-16 op=exact -> engine=butterfly,chain,ring", "ranks-per-node=1 -> alpha=20us beta=1ns",
    "collective=allreduce bytes=64-1M -> engine=native:recursive-doubling"};

static struct rules *draw_rules(void)
{
    char text[1024] = "pleach-rules 1\n";
    for (size_t i = 0; i < COUNT(lines); i++)
        if (one_in(8))
            strcat(strcat(text, lines[i]), "\n");
    struct rules *rules = rules_parse(text, NULL, NULL);
    assert(rules);
    return rules;
}

static struct figures draw_figures(void)
{
    const double alpha = spread_out(1e-7, 1e-3);
    return (struct figures){.alpha = alpha,
                            .beta = spread_out(1e-11, 1e-7),
                            .gamma = spread_out(1e-11, 1e-9),
                            .hop = alpha * spread_out(0.3, 1),
                            .gap = alpha * spread_out(0.1, 1),
                            .jump = one_in(2) ? alpha : 0};
}

/* Places of `nodes` nodes of k ranks: racks of some nodes, often with measured reach, at times as a line of sites. */
static void draw_places(struct machine *m, int nodes, int k)
{
    int *path = calloc((size_t)(nodes * k), 2 * sizeof *path), *node = calloc((size_t)(nodes * k), sizeof *node);
    const int rack = 2 + (int)below(6);
    for (int r = 0; r < nodes * k; r++) {
        node[r] = r / k;
        path[2 * r] = node[r] / rack;
        path[2 * r + 1] = node[r];
    }
    const bool sites = one_in(4);
    for (int i = 0; i < SOURCES; i++) {
        struct places *t = places_of(path, nodes * k, 2, sites), *of = NULL;
        struct reach reach[PLACES_DEPTH + 2];
        for (int l = 0; l < PLACES_DEPTH + 2; l++)
            reach[l] = (struct reach){spread_out(1e-6, 1e-3) / (l + 1), spread_out(1e-10, 1e-8), spread_out(1e-10, 1e-7)};
        if (i == SOURCE_MEASURED)
            places_set_reach(t, reach, spread_out(1e-7, 1e-5));
        places_of_nodes(t, node, nodes, &of);
        m->places[i] = t;
        m->node_places[i] = of;
    }
    m->distant = one_in(3);
    free(path);
    free(node);
}

/* Those of one library. */
static const struct algorithms all_algorithms = {.of = {0xffe, 0xffe, 0xffe, 0, 0xffe}};

static struct machine draw_machine(int *ranks)
{
    const bool large = one_in(20);
    const int nodes = one_in(3) ? 1 : (int)spread_out(1, large ? 3000 : 60), k = one_in(2) ? 1 : (int)spread_out(1, 64);
    *ranks = nodes * k > 1 ? nodes * k : 2;
    struct machine m = {.generation = 1,
                        .natives = (enum natives)below(2),
                        .algorithms = one_in(3) ? all_algorithms : (struct algorithms){.carried = false},
                        .nodes = *ranks / k,
                        .node_ranks = k,
                        .node_least = one_in(4) ? 1 : k,
                        .busy = one_in(2),
                        .oversubscribed = one_in(16) ? 2 : 0};
    m.gathered = m.nodes == 1 || !one_in(4);
    m.consecutive = m.gathered && !one_in(4);
    m.one_node = m.nodes == 1;
    m.shared_tried = !one_in(4);
    if (m.shared_tried && k > 1)
        m.cell = one_in(6) ? 0 : INT64_C(8192) << below(5);
    m.segment_known = m.cell && one_in(2);
    if (m.segment_known)
        m.segment = (struct segment_figures){spread_out(1e-7, 1e-5), spread_out(2e-11, 1e-9), spread_out(2e-11, 1e-9),
                                             spread_out(2e-11, 1e-9), spread_out(2e-11, 1e-9)};
    m.measured = one_in(2);
    for (int l = 0; l < LINKS && m.measured; l++) {
        m.figures[l] = draw_figures();
        m.noisy[l] = one_in(10);
    }
    for (int c = 0; c < COLLECTIVES && m.measured && m.one_node; c++)
        for (int i = 0; i < NATIVE_SIZES; i++)
            m.native[c][i] = one_in(3) ? 0 : spread_out(0.3, 3);
    if (m.nodes > 3 && m.gathered && *ranks == m.nodes * k && *ranks < 2000 && one_in(2))
        draw_places(&m, m.nodes, k);
    return m;
}

static void print_choice(const struct settings *s, const struct rules *rules, const struct machine *m, int ranks)
{
    const enum collective c = (enum collective)below(COLLECTIVES);
    const int64_t unit = c == COLL_BCAST ? 1 : INT64_C(1) << below(5);
    const int64_t units = (int64_t)spread_out(1, (double)(BIT(30) / unit));
    struct facts f = {FACTS(c, c == COLL_BCAST ? OP_NONE : (enum op_class)(OP_EXACT + below(3)), REASON_NONE, ranks, 0,
                            units * unit, units, m)};
    f.symmetric = f.op == OP_ROUNDS && one_in(2);
    f.root = c <= COLL_REDUCE && one_in(2) ? (int)below(ranks) : 0;
    const struct rule *rule = rules_find(rules, &f, 0);
    const struct plan plan = choose(s, rule, &f);
    const struct expected x = choose_expected(s, rule, &f, &plan);
    printf("%s op=%d%s p=%d root=%d m=%" PRId64 "/%" PRId64 ": %s n=%" PRId64 " wide=%" PRId64 " %s %.5g %.5g;",
           collective_name(c), f.op, f.symmetric ? "s" : "", ranks, f.root, f.bytes, units, plan.engine->name, plan.blocks,
           plan.wide, reason_word(plan.reason), x.native, x.engine);
    const struct policy policy = policy_of(s, NULL, &f);
    printf(" %d%d%d%d;", policy.wants_figures, policy.wants_segment, policy.learns, policy.shadow);
    int row[CANDIDATES];
    double seconds[CANDIDATES];
    const int count = rule || !policy.learns ? 0 : choose_candidates(s, &policy, &f, &choices_of_process, row, seconds);
    for (int i = 0; i < count; i++)
        printf(" %s %.5g", engines[row[i]]->name, seconds[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    const int64_t count = argc > 1 ? atoll(argv[1]) : 1000000;
    seed = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
    for (int64_t i = 0; i < count; i += CALLS) {
        char *env[ENV + 1] = {NULL};
        for (int j = 0; j < ENV && one_in(2); j++)
            env[j] = texts[below(COUNT(texts))];
        struct settings s;
        settings_read(&s, env, NULL, NULL);
        struct rules *rules = draw_rules();
        int ranks;
        struct machine m = draw_machine(&ranks);
        printf("-- %d nodes of %d, cell %" PRId64 ":", m.nodes, m.node_ranks, m.cell);
        for (int j = 0; env[j]; j++)
            printf(" %s", env[j]);
        putchar('\n');
        for (int j = 0; j < CALLS && i + j < count; j++)
            print_choice(&s, rules, &m, ranks);
        free(rules);
        for (int j = 0; j < SOURCES; j++) {
            places_free((struct places *)m.places[j]);
            places_free((struct places *)m.node_places[j]);
        }
    }
    return 0;
}
