/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The plans of composed calls: the cut into slices, the predicted time, and the plan of each stage. The plan of a stage fits
 * all slices of a call and all roots. No figure decides about bits of results. Trials alone choose lanes for short calls.
 */
#include "cell.h"
#include "grid.h"
#include "hash.h"
#include "place_text.h"
#include "simulate.h"
#include "stages.h"

#include <math.h>

#define SPARED_RANKS 12            /* on nodes of at least so many ranks, the root of a reduction is in no lane .. */
#define LARGE_PART (16 * K)        /* .. if each rank has so many bytes */
#define LARGEST_SLICE (4 * M)      /* bytes, if BLOCK is auto */
#define LARGEST_SETTING (1024 * M) /* bytes of a slice, whatever BLOCK says */

enum { SIMULATED = 3 }; /* units of a slice; stages of larger slices are not simulated */

static const int64_t blocks_of[] = {0, 1, 1021, 64 * K, SIZE_INF};
static const int64_t messages[] = {1, 2, 3, 7, 64, 1000, 65537, 1000003, 3 * M + 1, BIT(31) + 1, BIT(40)}; /* units */
static const int64_t elements[] = {1, 4, 12, 1000, 32 * K};                                                /* bytes */

/* A measured machine; the last node may have fewer ranks. With `other`, all its figures are different. */
static struct machine machine_of(int nodes, int ranks, int least, bool other)
{
    static const struct figures slow = {.alpha = 100e-6, .beta = 8e-9, .gamma = 0.2e-9, .hop = 70e-6, .gap = 5e-6},
                                fast = {.alpha = 1e-6, .beta = 0.02e-9, .gamma = 0.1e-9, .hop = 0.7e-6, .gap = 0.2e-6};
    static const struct segment_figures segments[] = {{0.5e-6, 0.15e-9, 0.15e-9, 0.15e-9, 0.09e-9},
                                                      {0.03e-6, 0.015e-9, 0.02e-9, 0.03e-9, 0.03e-9}};
    return (struct machine){.generation = 1,
                            .nodes = nodes,
                            .node_ranks = ranks,
                            .node_least = least,
                            IN_ORDER,
                            .shared_tried = true,
                            .cell = segment_cell_bytes(ranks, nodes),
                            .segment = segments[other],
                            .measured = true,
                            .figures = {other ? fast : slow, other ? fast : slow}};
}

static struct facts facts_of(enum collective c, enum op_class op, const struct machine *m, int64_t units, int64_t unit)
{
    const int p = (m->nodes - 1) * m->node_ranks + m->node_least;
    struct facts f = {FACTS(c, op, REASON_NONE, p, 0, units * unit, collective_reduces(c) ? units : units * unit, m)};
    f.symmetric = op == OP_ROUNDS && unit == 4;
    return f;
}

static const char *text_of(const struct facts *f, int64_t block, char text[200])
{
    const struct machine *m = f->machine;
    snprintf(text, 200, "%s of %" PRId64 " units and %" PRId64 " bytes, %s, on %d nodes of %d to %d ranks, block %" PRId64,
             collective_name(f->collective), f->units, f->bytes, op_word(f->op), m->nodes, m->node_least, m->node_ranks,
             block);
    return text;
}

/* Checks one in `every` of the calls of all kinds, sizes and blocks on a machine. Returns the number of checks. */
static int for_messages(const struct machine *m, int every, void (*check)(const struct facts *, int64_t block))
{
    int calls = 0, checks = 0;
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (enum op_class op = collective_reduces(c) ? OP_EXACT : OP_NONE;
             op <= (collective_reduces(c) ? OP_ORDERED : OP_NONE); op++)
            for (size_t u = 0; u < COUNT(messages); u++)
                for (size_t e = 0; e < (collective_reduces(c) ? COUNT(elements) : 1); e++)
                    for (size_t b = 0; b < COUNT(blocks_of); b++) {
                        const struct facts f = facts_of(c, op, m, messages[u], elements[e]);
                        if (choose_shape(&f, 1).lanes > 0 && calls++ % every == 0) {
                            check(&f, blocks_of[b]);
                            checks++;
                        }
                    }
    return checks;
}

