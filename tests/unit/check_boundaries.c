/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice over places. The machine has three sites of four hosts each, far from each other behind thin uplinks. */
#include "grid.h"
#include "layout.h"

#include <math.h>

enum { RANKS = 12 };

#define UPLINK 267e-9 /* seconds a byte: 30 Mbit/s */
#define PORT 80e-9

/* The site of each rank, twice: the ranks of a site are consecutive, or ranks are dealt to the sites in turn. */
static const int blocks[RANKS] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, turn[RANKS] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};

/* A machine with measured places; `way` is the latency between sites in seconds. */
static struct machine machine_of(const int *sites, double way)
{
    const struct figures port = {.alpha = 60e-6, .beta = PORT, .gamma = 0.2e-9, .hop = 50e-6, .gap = 5e-6};
    struct machine m = {.nodes = RANKS, .node_ranks = 1, IN_ORDER, .measured = true, .figures = {port, port}};
    const struct reach reach[] = {{.alpha = way, .flow = UPLINK, .up = UPLINK}, {.alpha = 50e-6, .flow = PORT}};
    struct places *alike = places_of(sites, RANKS, 0, false), *t = places_of(sites, RANKS, 1, way > 1e-3);
    ck_assert(alike && t);
    m.places[SOURCE_SURE] = alike;
    m.places[SOURCE_MEASURED] = t;
    layout_reach(&m, t, reach);
    return m;
}

static const struct offer *offer_for(struct offer *list, const char *engine)
{
    return &list[engine_row(engine_find(engine))];
}

/* The predicted time of an engine, divided by the time that the message takes to pass an uplink once. */
static double passes(struct offer *list, const char *engine, const struct facts *f)
{
    return offer_for(list, engine)->seconds / (UPLINK * (double)f->bytes);
}

static struct facts call_of(enum collective c, enum op_class op, int64_t bytes, const struct machine *m)
{
    return (struct facts){
        FACTS(c, op, REASON_NONE, RANKS, c == COLL_REDUCE ? 5 : 0, bytes, c == COLL_BCAST ? bytes : bytes / 8, m)};
}

/*
 * Open MPI's native scan is a line of ranks, in which one rank sends at a time. So an uplink never carries more than one
 * message, wherever the ranks lie.
 */
START_TEST(lines_share_no_uplink)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct offer list[OFFERS_MOST];
    for (int dealt = 0; dealt < 2; dealt++) {
        struct machine m = machine_of(dealt ? turn : blocks, 4e-3);
        const struct facts f = call_of(COLL_SCAN, OP_EXACT, 16 * M, &m);
        choose_list(&s, NULL, &f, list);
        ck_assert(passes(list, "native", &f) > 8);
        m.natives = NATIVES_OPEN_MPI;
        choose_list(&s, NULL, &f, list);
        const double wanted = ((RANKS - 1) * (PORT + 0.2e-9) + UPLINK - PORT) / UPLINK, native = passes(list, "native", &f);
        ck_assert_msg(native > wanted && native < wanted + 0.1, "%.3f, not %.3f", native, wanted);
    }
}

START_TEST(uplinks_count)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct offer list[OFFERS_MOST];
    for (int dealt = 0; dealt < 2; dealt++) {
        const struct machine m = machine_of(dealt ? turn : blocks, 4e-3);
        for (enum collective c = COLL_BCAST; c <= COLL_REDUCE; c++) {
            const struct facts f = call_of(c, c == COLL_BCAST ? OP_NONE : OP_EXACT, 16 * M, &m);
            choose_list(&s, NULL, &f, list);
            ck_assert(passes(list, "chain", &f) < 1.1 && passes(list, "places-line", &f) < 1.1);
            ck_assert(passes(list, "two-tree", &f) > 1.9 && passes(list, "native", &f) > (dealt ? 3.9 : 1.9));
            const char *chosen = choose(&s, NULL, &f).engine->name;
            ck_assert_msg(strcmp(chosen, "chain") == 0 || strcmp(chosen, "places-line") == 0, "%s", chosen);
        }
    }
}

