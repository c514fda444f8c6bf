/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses the engine of a call and its number of blocks; see choose.h. One pass over the registry makes a list with an offer
 * for each engine; then one offer is picked.
 */
#include "choose.h"

#include "constants.h"
#include "hash.h"
#include "model.h"
#include "predict.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>

/* Was the machine measured without a usable result? Then each plausible machine (constants.h) is as likely as the others. */
static bool in_the_dark(const struct facts *f)
{
    const struct machine *m = f->machine;
    const struct places *t = m->places[SOURCE_MEASURED];
    return m->measured && m->noisy[m->nodes > 1 ? LINK_NETWORK : LINK_NODE] && !(t && t->measured);
}

/* ---- The list -------------------------------------------------------------------------------------------------------- */

/* Do trials for a file of lessons compare many engines, even references? Trials of short calls cost little. */
static bool tries_many(const struct settings *s, const struct facts *f)
{
    return policy_lessons(s) && f->bytes < SHORT_BYTES;
}

/* What may bar an engine that could serve the call. */
struct bars {
    const struct facts *facts;
    uint64_t rows; /* the engines that may serve */
    bool modelled; /* the model chooses; an engine that the user names serves even if the model would not take it */
    bool ordered;  /* the order of operands must follow from engine and facts alone */
    bool pairs;    /* only engines that combine operands in pairs have the bits of the native call */
    bool brief;    /* the call is below the threshold */
    bool segment;  /* if brief: engines with a segment may serve it all the same */
    bool lanes;    /* if brief: trials may choose lanes for it all the same */
    bool lessons;  /* if brief: trials for a file of lessons may choose any engine for it all the same */
    bool many;     /* tries_many() holds */
    bool shares;   /* engines with a segment may serve: the model then takes no engine without a segment, nor native if there
                      are more ranks than cores */
};

/* Sets o->barred if the engine in this row of the registry may not serve the call. */
static void bar(struct offer *o, int row, const struct bars *b)
{
    const struct facts *f = b->facts;
    const struct engine *e = o->engine;
    const struct service *service = &e->serves[f->collective];
    const bool shared_nodes = f->machine->nodes > 1 && f->machine->node_ranks > 1, native = engine_by_mpi(e);
    const bool staged = f->roots || f->readers != READERS_ALL, modelled = b->modelled;
    const bool gains = (b->segment && service->segment.cells) || (b->lanes && service->composed) ||
                       (service->model.brief && f->machine->far && !policy_order_counts(f)); /* `far' is measured */
    if (!(b->rows >> row & 1))
        o->barred = "not among the engines that may serve";
    else if (!policy_fits(e, f))
        o->barred = !service->text.rounds ? "has no schedule for this collective"
                    : native              ? "an MPI library that can switch to it"
                    : staged              ? "one root, and all ranks as readers"
                                          : need_text(service->needs);
    else if (modelled && service->composed && !policy_lanes(f)) {
        o->barred = "too few bytes, or too few ranks on a node";
        o->tried = b->lanes;
    } else if (modelled && b->ordered && service->model.order_varies)
        o->barred = "the order of operands varies with the number of blocks";
    else if (modelled && e != engines[0] && b->pairs && !service->pairs)
        o->barred = "does not have the bits of the native call";
    else if (modelled && e->made_for == MADE_FOR_ONE_A_NODE && shared_nodes)
        o->barred = "made for one rank a node";
    else if (modelled && e->made_for == MADE_FOR_MANY_A_NODE && !shared_nodes)
        o->barred = "made for several ranks a node";
    else if (b->brief && !native && !gains) {
        o->barred = "fewer bytes than the threshold";
        o->tried = b->lessons;
    } else if (modelled && b->shares && !service->segment.cells && (!native || f->machine->oversubscribed)) {
        o->barred = "slower than memory that the ranks share";
        /* An exscan of two ranks is one message, which MPI may copy once. A segment copies it twice. */
        o->tried = f->collective == COLL_EXSCAN && f->ranks == 2 && service->executor.chained && !f->machine->oversubscribed;
    } else if (modelled && service->model.reference) {
        o->barred =
            native ? "serves where it is named, or was the fastest in trials" : "a reference: it serves where it is named";
        o->reference = true;
        o->tried = native || b->many;
    }
}