/* ---- The cut and the time -------------------------------------------------------------------------------------------- */

static void check_cut_with(const struct facts *f, int64_t block, int bound)
{
    const struct cutting c = lanes_cut(f, block, bound);
    const bool one = lanes_one(f->collective, f->op == OP_ORDERED);
    const bool spares = f->collective == COLL_REDUCE && !one && f->machine->node_least >= SPARED_RANKS &&
                        f->bytes / LARGE_PART >= f->machine->node_least;
    const int all = one ? 1 : f->machine->node_least - spares, lanes = bound && bound < all ? bound : all;
    const bool spared = spares && lanes == all;
    const struct cut cut = {f->units, c.blocks, 1};
    const int64_t most = block == SIZE_INF ? LARGEST_SETTING : block ? block : LARGEST_SLICE;
    const int64_t largest = cut_largest(&cut), room = most / (f->bytes / f->units);
    char text[200];
    text_of(f, block, text);
    REQUIRE(c.wide >= 1 && c.wide <= lanes, "%s: %" PRId64 " lanes", text, c.wide);
    REQUIRE(c.blocks >= 1 && c.blocks <= f->units && c.blocks % c.wide == 0, "%s: %" PRId64 " slices, %" PRId64 " lanes",
            text, c.blocks, c.wide);
    REQUIRE(!spared || block || c.wide < lanes || 2 * c.wide > f->units || c.blocks >= 2 * c.wide, "%s: one chunk", text);
    REQUIRE(largest <= (room > 1 ? room : 2), "%s: %" PRId64 " units in a slice", text, largest);
    const struct terms t = {.figures = f->machine->figures[LINK_NETWORK],
                            .node = f->machine->figures[LINK_NODE],
                            .segment = f->machine->segment,
                            .native = 1,
                            .measured = true,
                            .block = block,
                            .shape = choose_shape(f, 1)};
    const double seconds = lanes_seconds(&t, f, &c);
    REQUIRE(isfinite(seconds) && seconds > 0, "%s: %g seconds", text, seconds);
}

static void check_cut(const struct facts *f, int64_t block)
{
    check_cut_with(f, block, 0);
    if (!block)
        check_cut_with(f, 0, 1 + (int)(f->units % f->machine->node_least));
}

START_TEST(cuts)
{
    int calls = 0;
    for (int nodes = 2; nodes <= 9; nodes++)
        for (int ranks = 2; ranks <= 13; ranks += ranks == 8 ? 4 : 1)
            for (int least = 2; least <= ranks; least++) {
                const struct machine m = machine_of(nodes, ranks, least, ranks % 2);
                calls += for_messages(&m, whole_or(1, 3), check_cut);
            }
    ck_assert_int_gt(calls, 1000);
}

/* ---- The plans ------------------------------------------------------------------------------------------------------- */

/* Is the engine's schedule right? Many plans share a shape, so the simulator runs only for shapes not seen lately. */
static bool proven(const struct engine *e, const struct shape *shape, struct verdict *v)
{
    static struct proof {
        const struct engine *engine;
        struct shape shape;
    } proofs[1 << 12];
    struct proof this;
    memset(&this, 0, sizeof this);
    this.engine = e;
    memcpy(&this.shape, shape, sizeof *shape);
    uint64_t hash = 0, word[sizeof this / sizeof(uint64_t)];
    memcpy(word, &this, sizeof word);
    for (size_t i = 0; i < COUNT(word); i++)
        hash = hash_add(hash, word[i]);
    struct proof *known = &proofs[hash % COUNT(proofs)];
    if (memcmp(known, &this, sizeof this) == 0)
        return true;
    if (!simulate_engine(e, shape, v))
        return false;
    *known = this;
    return true;
}