/* A scan follows the order of the ranks. If ranks are dealt to sites in turn, each edge of a chain leaves a site. */
START_TEST(scans_by_rank)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct offer list[OFFERS_MOST];
    for (int dealt = 0; dealt < 2; dealt++) {
        const struct machine m = machine_of(dealt ? turn : blocks, 4e-3);
        const struct facts f = call_of(COLL_SCAN, OP_EXACT, 16 * M, &m);
        choose_list(&s, NULL, &f, list);
        double chain = passes(list, "chain", &f);
        ck_assert(dealt ? chain > 3.9 && chain < 4.3 : chain < 1.1);
        ck_assert_int_eq(offer_for(list, "places")->barred != NULL, dealt);
    }
}

/*
 * The butterfly may go by places if the operation is exact. Its first pairs are then inside the sites, and each uplink
 * carries two thirds of the message each way, twice. With other operations, all four ranks of a site may send all that they
 * hold over its uplink. The native call has its first pairs inside the sites if sites have consecutive ranks.
 */
START_TEST(allreduce_over_uplinks)
{
    static const struct {
        const int *sites;
        enum op_class op;
        double butterfly, native; /* times of a long message, in passes of an uplink */
        int ways, native_ways;    /* times of a short message, in latencies between sites */
    } rows[] = {
        {blocks, OP_EXACT, 4 / 3.0, 1, 4, 4},
        {blocks, OP_ROUNDS, 4 * 22 / 12.0, 1, 8, 4},
        {blocks, OP_ORDERED, 4 * 22 / 12.0, 4, 8, 2},
        {turn, OP_EXACT, 4 / 3.0, 4 * 3.75, 4, 8},
        {turn, OP_ROUNDS, 4 * 22 / 12.0, 4 * 3.75, 8, 8},
        {turn, OP_ORDERED, 4 * 22 / 12.0, 4 * 5, 8, 4},
    };
    const struct settings s = read_settings((const char *[ENV]){"PLEACH_REPRODUCIBLE=no", "PLEACH_THRESHOLD=0"});
    struct offer list[OFFERS_MOST];
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct machine m = machine_of(rows[i].sites, 4e-3);
        const struct facts f = call_of(COLL_ALLREDUCE, rows[i].op, 64 * M, &m);
        const struct facts brief = call_of(COLL_ALLREDUCE, rows[i].op, 96, &m);
        choose_list(&s, NULL, &brief, list);
        ck_assert_int_eq((int)(offer_for(list, "butterfly")->seconds / 4e-3), rows[i].ways);
        ck_assert_int_eq((int)(offer_for(list, "native")->seconds / 4e-3), rows[i].native_ways);
        choose_list(&s, NULL, &f, list);
        const double butterfly = passes(list, "butterfly", &f), native = passes(list, "native", &f);
        ck_assert_msg(fabs(butterfly - rows[i].butterfly) < 0.01, "row %zu: butterfly %.3f", i, butterfly);
        ck_assert_msg(native > rows[i].native && native < rows[i].native + 0.5, "row %zu: native %.3f", i, native);
    }
}

/* For operations that round or are ordered, measured places change no prediction. */
START_TEST(no_places_decide_about_bits)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    struct offer list[OFFERS_MOST], alike[OFFERS_MOST];
    for (int dealt = 0; dealt < 2; dealt++) {
        const struct machine m = machine_of(dealt ? turn : blocks, 4e-3);
        struct machine without = m;
        without.places[SOURCE_MEASURED] = m.places[SOURCE_SURE];
        for (enum collective c = COLL_REDUCE; c < COLLECTIVES; c++)
            for (int op = OP_ROUNDS; op <= OP_ORDERED; op++) {
                const struct facts f = call_of(c, (enum op_class)op, M, &m);
                const struct facts g = call_of(c, (enum op_class)op, M, &without);
                choose_list(&s, NULL, &f, list);
                choose_list(&s, NULL, &g, alike);
                for (int i = 0; list[i].engine; i++)
                    ck_assert_msg(list[i].cost == alike[i].cost, "%s of %s, operation %d: %g, not %g", list[i].engine->name,
                                  collective_name(c), op, list[i].cost, alike[i].cost);
            }
    }
}