/* May trials choose the engine? */
static bool tried(const struct offer *o)
{
    return !o->barred || o->tried;
}

/* Does the engine give an operation all elements of the call at once if its blocks are as large as possible? */
static bool gives_all(const struct service *service, const struct facts *f)
{
    const enum cells cells = service->segment.cells;
    return f->units <= INT_MAX && !service->work && !service->composed &&
           (cells == CELLS_NONE || (cells == CELLS_BLOCK && f->bytes <= f->machine->cell));
}

/*
 * Does what choose_list() does, for a policy. Shadow trials for lessons also take engines with order_varies, as a lesson
 * fixes the size of blocks.
 */
static int make_list(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f,
                     struct offer *list)
{
    /* Algorithms of the MPI library serve below the threshold anyway; engines only by a rule that begins at some size. */
    const bool ruled = p->picks == REASON_RULE && rule->bytes.least > 0 && f->bytes >= rule_from(rule);
    const struct bars bars = {.facts = f,
                              .rows = p->may.rows,
                              .modelled = p->picks == REASON_MODEL,
                              .ordered = policy_order_counts(f) && (p->keeps_bits || !p->shadow),
                              .pairs = p->keeps_bits && p->pairs,
                              .brief = p->brief && !ruled,
                              .segment = policy_brief_segment(s, f),
                              .lanes = policy_tries_lanes(f),
                              .lessons = policy_lessons(s),
                              .many = tries_many(s, f),
                              .shares = !p->whole && choose_shape(f, 1, 0).depth > 0 && policy_segment(p, f->collective)};
    int rows = 0;
    assert(engine_count() < OFFERS_MOST);
    for (; engines[rows]; rows++) {
        list[rows] = (struct offer){.engine = engines[rows]};
        bar(&list[rows], rows, &bars);
        if (rows > 0 && p->whole && !gives_all(&engines[rows]->serves[f->collective], f))
            list[rows].barred = "does not give a user's operation all elements at once";
        if (tried(&list[rows]))
            predict_fitting(s, rule, f, p->keeps_bits, &list[rows]);
    }
    list[rows] = (struct offer){.engine = NULL};
    if (p->keeps_bits || in_the_dark(f))
        regret_list(s, rule, f, list);
    return rows;
}

int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list)
{
    const struct policy p = policy_of(s, rule, f);
    return make_list(s, &p, rule, f, list);
}

/* ---- Lists ----------------------------------------------------------------------------------------------------------- */

/* Lists too long for a small stack. While a thread makes the list for a call, it may make one for a stage of the call. */
static struct shared_list {
    pthread_mutex_t lock;
    struct offer offer[OFFERS_MOST];
} for_call = {.lock = PTHREAD_MUTEX_INITIALIZER}, for_stage = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct offer *take(struct shared_list *l)
{
    pthread_mutex_lock(&l->lock);
    return l->offer;
}

static void give_back(struct shared_list *l)
{
    pthread_mutex_unlock(&l->lock);
}

/* ---- The choice ------------------------------------------------------------------------------------------------------ */

/* Returns a number that depends on the seed and the facts alone, by splitmix64. */
static uint64_t draw(uint64_t seed, const struct facts *f)
{
    const uint64_t parts[] = {(uint64_t)f->collective, (uint64_t)f->ranks, (uint64_t)f->root,
                              (uint64_t)f->bytes,      (uint64_t)f->units, (uint64_t)f->op};
    uint64_t x = seed;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        x = hash_add(x, parts[i]);
    return x;
}

/* Picks one of the `count` offers that are not barred, by `number`. */
static const struct offer *pick_random(const struct offer *list, uint64_t number, uint64_t count)
{
    uint64_t left = number % count;
    while (list->barred || left-- > 0)
        list++;
    return list;
}

