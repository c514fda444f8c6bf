/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The choice of engine and number of blocks; see choose.h. One pass over the registry makes a list, with a row for each
 * engine; then one row is picked.
 */
#include "choose.h"

#include "constants.h"
#include "hash.h"
#include "model.h"
#include "predict.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

/* ---- What a call may go by ------------------------------------------------------------------------------------------- */

/* Does the order in which operands meet change the bits of the result? */
static bool order_counts(const struct facts *f)
{
    return f->op == OP_ORDERED || (f->op == OP_ROUNDS && !(f->symmetric && f->ranks == 2));
}

/* Operations whose result depends on the engine that is taken: their users compare bits. */
bool choose_keeps_bits(const struct settings *s, const struct facts *f)
{
    return s->reproducible && order_counts(f);
}

/* One rank a node, as MPICH goes other ways on nodes; and the ranks in their own order. */
bool choose_pairs(const struct facts *f)
{
    const bool power = (f->ranks & (f->ranks - 1)) == 0;
    if (f->collective != COLL_ALLREDUCE || !f->symmetric || !power || f->ranks == 2 || f->machine->node_ranks > 1)
        return false;
    const struct shape shape = choose_shape(f, 1, 0);
    return !shape.places || !shape.places->order;
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

bool choose_measures(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const struct engine_setting may = allowed(s, rule, f);
    const struct figures g = figures_given(s, rule);
    bool given = g.alpha >= 0 && g.beta >= 0 && g.gamma >= 0;
    bool decide = !may.named && !may.random && !choose_keeps_bits(s, f);
    bool size = !block_given(s, rule, f);
    return !given && !f->machine->oversubscribed && (decide || size);
}

/* May an engine for brief messages serve the call? Places that were measured may not decide about bits. */
static bool brief(const struct settings *s, const struct facts *f)
{
    return f->machine->far && f->bytes >= s->brief[f->collective] && collective_rooted(f->collective) &&
           (f->op == OP_NONE || f->op == OP_EXACT);
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
    const int64_t threshold = s->threshold[f->collective];
    if ((f->bytes < threshold && !brief(s, f)) || threshold == SIZE_INF)
        return REASON_BELOW_THRESHOLD;
    if (s->engine[f->collective].rows == 1)
        return s->engine[f->collective].named ? REASON_FORCED : REASON_NOT_APPLICABLE; /* native alone */
    return REASON_NONE;
}

/* Was measuring in vain, so that any machine is as likely as another? */
static bool in_the_dark(const struct facts *f)
{
    const struct machine *m = f->machine;
    const struct places *t = m->places[SOURCE_MEASURED];
    return m->measured && m->noisy[m->nodes > 1 ? LINK_NETWORK : LINK_NODE] && !(t && t->measured);
}

/* ---- The list -------------------------------------------------------------------------------------------------------- */

/*
 * Sets why an engine may not serve, if so. Where the model chooses, none serves rounding sums whose bits would depend on its
 * number of blocks, nor nodes with several ranks if it is made for one a node; nor does a reference serve. Who names an
 * engine gets it, but for a short call: engines for brief messages alone serve that.
 */
static void bar(struct offer *o, bool allowed, bool modelled, bool pairs, bool short_call, const struct facts *f)
{
    const struct engine *e = o->engine;
    const struct service *service = &e->serves[f->collective];
    const struct shape shape = choose_shape(f, 1, 0);
    bool shared = f->machine->nodes > 1 && f->machine->node_ranks > 1;
    if (!allowed)
        o->barred = "not among those that may serve";
    else if (e != engines[0] && !engine_fits(e, &shape))
        o->barred = service->generate ? service->text.needs : "has no schedule for it";
    else if (modelled && service->model.order_varies && order_counts(f))
        o->barred = "the order of operands varies with the number of blocks";
    else if (modelled && e != engines[0] && pairs && !service->pairs)
        o->barred = "does not have the bits of the native call";
    else if (modelled && e->made_for == MADE_FOR_ONE_A_NODE && shared)
        o->barred = "made for one rank a node";
    else if (modelled && e->made_for == MADE_FOR_MANY_A_NODE && !shared)
        o->barred = "made for several ranks a node";
    else if (e != engines[0] && short_call && !service->model.brief)
        o->barred = "fewer bytes than the threshold";
    else if (modelled && service->model.reference) {
        o->barred = "a reference: it serves where it is named";
        o->reference = true;
    }
}

static int make_list(const struct settings *s, const struct rule *rule, const struct facts *f,
                     const struct engine_setting *may, struct offer *list)
{
    const bool short_call = f->bytes < s->threshold[f->collective] && brief(s, f);
    const bool whole = f->op == OP_ORDERED && block_given(s, rule, f) == SIZE_INF;
    const bool pairs = choose_keeps_bits(s, f) && choose_pairs(f);
    int rows = 0;
    assert(engine_count() < OFFERS_MOST);
    for (; engines[rows]; rows++) {
        list[rows] = (struct offer){.engine = engines[rows]};
        bar(&list[rows], may->rows >> rows & 1, !may->named && !may->random, pairs, short_call, f);
        if (rows > 0 && whole && (f->units > INT_MAX || engines[rows]->serves[f->collective].effort))
            list[rows].barred = "does not give a user's operation all elements at once";
        if (!list[rows].barred)
            choose_predict(s, rule, f, &list[rows]);
    }
    list[rows] = (struct offer){.engine = NULL};
    if (choose_keeps_bits(s, f) || in_the_dark(f))
        regret_list(s, rule, f, list);
    return rows;
}

int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list)
{
    const struct engine_setting may = allowed(s, rule, f);
    return make_list(s, rule, f, &may, list);
}

