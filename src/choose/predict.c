/* SPDX-License-Identifier: BSD-2-Clause */
/* See predict.h. */
#include "predict.h"

#include "constants.h"
#include "layout.h"
#include "model.h"
#include "stages.h"

#include <assert.h>
#include <math.h>

/* ---- Figures --------------------------------------------------------------------------------------------------------- */

static double crowded_wait(const struct machine *m)
{
    return m->oversubscribed * CROWDED_WAIT;
}

/* Each of them copies and folds so many times as slowly. */
static double sharers_of_core(const struct machine *m)
{
    return fmax(1, m->oversubscribed);
}

/*
 * Bounds on figures that were not measured, as ranks of a node share memory and cores. A message inside a node is copied
 * twice; a copied byte is a load and a store, a folded one two loads and a store.
 */
static struct figures figures_shared(const struct figures *g, enum link link, const struct machine *m)
{
    const double k = m->node_ranks;
    const double share = sharers_of_core(m);
    struct figures shared = *g;
    shared.alpha = fmax(g->alpha, crowded_wait(m));
    shared.hop = fmax(g->hop, crowded_wait(m));
    if (link == LINK_NODE)
        shared.beta = fmax(g->beta * share, k * 4 / NOMINAL_MEMORY);
    shared.gamma = fmax(g->gamma * share, k * 3 / NOMINAL_MEMORY);
    return shared;
}

static struct segment_figures segment_shared(const struct segment_figures *g, const struct machine *m)
{
    const double k = m->node_ranks;
    const double copy = k * 2 / CELLS_MEMORY, wait = k > 2 ? SEVERAL_WAIT : 0, share = sharers_of_core(m);
    return (struct segment_figures){.wait = fmax(fmax(g->wait, wait), crowded_wait(m)),
                                    .copy = fmax(g->copy * share, copy),
                                    .stream = fmax(g->stream * share, copy),
                                    .spread = fmax(g->spread * share, copy),
                                    .fold = fmax(g->fold * share, k * 3 / CELLS_MEMORY)};
}

struct figures choose_figures(const struct settings *s, const struct rule *rule, const struct machine *machine, bool nominal)
{
    const enum link link = machine->nodes > 1 ? LINK_NETWORK : LINK_NODE;
    const struct figures given = policy_figures(s, rule), guess = figures_shared(&nominal_figures[link], link, machine);
    return figures_or(&given, nominal || !machine->measured ? &guess : &machine->figures[link]);
}

/* Not for a user's operation, which has another algorithm in reductions and all-reduces. */
static bool native_measured(const struct facts *f)
{
    const bool another = f->op == OP_ORDERED && !collective_prefix(f->collective);
    return f->machine->measured && f->machine->nodes == 1 && !another;
}

/* The measured time over the formula's, interpolated in logarithms between the nearest sizes; 1 without measurements. */
static double native_factor(const struct facts *f)
{
    const double *measured = f->machine->native[f->collective];
    double factor = 0, from = 0;
    if (!native_measured(f))
        return 1;
    for (int i = 0; i < NATIVE_SIZES; i++) {
        const double size = (double)native_bytes(i), bytes = (double)f->bytes;
        if (measured[i] <= 0)
            continue;
        if (factor > 0 && bytes > from) /* from the size before towards this one */
            factor *= pow(measured[i] / factor, fmin(log(bytes / from) / log(size / from), 1));
        else if (factor <= 0)
            factor = measured[i];
        if (bytes <= size)
            break;
        from = size;
    }
    return factor > 0 ? factor : 1;
}

/* Between hosts near each other. Figures of all hosts describe the slowest way; boundaries come on top. */
static struct figures figures_near(const struct machine *m)
{
    const struct places *t = m->places[SOURCE_MEASURED];
    struct figures g = m->figures[m->nodes > 1 ? LINK_NETWORK : LINK_NODE];
    const int hosts = t && t->measured ? layout_hosts(m, t) : 0;
    if (hosts < 1)
        return g;
    g.alpha = fmin(g.alpha, t->reach[hosts].alpha);
    g.hop = fmin(g.hop, g.alpha);
    g.gap = fmin(g.gap, g.alpha);
    g.beta = fmin(g.beta, t->reach[hosts].flow);
    return g;
}

static struct figures on_shared_card(struct figures g, const struct machine *m)
{
    g.beta *= 1 + m->sharers;
    g.alpha += m->sharers * g.gap * CARD_GAP;
    return g;
}

static struct terms terms_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool nominal,
                             const struct shape *shape)
{
    const struct machine *m = f->machine;
    const bool measured = !nominal && m->measured;
    const struct figures given = policy_figures(s, rule), near = figures_near(m);
    struct terms t = {.figures =
                          on_shared_card(measured ? figures_or(&given, &near) : choose_figures(s, rule, m, nominal), m),
                      .node = measured ? m->figures[LINK_NODE] : figures_shared(&nominal_figures[LINK_NODE], LINK_NODE, m),
                      .segment = nominal || m->segment.fold <= 0 ? segment_shared(&nominal_segment, m) : m->segment,
                      .native = nominal ? 1 : native_factor(f),
                      .measured = measured,
                      .block = policy_block(s, rule, f),
                      .shape = *shape};
    return t;
}