/* The cost of a call in a row of so many, of which all but the last one overlap with the next. */
static double cost_in_row(const struct offer *o, int calls)
{
    return o->cost - (1 - 1.0 / calls) * o->overlap;
}

/*
 * Returns the engine with the least regret, or NULL. The regret is the cost over the least cost of all engines, for a call
 * alone or for one in a row, whichever is more. If the model decides, a later row of the list has to be better by a margin.
 */
static const struct offer *least_engine(const struct offer *list, bool modelled)
{
    double alone = INFINITY, in_row = INFINITY, least = INFINITY;
    const struct offer *best = NULL;
    for (const struct offer *o = list + 1; o->engine; o++)
        if (!o->barred) {
            alone = fmin(alone, o->cost);
            in_row = fmin(in_row, cost_in_row(o, NATIVE_CALLS));
        }
    for (const struct offer *o = list + 1; o->engine; o++) {
        const double regret = fmax(o->cost / fmax(alone, DBL_MIN), cost_in_row(o, NATIVE_CALLS) / fmax(in_row, DBL_MIN));
        if (!o->barred && (!best || regret * (modelled ? LATER_MARGIN : 1) < least)) {
            best = o;
            least = regret;
        }
    }
    return best;
}

/*
 * Picks the engine with the least regret, or native. If the model decides, the engine has to be better by a margin. If its
 * calls in a row overlap, the margin counts for an endless row, and in a row of PROGRAM_CALLS the engine has to be better at
 * all. Native calls hardly overlap, so their measurements in shorter rows hold there, too.
 */
static const struct offer *pick_least(const struct offer *list, bool modelled)
{
    const struct offer *best = least_engine(list, modelled);
    assert(best);
    const double endless = best->cost - best->overlap;
    const double bound = fmax(cost_in_row(best, PROGRAM_CALLS), endless * (modelled ? NATIVE_MARGIN : 1));
    return !list->barred && list->cost <= bound ? list : best;
}

static struct plan plan_of(const struct settings *s, const struct offer *o, enum reason reason)
{
    assert(o->engine && tried(o));
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
    assert(engine_by_mpi(o.engine) || o.blocks >= 1); /* because the engine fits the call */
    return plan_of(s, &o, REASON_FORCED);
}

int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan)
{
    const int64_t set = s->block[f->collective];
    const struct service *service = &plan->engine->serves[f->collective];
    if (engine_by_mpi(plan->engine))
        return 0;
    if (service->segment.cells || service->composed)
        return set; /* no figure changes the cut that suits cells, or nodes */
    if (service->work)
        return set ? set : LARGEST_BLOCK;
    return ceil_div(f->units, plan->blocks) * (f->bytes / f->units);
}

int64_t choose_block_up_to(const struct settings *s, const struct facts *f, const struct plan *plan, int64_t most)
{
    const int64_t block = choose_block(s, f, plan);
    const bool whole = plan->blocks == 1 && !plan->engine->serves[f->collective].work && !s->block[f->collective];
    return whole && block ? most : block;
}

/*
 * Returns the offer for the row that the history gives. Returns NULL if the history gives none, if it may not decide, or if
 * trials may not choose this row.
 */
static const struct offer *learned_offer(const struct policy *p, const struct question *q, const struct offer *list)
{
    const struct offer *o = q->learned >= 0 && policy_measures(p) ? &list[q->learned] : NULL;
    return o && tried(o) ? o : NULL;
}

static int engines_left(const struct offer *list)
{
    int count = 0;
    for (const struct offer *o = list + 1; o->engine; o++)
        count += !o->barred;
    return count;
}

/* Have the ranks failed to share memory, although an engine that may serve needs it? */
static bool lacks_segment(const struct policy *p, const struct facts *f)
{
    const struct machine *m = f->machine;
    return m->shared_tried && !m->cell && (m->near ? policy_segment(p, f->collective) : policy_composed(p, f->collective));
}