/* ---- The choice ------------------------------------------------------------------------------------------------------ */

/* A number that depends on the seed and the facts alone (splitmix64 over them). */
static uint64_t draw(uint64_t seed, const struct facts *f)
{
    const uint64_t parts[] = {(uint64_t)f->collective, (uint64_t)f->ranks, (uint64_t)f->root,
                              (uint64_t)f->bytes,      (uint64_t)f->units, (uint64_t)f->op};
    uint64_t x = seed;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        x = mix64(x + parts[i] + 0x9e3779b97f4a7c15u);
    return x;
}

/* One of the `count` rows that may serve, drawn: random runs are there to exercise every path. */
static const struct offer *pick_random(const struct offer *list, uint64_t number, uint64_t count)
{
    uint64_t left = number % count;
    while (list->barred || left-- > 0)
        list++;
    return list;
}

/* The engine with the least cost; where the model decides, with what it has to be ahead by. */
static const struct offer *least_engine(const struct offer *list, bool modelled)
{
    const struct offer *best = NULL;
    for (const struct offer *o = list + 1; o->engine; o++)
        if (!o->barred && (!best || o->cost * (modelled ? LATER_MARGIN : 1) < best->cost))
            best = o;
    return best;
}

/* It, or native. */
static const struct offer *pick_least(const struct offer *list, bool modelled)
{
    const struct offer *best = least_engine(list, modelled);
    assert(best);
    return !list->barred && list->cost <= best->cost * (modelled ? NATIVE_MARGIN : 1) ? list : best;
}

static struct plan plan_of(const struct settings *s, const struct offer *o, enum reason reason)
{
    assert(o->engine && !o->barred);
    return (struct plan){.engine = o->engine,
                         .blocks = o->blocks,
                         .wide = o->wide,
                         .group = s->fractional_r,
                         .reason = reason,
                         .seconds = o->seconds};
}

struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row)
{
    struct offer o = {.engine = engines[row]};
    choose_predict(s, rule, f, &o);
    assert(row == 0 || o.blocks >= 1); /* it fits */
    return plan_of(s, &o, REASON_FORCED);
}

int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan)
{
    const int64_t set = s->block[f->collective];
    if (plan->engine == engines[0])
        return 0;
    if (plan->engine->serves[f->collective].effort)
        return set ? set : LARGEST_BLOCK;
    return (f->units + plan->blocks - 1) / plan->blocks * (f->bytes / f->units);
}

/* Why no engine serves, be it only as the model would choose it; else REASON_NONE. */
static enum reason refuses(const struct settings *s, const struct engine_setting *may, const struct facts *f)
{
    enum reason reason = choose_quick(s, f);
    return !reason && f->machine->oversubscribed && !may->named && !may->random ? REASON_OVERSUBSCRIBED : reason;
}

/* How one of those that may serve is picked. */
static enum reason picks(const struct settings *s, const struct engine_setting *may, const struct facts *f)
{
    return may->random                      ? REASON_RANDOM
           : s->engine[f->collective].named ? REASON_FORCED
           : may->named                     ? REASON_RULE
                                            : REASON_MODEL;
}

