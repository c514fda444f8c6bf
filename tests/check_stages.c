/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stages of composed calls have plans: their engines fit, whatever the roots and sizes, and nothing measured chooses
 * bits.
 */
#include "stages.h"
#include "grid.h"
#include "suite.h"

static struct settings settings;

static struct facts facts_on(const struct machine *m, enum collective c, enum op_class op, int64_t units, int64_t unit)
{
    return (struct facts){.collective = c,
                          .op = collective_reduces(c) ? op : OP_NONE,
                          .symmetric = op == OP_ROUNDS,
                          .ranks = m->nodes * m->node_ranks,
                          .bytes = units * unit,
                          .units = units,
                          .machine = m};
}

static struct machine machine_of(int count, int ranks)
{
    return (struct machine){.generation = 1,
                            .nodes = count,
                            .node_ranks = ranks,
                            .node_least = ranks,
                            .gathered = true,
                            .consecutive = true,
                            .shared_tried = true,
                            .cell = 32 << 10};
}

/* Every stage has an engine that fits for all roots, also with a slice that is one unit smaller. */
static void check_plans(const struct facts *f, const struct cutting *cut)
{
    const struct machine *m = f->machine;
    const struct plan whole = {.engine = engine_find("lanes"), .blocks = cut->blocks, .wide = cut->wide};
    const int64_t largest = f->units / cut->blocks + (f->units % cut->blocks != 0);
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++) {
        const enum collective c = lanes_collective(f->collective, phase);
        const int ranks = phase == STAGE_LANE ? m->nodes : m->node_ranks;
        for (int root = 0; root < ranks; root++) {
            struct plan plan[STAGE_PHASES];
            stages_plan(&settings, f, &whole, m->node_ranks, phase == STAGE_LANE ? root : 0, plan);
            ck_assert_int_eq(!plan[phase].engine, c == COLLECTIVES);
            for (int64_t units = largest; plan[phase].engine && units >= largest - 1 && units > 0; units--) {
                struct stage_facts s;
                stage_facts(&s, f, phase, ranks, collective_rooted(c) ? root : 0, units, (int)cut->wide);
                const int64_t blocks = plan[phase].blocks < s.facts.units ? plan[phase].blocks : s.facts.units;
                const struct shape shape = choose_shape(&s.facts, blocks, plan[phase].group);
                REQUIRE(blocks >= 1 && engine_fits(plan[phase].engine, &shape),
                        "%s, phase %d, %d ranks, root %d: %s does not fit", collective_name(f->collective), (int)phase,
                        ranks, root, plan[phase].engine->name);
            }
        }
    }
}

START_TEST(plans)
{
    static const int64_t units[] = {1, 2, 3, 7, 100, 1021, 8191, 65537, 1 << 20}, unit[] = {1, 8, 24, 32 << 10},
                         block[] = {0, 1, 1021, 64 << 10};
    settings = read_settings((const char *[ENV]){NULL});
    for (int i = 0; i < 12; i++)
        for (int c = 0; c < COLLECTIVES; c++)
            for (int op = OP_EXACT; op <= OP_ORDERED; op++)
                for (size_t u = 0; u < COUNT(units) * COUNT(unit) * COUNT(block); u++) {
                    const struct machine m = machine_of(2 + i % 4, 2 + i % 3);
                    const struct facts f = facts_on(&m, (enum collective)c, (enum op_class)op, units[u % COUNT(units)],
                                                    unit[u / COUNT(units) % COUNT(unit)]);
                    const int64_t bytes = block[u / COUNT(units) / COUNT(unit)];
                    const struct cutting cut = lanes_cut(&f, bytes);
                    const int64_t slice = (f.units + cut.blocks - 1) / cut.blocks * (f.bytes / f.units);
                    ck_assert(cut.wide >= 1 && cut.wide <= m.node_least && cut.blocks >= 1 && cut.blocks <= f.units);
                    ck_assert_int_eq(cut.blocks % cut.wide, 0);
                    ck_assert(bytes || slice <= 5 << 20);
                    if (u % 3 == 0)
                        check_plans(&f, &cut);
                }
}

/* With reproducible results, figures that were measured do not choose the engines of reductions that round. */
START_TEST(figures_choose_no_bits)
{
    settings = read_settings((const char *[ENV]){NULL});
    for (int c = COLL_REDUCE; c < COLLECTIVES; c++) {
        struct plan plan[2][STAGE_PHASES];
        for (int i = 0; i < 2; i++) {
            struct machine m = machine_of(8, 16);
            m.measured = true;
            m.figures[LINK_NODE] = m.figures[LINK_NETWORK] =
                (struct figures){i ? 1e-3 : 1e-6, i ? 1e-12 : 1e-7, 1e-9, 1e-6, 1e-6, 0};
            m.segment = (struct segment_figures){i ? 1e-4 : 1e-8, 1e-9, 1e-9, 1e-9, i ? 1e-12 : 1e-7};
            const struct facts f = facts_on(&m, (enum collective)c, OP_ROUNDS, 1 << 17, 8);
            const struct cutting cut = lanes_cut(&f, 0);
            stages_plan(&settings, &f, &(struct plan){.blocks = cut.blocks, .wide = cut.wide}, 16, 0, plan[i]);
        }
        for (int phase = 0; phase < STAGE_PHASES; phase++)
            ck_assert_ptr_eq(plan[0][phase].engine, plan[1][phase].engine);
    }
}

SUITE("stages", 60, plans, figures_choose_no_bits)