static struct plan answer_from(const struct settings *s, const struct policy *p, const struct question *q,
                               const struct offer *list)
{
    const struct offer native = {.engine = engines[0]}, *picked;
    enum reason reason = p->picks;
    int count = engines_left(list);
    if (reason == REASON_MODEL && (picked = learned_offer(p, q, list)))
        reason = q->trial ? REASON_TRIAL : REASON_LEARNED;
    else if (count == 0) /* also if a rule names native alone */
        return plan_of(s, &native,
                       reason == REASON_RULE && p->may.rows & 1 ? reason
                       : lacks_segment(p, &q->facts)            ? REASON_NO_SHARED_MEMORY
                       : p->brief                               ? REASON_BELOW_THRESHOLD
                                                                : REASON_NOT_APPLICABLE);
    else if (reason == REASON_RANDOM)
        picked = pick_random(list, draw(p->may.seed, &q->facts), (uint64_t)count + !list[0].barred);
    else
        picked = pick_least(list, reason == REASON_MODEL);
    if (reason == REASON_MODEL && picked == list)
        reason = REASON_NATIVE_FASTER;
    return plan_of(s, picked, reason);
}

struct plan choose_answer(const struct settings *s, const struct policy *p, const struct question *q)
{
    if (p->refuses)
        return plan_of(s, &(struct offer){.engine = engines[0]}, p->refuses);
    struct offer *list = take(&for_call);
    make_list(s, p, q->rule, &q->facts, list);
    const struct plan plan = answer_from(s, p, q, list);
    give_back(&for_call);
    return plan;
}

struct plan choose(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    const struct policy p = policy_of(s, rule, f);
    return choose_answer(s, &p, &(struct question){.facts = *f, .rule = rule, .learned = -1});
}

static const uint64_t stage_rows = ~UINT64_C(1); /* all engines; a stage is never native */

bool choose_serves_stage(const struct facts *f, int row)
{
    const struct bars bars = {.facts = f,
                              .rows = stage_rows,
                              .modelled = true,
                              .ordered = policy_order_counts(f),
                              .shares = choose_shape(f, 1, 0).depth > 0};
    struct offer o = {.engine = engines[row]};
    bar(&o, row, &bars);
    return !o.barred;
}

struct plan choose_stage(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    struct rule figures = rule ? *rule : rule_blank;
    const struct policy p = {.may.rows = stage_rows, .picks = REASON_MODEL, .keeps_bits = policy_keeps_bits(s, f)};
    struct offer *list = take(&for_stage);
    figures.block = 0; /* it is for the whole call */
    make_list(s, &p, &figures, f, list);
    for (struct offer *o = list; o->engine; o++)
        o->overlap = 0; /* between two stages on a node, ranks of other nodes have their turn */
    const struct plan plan = plan_of(s, least_engine(list, true), REASON_MODEL);
    give_back(&for_stage);
    return plan;
}

/*
 * Does the model predict the same time for both offers, up to the factor `margin`, and the same number of blocks?
 * Then a trial of one of them is enough. Between two ranks, all blocks go one way, except in an allreduce. Engines with the
 * same number of blocks then do the same.
 */
static bool alike(const struct offer *o, const struct offer *other, const struct facts *f, double margin)
{
    if (f->ranks == 2 && collective_flow(f->collective) != FLOW_ALL_TO_ALL)
        return o->blocks == other->blocks;
    return o->blocks == other->blocks && o->seconds <= other->seconds * margin && other->seconds <= o->seconds * margin;
}

/*
 * Is the offer worth a trial beside a trial of `other`? Trials do not compare two engines that go through a segment: a trial
 * is a call by itself, and calls through a segment overlap, with some engines more than with others.
 */
static bool worth(const struct offer *o, const struct offer *other, const struct facts *f, double margin)
{
    const enum collective c = f->collective;
    return !(o->engine->serves[c].segment.cells && other->engine->serves[c].segment.cells) && !alike(o, other, f, margin);
}