/* What earlier calls speak for, if that may count and serve. */
static const struct offer *learned_offer(const struct settings *s, const struct facts *f, const struct offer *list)
{
    const bool counts = !choose_keeps_bits(s, f) || choose_pairs(f);
    const struct offer *o = f->learned && counts ? &list[engine_row(f->learned)] : NULL;
    return o && !o->barred ? o : NULL;
}

static int engines_left(const struct offer *list)
{
    int count = 0;
    for (const struct offer *o = list + 1; o->engine; o++)
        count += !o->barred;
    return count;
}

struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const struct offer native = {.engine = engines[0]}, *picked;
    const struct engine_setting may = allowed(s, rule, f);
    struct offer list[OFFERS_MOST];
    enum reason reason = refuses(s, &may, f);

    if (reason)
        return plan_of(s, &native, reason);
    reason = picks(s, &may, f);
    make_list(s, rule, f, &may, list);
    int count = engines_left(list);
    if (count == 0) /* a rule may name native alone */
        return plan_of(s, &native, reason == REASON_RULE ? reason : REASON_NOT_APPLICABLE);
    if (reason == REASON_RANDOM)
        picked = pick_random(list, draw(may.seed, f), (uint64_t)count + !list[0].barred);
    else if (reason == REASON_MODEL && (picked = learned_offer(s, f, list)))
        reason = f->trial ? REASON_TRIAL : REASON_LEARNED;
    else
        picked = pick_least(list, reason == REASON_MODEL);
    if (reason == REASON_MODEL && picked == list)
        reason = REASON_NATIVE_FASTER;
    return plan_of(s, picked, reason);
}

/*
 * Are they predicted to do about the same, with as many blocks? Then one of them is enough. Between two ranks blocks go one
 * way, whatever the engine, but in an allreduce.
 */
static bool alike(const struct offer *o, const struct offer *other, const struct facts *f)
{
    if (f->ranks == 2 && f->collective != COLL_ALLREDUCE)
        return o->blocks == other->blocks;
    return o->blocks == other->blocks && o->seconds <= other->seconds * LATER_MARGIN &&
           other->seconds <= o->seconds * LATER_MARGIN;
}

/*
 * The best engine that is worth a trial beside `first`: if one is a line of ranks and the other is not, all the better, as
 * the model errs most in how blocks follow each other in a line.
 */
static const struct offer *second_engine(const struct offer *list, const struct facts *f, const struct offer *first)
{
    const struct offer *best[2] = {NULL, NULL}; /* of the same sort, of the other */
    const bool line = first->engine->serves[f->collective].executor.chained;
    const double least = list->barred ? first->seconds : fmin(first->seconds, list->seconds);
    for (const struct offer *o = list + 1; o->engine; o++) {
        if (o->barred || alike(o, first, f) || o->seconds > CANDIDATE_FACTOR * least)
            continue;
        const struct offer **b = &best[o->engine->serves[f->collective].executor.chained != line];
        if (!*b || o->cost * LATER_MARGIN < (*b)->cost)
            *b = o;
    }
    return best[1] ? best[1] : best[0];
}

int choose_candidates(const struct settings *s, const struct rule *rule, const struct facts *f, int row[CANDIDATES],
                      double seconds[CANDIDATES])
{
    const struct engine_setting may = allowed(s, rule, f);
    struct offer list[OFFERS_MOST];
    int count = 0;
    if (refuses(s, &may, f) || picks(s, &may, f) != REASON_MODEL)
        return 0;
    make_list(s, rule, f, &may, list);
    const struct offer *first = least_engine(list, true), *second = first ? second_engine(list, f, first) : NULL;
    const struct offer *found[CANDIDATES] = {list->barred ? NULL : list, first, second};
    double least = INFINITY;
    for (int i = 0; i < CANDIDATES; i++)
        least = found[i] ? fmin(least, found[i]->seconds) : least;
    for (int i = 0; i < CANDIDATES; i++)
        if (found[i] && (found[i] == list || found[i]->seconds <= CANDIDATE_FACTOR * least)) {
            row[count] = engine_row(found[i]->engine);
            seconds[count++] = found[i]->seconds;
        }
    return count;
}