/* Measured without a usable result: all plausible machines are equally likely. */
static bool in_the_dark(const struct facts *f)
{
    const struct machine *m = f->machine;
    const struct places *t = m->places[SOURCE_MEASURED];
    return m->measured && m->noisy[m->nodes > 1 ? LINK_NETWORK : LINK_NODE] && !(t && t->measured);
}

struct outlook outlook_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool keep,
                          const struct shape *shape)
{
    struct outlook t = {.costs = terms_of(s, rule, f, keep, shape),
                        .given = policy_figures(s, rule),
                        .anywhere = keep || in_the_dark(f),
                        .apart = keep && f->machine->measured,
                        .in_a_row = !keep && native_measured(f) && f->machine->segment.fold > 0};
    t.cuts = t.apart ? terms_of(s, rule, f, false, shape) : t.costs;
    return t;
}

/* ---- Any machine ----------------------------------------------------------------------------------------------------- */

static const struct figures nodes[] = {PLAUSIBLE_NODES}, networks[] = {PLAUSIBLE_NETWORKS};
static const struct segment_figures segments[] = {PLAUSIBLE_SEGMENTS};
enum { NODES = sizeof nodes / sizeof *nodes, NETWORKS = sizeof networks / sizeof *networks };

/* Sets the terms to those on plausible machine i. Returns false after the last one. */
static bool terms_anywhere(const struct outlook *o, const struct facts *f, int i, struct terms *t)
{
    const struct machine *m = f->machine;
    const bool network = m->nodes > 1, both = network && m->node_ranks > 1;
    const int near = both ? i % NODES : i;
    if (i == (both ? NODES * NETWORKS : network ? NETWORKS : NODES))
        return false;
    const struct figures shared =
        figures_shared(!network ? &nodes[i] : &networks[both ? i / NODES : i], network ? LINK_NETWORK : LINK_NODE, m);
    *t = o->costs;
    t->figures = on_shared_card(figures_or(&o->given, &shared), m);
    t->node = figures_shared(both ? &nodes[near] : &nominal_figures[LINK_NODE], LINK_NODE, m);
    t->segment = segment_shared(network && !both ? &nominal_segment : &segments[near], m);
    t->native = 1;
    t->measured = false;
    return true;
}

/* The numbers of lanes that a call may have: the most, a half of it and so on. */
enum { HALVINGS = 9 };
struct lane_numbers {
    int most;
    double gather[NODES][HALVINGS], lane[HALVINGS], spread[NODES][HALVINGS];
    double seconds[HALVINGS], cost[HALVINGS];
};

static bool has_lanes(const struct engine *e, const struct facts *f)
{
    return e->serves[f->collective].composed && !e->serves[f->collective].segment.ports;
}

static struct lane_numbers lane_numbers_of(const struct terms *t, const struct facts *f)
{
    return (struct lane_numbers){.most = (int)lanes_cut(f, t->block, 0).wide};
}

static bool has_number(const struct lane_numbers *n, int k, const struct terms *t)
{
    return k == 0 || (k < HALVINGS && n->most >> k && !t->block);
}

/*
 * Sets the seconds on plausible machine i, in this order from 0 on, and returns the least. Stages on a node take as long
 * with each network, and stages between nodes with each kind of node.
 */
static double predict_lanes(struct lane_numbers *n, const struct terms *t, const struct facts *f, int i)
{
    const int near = i % NODES;
    double least = INFINITY;
    for (int k = 0; has_number(n, k, t); k++) {
        const struct cutting cut = lanes_cut(f, t->block, n->most >> k);
        const struct plan whole = {.blocks = cut.blocks, .wide = cut.wide};
        if (i < NODES) {
            n->gather[near][k] = lanes_phase_seconds(t, f, &whole, STAGE_GATHER, NULL);
            n->spread[near][k] = lanes_phase_seconds(t, f, &whole, STAGE_SPREAD, NULL);
        }
        if (near == 0)
            n->lane[k] = lanes_phase_seconds(t, f, &whole, STAGE_LANE, NULL);
        n->seconds[k] = lanes_sum(f, &cut, n->gather[near][k], n->lane[k], n->spread[near][k]);
        least = fmin(least, n->seconds[k]);
    }
    return least;
}

/* By the costs; more lanes unless fewer are clearly better. */
static int best_lanes(const struct lane_numbers *n, const double cost[HALVINGS], const struct terms *t)
{
    int best = 0;
    for (int k = 1; has_number(n, k, t); k++)
        best = cost[k] * LATER_MARGIN < cost[best] ? k : best;
    return best;
}

/* ---- One engine ------------------------------------------------------------------------------------------------------ */

static const struct terms *terms_of_cut(const struct outlook *t, const struct engine *e, enum collective c)
{
    return e->serves[c].model.order_varies ? &t->costs : &t->cuts;
}

