/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of engine and number of blocks; see choose.h. */
#include "choose.h"

#include "hash.h"
#include "model.h"

#include <math.h>

/* Of two engines with about the same predicted time, within this factor, the one that the registry has first is taken. */
#define ALIKE 1.05

/* An engine is taken where native is predicted to take this many times as long: predictions err. */
#define MARGIN 1.1

/*
 * Figures where nothing was measured, or where a measurement must not count: ranks of one node pass messages through its
 * memory, those of different nodes through 10 Gbit/s.
 */
static const struct figures nominal_figures[LINKS] = {
    [LINK_NODE] = {.alpha = 1e-6, .beta = 0.2e-9, .gamma = 0.2e-9, .hop = 1e-6, .gap = 1e-6},
    [LINK_NETWORK] = {.alpha = 5e-6, .beta = 0.8e-9, .gamma = 0.2e-9, .hop = 5e-6, .gap = 5e-6},
};

/*
 * The same for struct machine's `native`. Through the memory of one node, MPICH's broadcast is faster than its messages
 * would be; its user-defined reductions are not, as they wait for whole messages that no cache holds before they fold them.
 */
static double nominal_native(const struct facts *f)
{
    if (f->machine->nodes > 1)
        return 1;
    return f->collective == COLL_BCAST ? 0.5 : f->collective == COLL_REDUCE && f->op == OP_ORDERED ? 1.25 : 1;
}

/* ---- What a call may go by ----------------------------------------------------------------------------------------- */

/* Operations whose result depends on the engine that is taken: their users compare bits. */
static bool keeps_bits(const struct settings *s, const struct facts *f)
{
    return s->reproducible && (f->op == OP_ROUNDS || f->op == OP_ORDERED);
}

/* Does one of the engines serve the call? Native always does. */
static bool serves(uint64_t rows, const struct facts *f)
{
    const struct shape shape = choose_shape(f, 1, 0);
    bool any = rows & 1;
    for (int i = 1; engines[i] && !any; i++)
        any = rows >> i & 1 && engine_fits(engines[i], &shape);
    return any;
}

/*
 * Which engines may serve: what the settings name comes before the rule, the rule before what they leave to the model. A
 * rule is for many calls; where it names none that fits, it leaves the call to the model, too.
 */
static struct engine_setting allowed(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    struct engine_setting may = s->engine[f->collective];
    if (rule && rule->engines && !may.named && !may.random && serves(rule->engine.rows & may.rows, f)) {
        uint64_t not_excluded = may.rows;
        may = rule->engine;
        may.rows &= not_excluded;
    }
    return may;
}

static const struct figures unsaid = {-1, -1, -1, -1, -1};

static double figure(double setting, double rule, double otherwise)
{
    return setting >= 0 ? setting : rule >= 0 ? rule : otherwise;
}

struct figures choose_figures(const struct settings *s, const struct rule *rule, const struct machine *machine, bool nominal)
{
    enum link link = machine->nodes > 1 ? LINK_NETWORK : LINK_NODE;
    const struct figures *r = rule ? &rule->figures : &unsaid;
    const struct figures *found = nominal || !machine->measured ? &nominal_figures[link] : &machine->figures[link];
    double alpha = figure(s->figures.alpha, r->alpha, -1);
    return (struct figures){.alpha = alpha >= 0 ? alpha : found->alpha,
                            .beta = figure(s->figures.beta, r->beta, found->beta),
                            .gamma = figure(s->figures.gamma, r->gamma, found->gamma),
                            .hop = alpha >= 0 ? alpha : found->hop,
                            .gap = alpha >= 0 ? alpha : found->gap};
}

static struct terms terms_of(const struct settings *s, const struct rule *rule, const struct facts *f, bool nominal)
{
    const struct machine *m = f->machine;
    struct terms t = {.figures = choose_figures(s, rule, m, nominal),
                      .native = nominal_native(f),
                      .block = s->block[f->collective],
                      .group = s->fractional_r};
    if (m->measured && !nominal && m->nodes == 1 && m->native[f->collective] > 0)
        t.native = m->native[f->collective];
    /* Broadcasts and reductions are no slower than their formulas: what looks so is an error of measurement. */
    if (m->measured && !nominal && f->op != OP_ORDERED && (f->collective == COLL_BCAST || f->collective == COLL_REDUCE) &&
        t.native > 1)
        t.native = 1;
    if (!t.block && rule)
        t.block = rule->block;
    return t;
}

bool choose_measures(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const struct engine_setting may = allowed(s, rule, f);
    const struct figures *g = &s->figures, *r = rule ? &rule->figures : &unsaid;
    bool given =
        figure(g->alpha, r->alpha, -1) >= 0 && figure(g->beta, r->beta, -1) >= 0 && figure(g->gamma, r->gamma, -1) >= 0;
    bool decide = !may.named && !may.random && !keeps_bits(s, f);
    bool size = !s->block[f->collective] && !(rule && rule->block);
    return !given && !f->machine->oversubscribed && (decide || size);
}

enum reason choose_quick(const struct settings *s, const struct facts *f)
{
    if (f->barred)
        return f->barred;
    if (s->disable)
        return REASON_DISABLED;
    if (f->ranks == 1)
        return REASON_ONE_RANK;
    if (f->bytes == 0 || f->units == 0)
        return REASON_ZERO_BYTES;
    if (f->bytes < s->threshold[f->collective] || s->threshold[f->collective] == SIZE_INF)
        return REASON_BELOW_THRESHOLD;
    if (s->engine[f->collective].rows == 1)
        return s->engine[f->collective].named ? REASON_FORCED : REASON_NOT_APPLICABLE; /* native alone */
    return REASON_NONE;
}