static const char *brief_engine(const struct settings *s, enum collective c, enum op_class op, const struct machine *m)
{
    const struct facts f = call_of(c, op, 8, m);
    return policy_quick(s, &f) ? "below" : choose(s, NULL, &f).engine->name;
}

/* Short messages take the latency tree if places are far apart, unless the user has set a threshold. */
START_TEST(brief_messages)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct settings set = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=1K"});
    const struct settings none = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=inf"});
    const struct machine far = machine_of(turn, 4e-3), near = machine_of(turn, 150e-6);
    ck_assert(far.distant && !near.distant);
    ck_assert_str_eq(brief_engine(&s, COLL_BCAST, OP_NONE, &far), "latency-tree");
    ck_assert_str_eq(brief_engine(&s, COLL_REDUCE, OP_EXACT, &far), "latency-tree");
    ck_assert_str_eq(brief_engine(&s, COLL_REDUCE, OP_ROUNDS, &far), "below");
    ck_assert_str_eq(brief_engine(&s, COLL_SCAN, OP_EXACT, &far), "below");
    ck_assert_str_eq(brief_engine(&s, COLL_BCAST, OP_NONE, &near), "below");
    ck_assert_str_eq(brief_engine(&set, COLL_BCAST, OP_NONE, &far), "below");
    ck_assert_str_eq(brief_engine(&none, COLL_BCAST, OP_NONE, &far), "below");
}

/* No engine but the latency tree serves below the threshold, even if the settings name others. */
START_TEST(brief_messages_take_no_others)
{
    const struct settings s = read_settings((const char *[ENV]){"PLEACH_ENGINE=chain,places-line"});
    const struct machine far = machine_of(turn, 4e-3);
    ck_assert_str_eq(brief_engine(&s, COLL_BCAST, OP_NONE, &far), "native");
}

/*
 * Nodes are places, too. Of 16 ranks on four nodes, a message of 8 bytes takes 10 us between nodes and 1 us inside, and its
 * bytes take no time. A native broadcast has two steps between nodes and two inside, and none counts twice. In scans by
 * smp-phases, two ranks of every node and then the leaders exchange: the steps inside nodes are short.
 */
START_TEST(steps_inside_nodes)
{
    enum { NODES = 4, EACH = 4, ALL = NODES * EACH };
    const struct settings s = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=0", NULL});
    const struct figures network = {.alpha = 10e-6, .beta = 1e-15, .gamma = 1e-15, .hop = 10e-6, .gap = 10e-6},
                         memory = {.alpha = 1e-6, .beta = 1e-15, .gamma = 1e-15, .hop = 1e-6, .gap = 1e-6};
    struct machine m = {.nodes = NODES,
                        .node_ranks = EACH,
                        IN_ORDER,
                        .measured = true,
                        .figures = {[LINK_NODE] = memory, [LINK_NETWORK] = network}};
    struct offer list[OFFERS_MOST];
    int node[ALL];
    for (int r = 0; r < ALL; r++)
        node[r] = r / EACH;
    m.places[SOURCE_SURE] = m.places[SOURCE_MEASURED] = places_of(node, ALL, 1, false);
    const struct facts bcast = {ON(m, BCAST, NONE, ALL, 0, 8, 8)}, scan = {ON(m, SCAN, EXACT, ALL, 0, 8, 1)};
    choose_list(&s, NULL, &bcast, list);
    ck_assert_double_eq_tol(1e6 * list[0].seconds, 2 * 10 + 2 * 1, 0.01);
    choose_list(&s, NULL, &scan, list);
    const struct offer *phases = offer_for(list, "smp-phases");
    const struct shape shape = choose_shape(&scan, 1);
    const double rounds = service_round_bound(&phases->engine->serves[COLL_SCAN], &shape).slope, hops = 4;
    ck_assert_double_gt(rounds, hops);
    ck_assert_double_eq_tol(1e6 * phases->seconds, hops * 10 + (rounds - hops) * 1, 0.01);
}

SUITE("boundaries", 30)