/* Checks the plan of a stage for slices of so many units. */
static void check_plan(const struct plan *plan, const struct facts *f, const struct plan *whole, enum stage_phase phase,
                       int ranks, int root, int64_t units, const char *text)
{
    const enum collective stage = lanes_collective(f->collective, phase);
    const struct service *service = &plan->engine->serves[stage];
    struct stage_facts s;
    struct verdict v;
    stage_facts(&s, f, whole, phase, ranks, collective_rooted(stage) ? root : 0, units);
    const int64_t blocks = plan->blocks < s.facts.units ? plan->blocks : s.facts.units;
    struct shape shape = choose_shape(&s.facts, blocks);
    shape.wide = plan->wide;
    REQUIRE(plan->engine != engines[0] && !service->composed && blocks >= 1, "%s, phase %d: %s, %" PRId64 " blocks", text,
            phase, plan->engine->name, blocks);
    REQUIRE(engine_fits(plan->engine, &shape), "%s, phase %d: %s does not fit root %d of %d", text, phase,
            plan->engine->name, root, ranks);
    REQUIRE(!service->segment.cells == (phase == STAGE_LANE), "%s, phase %d: %s is for other phases", text, phase,
            plan->engine->name);
    REQUIRE(s.facts.units > SIMULATED || proven(plan->engine, &shape, &v), "%s, phase %d: %s, %" PRId64 " blocks: %s", text,
            phase, plan->engine->name, blocks, v.why);
}

/* Checks the plans of all stages on a node; between nodes, for a root on node `root_node`. */
static void check_plans_of(const struct settings *s, const struct facts *f, const struct facts *other,
                           const struct cutting *c, int node_ranks, int root_node, const char *text)
{
    const struct plan whole = {.engine = engine_find("lanes"), .blocks = c->blocks, .wide = c->wide};
    struct plan plan[STAGE_PHASES], elsewhere[STAGE_PHASES];
    struct stage_facts stage;
    stages_plan(s, NULL, f, &whole, node_ranks, root_node, plan);
    stages_plan(s, NULL, other, &whole, node_ranks, root_node, elsewhere);
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++) {
        const bool between = phase == STAGE_LANE;
        const int ranks = between ? f->machine->nodes : node_ranks;
        const int64_t parts = lanes_parts(f->collective, f->op == OP_ORDERED, phase) ? c->wide : 1;
        const char *name = plan[phase].engine ? plan[phase].engine->name : "none";
        REQUIRE(!plan[phase].engine == !lanes_planned(f->collective, (int)c->wide, false, phase), "%s, phase %d: %s", text,
                phase, name);
        if (!plan[phase].engine || (!between && root_node > 1))
            continue;
        for (int root = between ? root_node : 0; root < (between ? root_node + 1 : ranks); root++)
            for (int64_t units = parts * (f->units / c->blocks); units <= stage_units(f, &whole, parts > 1); units++)
                check_plan(&plan[phase], f, &whole, phase, ranks, root, units, text);
        stage_facts(&stage, f, &whole, phase, ranks, 0, stage_units(f, &whole, parts > 1));
        REQUIRE(!facts_order_counts(&stage.facts) || plan[phase].engine == elsewhere[phase].engine,
                "%s, phase %d: figures decide between %s and %s", text, phase, name, elsewhere[phase].engine->name);
        REQUIRE(!facts_order_counts(&stage.facts) || !plan[phase].engine->serves[stage.facts.collective].model.order_varies,
                "%s, phase %d: the order of %s varies", text, phase, name);
    }
}

static struct settings defaults;