/* ---- The choice ------------------------------------------------------------------------------------------------------ */

/* A number that depends on the seed and the facts alone (splitmix64 over them). */
static uint64_t draw(uint64_t seed, const struct facts *f)
{
    const uint64_t words[] = {(uint64_t)f->collective, (uint64_t)f->ranks, (uint64_t)f->root,
                              (uint64_t)f->bytes,      (uint64_t)f->units, (uint64_t)f->op};
    uint64_t x = seed;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        x = mix64(x + words[i] + 0x9e3779b97f4a7c15u);
    return x;
}

/*
 * Why an engine may not serve, or NULL. Where the model chooses, none serves rounding sums whose bits would depend on its
 * number of blocks, nor nodes with several ranks if it is made for one a node. Whoever names an engine gets it.
 */
static const char *barred(const struct engine *e, const struct engine_setting *may, const struct facts *f)
{
    const struct shape shape = choose_shape(f, 1, 0);
    bool modelled = !may->named && !may->random;
    if (!(may->rows >> engine_row(e) & 1))
        return "not among those that may serve";
    if (e == engines[0])
        return NULL;
    if (!engine_fits(e, &shape))
        return e->serves[f->collective].generate ? e->serves[f->collective].text.needs : "has no schedule for it";
    if (modelled && e->order_varies && f->op == OP_ROUNDS)
        return "the order of operands varies with the number of blocks";
    bool shared = f->machine->nodes > 1 && f->machine->node_ranks > 1;
    if (modelled && e->made_for == MADE_FOR_ONE_A_NODE && shared)
        return "made for one rank a node";
    if (modelled && e->made_for == MADE_FOR_MANY_A_NODE && !shared)
        return "made for several ranks a node";
    return NULL;
}

/*
 * The number of blocks, and the time that counts in the choice. Where the bits of the result depend on the engine, nothing
 * measured may; it only sets the number of blocks, unless the bits depend on that, too.
 */
static struct offer offer(const struct engine *e, const struct settings *s, const struct rule *rule, const struct facts *f)
{
    bool keep = keeps_bits(s, f);
    struct terms t = terms_of(s, rule, f, keep);
    struct offer o = {0};
    o.seconds = cost(e, &t, f, &o.blocks);
    if (keep && !e->order_varies) {
        t = terms_of(s, rule, f, false);
        cost(e, &t, f, &o.blocks);
    }
    return o;
}

struct offer choose_offer(const struct settings *s, const struct rule *rule, const struct facts *f, int row)
{
    const struct engine_setting may = allowed(s, rule, f);
    const struct shape shape = choose_shape(f, 1, 0);
    struct offer o = {0};
    if (row == 0 || engine_fits(engines[row], &shape))
        o = offer(engines[row], s, rule, f);
    o.barred = barred(engines[row], &may, f);
    return o;
}

/* One of the engines that may serve, or native, drawn: random runs are there to exercise every path. */
static int draw_row(const struct engine_setting *may, const struct facts *f, int fit)
{
    int native = may->rows & 1, chosen = (int)(draw(may->seed, f) % (uint64_t)(fit + native)) - native;
    for (int i = 1; engines[i] && chosen >= 0; i++)
        if (!barred(engines[i], may, f) && chosen-- == 0)
            return i;
    return 0;
}

/* Ranks may take part in any order if nothing of the result depends on it. */
static bool any_order(const struct facts *f)
{
    return f->op == OP_EXACT ? f->collective == COLL_REDUCE : f->op == OP_NONE;
}

/* The plan that takes a row of the registry, as it offers. */
static struct plan plan_of(const struct settings *s, const struct facts *f, int row, const struct offer *o,
                           enum reason reason)
{
    return (struct plan){.engine = engines[row],
                         .blocks = o->blocks,
                         .group = s->fractional_r,
                         .by_node = row > 0 && any_order(f) && !f->machine->gathered,
                         .reason = reason,
                         .seconds = o->seconds};
}

struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row)
{
    const struct offer o = offer(engines[row], s, rule, f);
    return plan_of(s, f, row, &o, REASON_FORCED);
}

struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    struct plan plan = {.engine = engines[0], .group = s->fractional_r, .reason = choose_quick(s, f)};
    const struct engine_setting may = allowed(s, rule, f);
    bool modelled = !may.named && !may.random;
    int fit = 0, row = 0;

    if (plan.reason)
        return plan;
    if (f->machine->oversubscribed && modelled) {
        plan.reason = REASON_OVERSUBSCRIBED;
        return plan;
    }
    for (int i = 1; engines[i]; i++)
        fit += !barred(engines[i], &may, f);
    plan.reason = may.random                       ? REASON_RANDOM
                  : s->engine[f->collective].named ? REASON_FORCED
                  : may.named                      ? REASON_RULE
                                                   : REASON_MODEL;
    if (fit == 0) {
        if (plan.reason != REASON_RULE) /* which names native alone */
            plan.reason = REASON_NOT_APPLICABLE;
        return plan;
    }
    struct offer best = {.seconds = INFINITY};
    if (may.random) {
        row = draw_row(&may, f, fit);
        best = offer(engines[row], s, rule, f);
    }
    for (int i = 1; engines[i] && !may.random; i++)
        if (!barred(engines[i], &may, f)) {
            struct offer o = offer(engines[i], s, rule, f);
            if (o.seconds * (modelled ? ALIKE : 1) < best.seconds) {
                best = o;
                row = i;
            }
        }
    if (!may.random && may.rows & 1) {
        struct offer native = offer(engines[0], s, rule, f);
        if (native.seconds <= best.seconds * (modelled ? MARGIN : 1)) {
            best = native;
            row = 0;
        }
    }
    return plan_of(s, f, row, &best, plan.reason);
}