/* With the outlook's lanes and ports. */
static void predict_by(struct outlook *t, const struct facts *f, struct offer *o)
{
    const struct engine *e = o->engine;
    struct cutting cutting;
    o->cost = o->seconds = model_seconds(e, &t->costs, f, &cutting);
    o->overlap = t->in_a_row ? model_overlap(e, &t->costs, f) : 0;
    if (t->apart)
        cutting = model_cut(e, terms_of_cut(t, e, f->collective), f);
    o->blocks = cutting.blocks;
    o->wide = cutting.wide;
    assert(isfinite(o->seconds) && o->seconds >= 0);
    assert(engine_by_mpi(e) ? o->blocks == 0 : o->blocks >= 1 && o->blocks <= f->units);
}

void predict_fitting(struct outlook *t, const struct facts *f, struct offer *o)
{
    if (o->engine->serves[f->collective].segment.ports)
        t->costs.ports = t->cuts.ports = ports_best(o->engine, &t->costs, f);
    else if (has_lanes(o->engine, f)) {
        struct lane_numbers n = lane_numbers_of(&t->costs, f);
        predict_lanes(&n, &t->costs, f, 0);
        t->costs.lanes = t->cuts.lanes = n.most >> best_lanes(&n, n.seconds, &t->costs);
    }
    predict_by(t, f, o);
}

void regret_list(struct outlook *outlook, const struct facts *f, struct offer *list)
{
    struct lane_numbers n;
    struct offer *lanes = NULL;
    struct terms t;
    struct cutting cutting;
    for (struct offer *o = list; o->engine; o++) {
        o->cost = o->overlap = 0;
        if (has_lanes(o->engine, f) && o->wide) {
            n = lane_numbers_of(&outlook->costs, f);
            lanes = o;
        }
    }
    for (int i = 0; terms_anywhere(outlook, f, i, &t); i++) {
        double seconds[OFFERS_MOST], best = INFINITY;
        for (int row = 0; list[row].engine; row++)
            if (&list[row] == lanes || !list[row].barred) {
                seconds[row] =
                    &list[row] == lanes ? predict_lanes(&n, &t, f, i) : model_seconds(list[row].engine, &t, f, &cutting);
                best = list[row].barred ? best : fmin(best, seconds[row]);
            }
        for (int row = 0; list[row].engine; row++)
            if (!list[row].barred)
                list[row].cost = fmax(list[row].cost, seconds[row] / best);
        for (int k = 0; lanes && has_number(&n, k, &t); k++)
            n.cost[k] = fmax(n.cost[k], n.seconds[k] / fmin(best, seconds[lanes - list]));
    }
    if (lanes) {
        const int k = best_lanes(&n, n.cost, &t);
        outlook->costs.lanes = outlook->cuts.lanes = n.most >> k;
        predict_by(outlook, f, lanes);
        lanes->cost = lanes->barred ? 0 : n.cost[k];
        lanes->overlap = 0;
    }
}

void predict_cut(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f, int lanes,
                 struct offer *o)
{
    const struct service *service = &o->engine->serves[f->collective];
    struct terms t;
    if (engine_by_mpi(o->engine))
        return;
    if (service->segment.cells && !service->composed)
        t.block = policy_block(s, rule, f); /* no other term counts */
    else
        t = terms_of(s, rule, f, p->keeps_bits && service->model.order_varies, &p->shape);
    t.lanes = t.ports = lanes;
    const struct cutting cutting = model_cut(o->engine, &t, f);
    o->blocks = cutting.blocks;
    o->wide = cutting.wide;
}

void choose_predict(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *o)
{
    const struct shape shape = choose_shape(f, 1);
    struct outlook outlook;
    if (!engine_by_mpi(o->engine) && !engine_fits(o->engine, &shape))
        return;
    outlook = outlook_of(s, rule, f, policy_keeps_bits(s, f), &shape);
    predict_fitting(&outlook, f, o);
}

struct expected choose_expected(const struct settings *s, const struct rule *rule, const struct facts *f,
                                const struct plan *plan)
{
    const struct shape shape = choose_shape(f, 1);
    struct terms t;
    struct cutting cutting;
    if (engine_by_mpi(plan->engine))
        return (struct expected){0};
    t = terms_of(s, rule, f, false, &shape);
    t.lanes = t.ports = (int)plan->wide;
    return (struct expected){.native = model_seconds(engines[0], &t, f, &cutting),
                             .engine = model_seconds(plan->engine, &t, f, &cutting)};
}

void choose_stages(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                   struct plan_of_stage stage[STAGE_PHASES])
{
    const struct shape shape = choose_shape(f, 1);
    const struct terms t = terms_of(s, rule, f, policy_keeps_bits(s, f), &shape);
    struct plan plan[STAGE_PHASES];
    stages_plan(s, rule, f, whole, f->machine->node_ranks, stages_root_node(f), plan);
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++)
        stage[phase] =
            (struct plan_of_stage){plan[phase].engine, lanes_phase_seconds(&t, f, whole, phase, plan[phase].engine)};
}