static void check_plans(const struct facts *f, int64_t block)
{
    const struct machine *m = f->machine;
    struct machine another = machine_of(m->nodes, m->node_ranks, m->node_least, true);
    const struct cutting c = lanes_cut(f, block, 0);
    struct settings s = defaults;
    struct facts other = *f;
    const bool rooted = collective_rooted(f->collective);
    char text[200];
    other.machine = &another;
    another.node_places[SOURCE_SURE] = m->node_places[SOURCE_SURE];
    for (enum collective k = 0; k < COLLECTIVES; k++)
        s.block[k] = block;
    for (int node = 0; node < (rooted ? m->nodes : 2); node++)
        check_plans_of(&s, f, &other, &c, node % 2 ? m->node_least : m->node_ranks, rooted ? node : 0,
                       text_of(f, block, text));
}

/* All nodes have equally many ranks, or the last one has two. Four or more nodes are also tried in two places. */
LOOPED_TEST(plans, 8)
{
    static const char *const none[ENV] = {NULL};
    const int nodes = 2 + _i;
    char text[16];
    const char *why;
    int calls = 0;
    defaults = read_settings(none);
    ck_assert(defaults.reproducible);
    snprintf(text, sizeof text, "2,%d", nodes - 2);
    struct places *places = nodes >= 4 ? places_read(text, nodes, &why) : NULL;
    for (int ranks = 2; ranks <= 13; ranks += ranks == 8 ? 4 : 1)
        for (int least = 2; least <= ranks; least += ranks > 2 ? ranks - 2 : 1) {
            struct machine m = machine_of(nodes, ranks, least, false);
            calls += for_messages(&m, whole_or(17, 37), check_plans);
            m.node_places[SOURCE_SURE] = m.node_places[SOURCE_MEASURED] = places;
            if (places)
                calls += for_messages(&m, whole_or(17, 37), check_plans);
        }
    ck_assert_int_gt(calls, 1000);
    places_free(places);
}

/*
 * With blocks of inf, a call gives its operation all elements at once. That does not hold for the stages of a call: on a
 * node, they go through the segment all the same.
 */
START_TEST(whole_blocks)
{
    const struct machine m = machine_of(3, 4, 4, false);
    const struct settings s = read_settings((const char *[ENV]){"PLEACH_REDUCE_BLOCK=inf", "PLEACH_EXSCAN_BLOCK=inf", NULL});
    for (enum collective c = COLL_REDUCE; c < COLLECTIVES; c++) {
        const struct facts f = facts_of(c, OP_ORDERED, &m, M, 8);
        const struct cutting cut = lanes_cut(&f, 0, 0);
        char text[200];
        check_plans_of(&s, &f, &f, &cut, 4, 0, text_of(&f, 0, text));
    }
}

/*
 * Where a rule gives all figures, stages between nodes get about the fastest engine by these figures, and by lanes that
 * share the card of a node. So the model compares lanes with other engines by the stages that will run.
 */
LOOPED_TEST(figures_of_a_rule, 6)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    const struct machine m = machine_of(64, 4, 4, false);
    struct rule rule = rule_blank;
    rule.figures = (struct figures){
        .alpha = 15e-6, .beta = ldexp(0.02e-9, 2 * _i), .gamma = 0.1e-9, .hop = 10e-6, .gap = 2e-6, .jump = 0};
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (enum op_class op = OP_NONE; op <= OP_ORDERED; op++)
            for (int64_t units = 16 * K; units <= 4 * M; units *= 4) {
                if (collective_reduces(c) == (op == OP_NONE))
                    continue;
                const struct facts f = facts_of(c, op, &m, units, 8);
                const struct plan whole = choose_row(&s, &rule, &f, engine_row(engine_find("lanes")));
                const struct terms t = {
                    .figures = rule.figures, .node = rule.figures, .native = 1, .shape = choose_shape(&f, 1)};
                struct plan_of_stage stage[STAGE_PHASES];
                char text[200];
                choose_stages(&s, &rule, &f, &whole, stage);
                const double by = stage[STAGE_LANE].seconds, least = lanes_phase_seconds(&t, &f, &whole, STAGE_LANE, NULL);
                REQUIRE(by <= 1.1 * least, "%s: %s takes %g s, not %g s", text_of(&f, 0, text),
                        stage[STAGE_LANE].engine->name, by, least);
            }
}