/*
 * Returns the best engine that is worth a trial beside `first`, or NULL. If `first` sends along a chain of ranks, an engine
 * without a chain is preferred, and the other way round. The model errs most about the speed of blocks along a chain.
 */
static const struct offer *second_engine(const struct offer *list, const struct facts *f, const struct offer *first)
{
    const struct offer *best[2] = {NULL, NULL}; /* [0]: of the same sort as `first`; [1]: of the other sort */
    const bool line = first->engine->serves[f->collective].executor.chained;
    const double least = list->barred ? first->seconds : fmin(first->seconds, list->seconds);
    for (const struct offer *o = list + 1; o->engine; o++) {
        if (o->barred || !worth(o, first, f, LATER_MARGIN) || o->seconds > CANDIDATE_FACTOR * least)
            continue;
        const struct offer **b = &best[o->engine->serves[f->collective].executor.chained != line];
        if (!*b || o->cost * LATER_MARGIN < (*b)->cost)
            *b = o;
    }
    return best[1] ? best[1] : best[0];
}

/* Is the engine a reference of ours that trials may choose? */
static bool tried_reference(const struct offer *o)
{
    return o->reference && o->tried && !engine_by_mpi(o->engine);
}

/* Returns the fastest engine that is worth a trial beside the `many` in found[], or NULL. It may be a reference. */
static const struct offer *further_engine(const struct offer *list, const struct facts *f, const struct offer *const *found,
                                          int many)
{
    const struct offer *best = NULL;
    for (const struct offer *o = list + 1; o->engine; o++) {
        bool other = !o->barred || tried_reference(o);
        for (int i = 0; i < many && other; i++)
            other = worth(o, found[i], f, EQUAL_PREDICTION);
        if (other && (!best || o->seconds < best->seconds))
            best = o;
    }
    return best;
}

int choose_candidates(const struct settings *s, const struct policy *policy, const struct facts *f, int row[CANDIDATES],
                      double seconds[CANDIDATES])
{
    struct policy p = *policy;
    const bool file = p.shadow && policy_lessons(s), several = tries_many(s, f);
    /* A shadow trial is time lost: one engine is enough, unless trials cost little or the user asks for them. */
    const bool one = p.shadow && !several && !(s->dry_run && s->dry_trials);
    const struct offer *found[CANDIDATES] = {NULL}, *served = NULL;
    int rows, many = 0, count = 0;
    double least = INFINITY;
    if (p.refuses || p.picks != REASON_MODEL)
        return 0;
    struct offer *list = take(&for_call);
    if (file) { /* the engine that the model prefers is a candidate, too; the list that is made next has the same rows */
        make_list(s, &p, NULL, f, list);
        served = least_engine(list, true);
        p.keeps_bits = false;
    }
    p.brief = p.brief && !policy_lessons(s); /* trials for lessons are worth their time in short calls, too */
    rows = make_list(s, &p, NULL, f, list);
    found[many++] = list->barred ? NULL : list;
    found[many++] = least_engine(list, true);
    found[many++] = found[1] && !one ? second_engine(list, f, found[1]) : NULL;
    for (int n = 2; several && found[n] && n < SHORT_ENGINES; n++)
        found[many++] = further_engine(list, f, &found[1], n);
    for (int i = 1; i < many; i++)
        served = served == found[i] ? NULL : served;
    found[many++] = served;
    for (int i = 1; i < rows; i++)
        if (list[i].tried && !tried_reference(&list[i]))
            found[many++] = &list[i];
    for (int i = 0; i < many; i++)
        least = found[i] ? fmin(least, found[i]->seconds) : least;
    for (int i = 0; i < many; i++)
        if (found[i] && (found[i] == list || found[i]->seconds <= CANDIDATE_FACTOR * least)) {
            row[count] = engine_row(found[i]->engine);
            seconds[count++] = found[i]->seconds;
        }
    give_back(&for_call);
    return count;
}