/* ---- Short calls ----------------------------------------------------------------------------------------------------- */

static bool composed(const struct settings *s, const struct facts *f)
{
    return choose(s, NULL, f).engine->serves[f->collective].composed;
}

/*
 * The model may choose lanes and multiport for short calls. For calls whose bits depend on the engine, whatever calls came
 * before; for others once the segments are there, or if there are many calls. Every node must have enough ranks, each rank a
 * core, and no threshold of the user may say otherwise.
 */
START_TEST(short_calls)
{
    const struct settings s = read_settings((const char *[ENV]){NULL}),
                          set = read_settings((const char *[ENV]){"PLEACH_THRESHOLD=1M", NULL});
    const struct machine m = machine_of(4, 8, 6, false), few = machine_of(4, 8, 3, false);
    struct machine apart = m, busy, crowded = m;
    int chosen = 0;
    apart.cell = 0;
    apart.shared_tried = false;
    busy = apart;
    busy.busy = true;
    crowded.oversubscribed = 2;
    for (enum collective c = 0; c < COLLECTIVES; c++)
        for (enum op_class op = collective_reduces(c) ? OP_EXACT : OP_NONE;
             op <= (collective_reduces(c) ? OP_ORDERED : OP_NONE); op++)
            for (int64_t units = 1; units < 2 * K; units = 2 * units + 1) {
                struct facts f = facts_of(c, op, &m, units, 8);
                const bool counts = facts_order_counts(&f), below = f.bytes < s.threshold[c];
                char text[200];
                text_of(&f, 0, text);
                chosen += composed(&s, &f);
                REQUIRE(policy_quick(&s, &f) == REASON_NONE, "%s: none may serve", text);
                REQUIRE(!below || policy_quick(&set, &f) == REASON_BELOW_THRESHOLD, "%s: above the user's threshold", text);
                const struct machine *none[] = {&few, &crowded};
                for (size_t i = 0; i < COUNT(none) && below; i++) {
                    f.machine = none[i];
                    REQUIRE(policy_quick(&s, &f) == REASON_BELOW_THRESHOLD, "%s: some may serve on machine %d", text,
                            (int)i);
                }
                f.machine = &apart;
                REQUIRE(policy_of(&s, NULL, &f).wants_segment == counts, "%s: counts %d", text, counts);
                f.machine = &busy;
                REQUIRE(policy_of(&s, NULL, &f).wants_segment, "%s: a busy communicator gets no segments", text);
            }
    ck_assert_int_gt(chosen, 50);
}

/* The number of ports is the same at the figures of all ranks, and the totals of all nodes fit the cells. */
START_TEST(ports)
{
    const struct settings s = read_settings((const char *[ENV]){NULL});
    int served = 0;
    for (int nodes = 2; nodes <= 64; nodes += nodes < 9 ? 1 : 11)
        for (int ranks = 4; ranks <= 64; ranks *= 4)
            for (int64_t units = 1; units <= 4 * K; units *= 4) {
                const struct machine m = machine_of(nodes, ranks, ranks, false);
                const struct facts f = facts_of(COLL_ALLREDUCE, OP_ROUNDS, &m, units, 8);
                const struct shape shape = choose_shape(&f, 1);
                const struct engine *e = engine_find("multiport");
                if (!engine_fits(e, &shape)) {
                    ck_assert_int_gt(nodes * f.bytes, SEGMENT_NODES * m.cell - nodes);
                    continue;
                }
                const struct plan plan = choose_row(&s, NULL, &f, engine_row(e));
                ck_assert(plan.blocks == 1 && plan.wide >= 1 && plan.wide <= ranks && plan.wide < nodes);
                ck_assert_int_le(nodes * f.bytes, SEGMENT_NODES * m.cell);
                served++;
            }
    ck_assert_int_gt(served, 50);
}

SUITE("stages", 60)
