/* SPDX-License-Identifier: BSD-2-Clause */
/* See choose.h. */
#include "choose.h"

#include "axis.h"
#include "constants.h"
#include "hash.h"
#include "model.h"
#include "offer_list.h"
#include "predict.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>

/* ---- The list -------------------------------------------------------------------------------------------------------- */

static bool gives_all(const struct service *service, const struct facts *f)
{
    const enum cells cells = service->segment.cells;
    return f->units <= INT_MAX && !service->work && !service->composed &&
           (cells == CELLS_NONE || (cells == CELLS_BLOCK && f->bytes <= f->machine->cell));
}

static void bar(struct offer *o, int row, const struct policy *p, const struct facts *f)
{
    const struct engine *e = o->engine;
    const struct service *service = &e->serves[f->collective];
    const bool shared_nodes = f->machine->nodes > 1 && f->machine->node_ranks > 1, native = engine_by_mpi(e);
    const bool staged = f->roots || f->readers != READERS_ALL, modelled = p->picks == REASON_MODEL;
    const bool ordered = p->order_counts && (p->keeps_bits || !p->shadow);
    const bool gains =
        (p->segment && service->segment.cells && !service->composed) || (p->lanes && service->composed) ||
        (service->model.below_if_distant && f->machine->distant && !p->order_counts); /* `distant' is measured */
    if (!(p->may.rows >> row & 1))
        o->barred = "not among the engines that may serve";
    else if (!policy_fits_shape(e, f, &p->shape))
        o->barred = !service->text.rounds ? "has no schedule for this collective"
                    : native && !algorithms_have(&f->machine->algorithms, f->collective, e->algorithm)
                        ? "an MPI library that can switch to it"
                    : staged ? "one root, and all ranks as readers"
                             : need_text(service->needs);
    else if (modelled && service->composed && !policy_lanes(f))
        o->barred = "too few ranks on a node, or a short call where ranks share no memory yet";
    else if (modelled && ordered && service->model.order_varies)
        o->barred = "the order of operands varies with the number of blocks";
    else if (modelled && e->made_for == MADE_FOR_ONE_A_NODE && shared_nodes)
        o->barred = "made for one rank a node";
    else if (modelled && e->made_for == MADE_FOR_MANY_A_NODE && !shared_nodes)
        o->barred = "made for several ranks a node";
    else if (p->below && !p->ruled && !native && !gains) {
        o->barred = "fewer bytes than the threshold";
        o->tried = p->writes;
    } else if (modelled && p->shares && !service->segment.cells && (!native || f->machine->oversubscribed)) {
        o->barred = "slower than memory that the ranks share";
        /* One message between two ranks, which MPI may copy once and a segment copies twice. */
        o->tried = f->collective == COLL_EXSCAN && f->ranks == 2 && service->executor.chained && !f->machine->oversubscribed;
    } else if (modelled && service->model.reference && !(service->model.as_native && !(p->may.rows & 1))) {
        o->barred =
            native ? "serves where it is named, or was the fastest in trials" : "a reference: it serves where it is named";
        o->reference = true;
        o->tried = native || p->many;
    }
    if (row > 0 && p->uncut && !gives_all(service, f))
        o->barred = "does not give a user-defined operation all elements at once";
}

static bool tried(const struct offer *o)
{
    return !o->barred || o->tried;
}

int offers_list(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f,
                const struct facts *at, struct offer *list)
{
    struct outlook outlook = outlook_of(s, rule, at, p->keeps_bits, &p->shape);
    int rows = 0;
    assert(engine_count() < OFFERS_MOST);
    for (; engines[rows]; rows++) {
        list[rows] = (struct offer){.engine = engines[rows]};
        bar(&list[rows], rows, p, f);
        if (tried(&list[rows]))
            predict_fitting(&outlook, at, &list[rows]);
    }
    list[rows] = (struct offer){.engine = NULL};
    if (outlook.anywhere)
        regret_list(&outlook, at, list);
    return rows;
}

int choose_list(const struct settings *s, const struct rule *rule, const struct facts *f, struct offer *list)
{
    const struct policy p = policy_of(s, rule, f);
    return offers_list(s, &p, rule, f, f, list);
}

/* ---- Lists ----------------------------------------------------------------------------------------------------------- */

/* Too long for a small stack. A list for a stage may be made while one for a call is in use. */
struct shared_offers offers_of_call = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct shared_offers offers_of_stage = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- The choice ------------------------------------------------------------------------------------------------------ */

/* By splitmix64 of the seed and the facts alone. */
static uint64_t draw(uint64_t seed, const struct facts *f)
{
    const uint64_t parts[] = {(uint64_t)f->collective, (uint64_t)f->ranks, (uint64_t)f->root,
                              (uint64_t)f->bytes,      (uint64_t)f->units, (uint64_t)f->op};
    uint64_t x = seed;
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        x = hash_add(x, parts[i]);
    return x;
}

static const struct offer *pick_random(const struct offer *list, uint64_t number, uint64_t count)
{
    uint64_t left = number % count;
    while (list->barred || left-- > 0)
        list++;
    return list;
}

/* All calls but the last one overlap with the next. */
static double cost_in_row(const struct offer *o, int calls)
{
    return o->cost - (1 - 1.0 / calls) * o->overlap;
}

const struct offer *offers_least(const struct offer *list, bool modelled)
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
 * The least regret, or native. By the model, an engine must be better by a margin. If its calls overlap, the margin counts
 * for an endless row; in PROGRAM_CALLS calls it must be better at all.
 */
static const struct offer *pick_least(const struct offer *list, bool modelled)
{
    const struct offer *best = offers_least(list, modelled);
    assert(best);
    const double endless = best->cost - best->overlap;
    const double bound = fmax(cost_in_row(best, PROGRAM_CALLS), endless * (modelled ? NATIVE_MARGIN : 1));
    return !list->barred && list->cost <= bound ? list : best;
}

struct plan offer_plan(const struct offer *o, enum reason reason)
{
    assert(o->engine && tried(o));
    return (struct plan){.engine = o->engine, .blocks = o->blocks, .wide = o->wide, .reason = reason};
}

struct plan choose_row(const struct settings *s, const struct rule *rule, const struct facts *f, int row)
{
    struct offer o = {.engine = engines[row]};
    choose_predict(s, rule, f, &o);
    assert(engine_by_mpi(o.engine) || o.blocks >= 1);
    return offer_plan(&o, REASON_FORCED);
}

int64_t choose_block(const struct settings *s, const struct facts *f, const struct plan *plan)
{
    const int64_t set = s->block[f->collective];
    const struct service *service = &plan->engine->serves[f->collective];
    if (engine_by_mpi(plan->engine))
        return 0;
    if (service->segment.cells || service->composed)
        return set; /* no figure changes the cut for cells or nodes */
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

static int engines_left(const struct offer *list)
{
    int count = 0;
    for (const struct offer *o = list + 1; o->engine; o++)
        count += !o->barred;
    return count;
}

static bool lacks_segment(const struct policy *p, const struct facts *f)
{
    const struct machine *m = f->machine;
    return m->shared_tried && !m->cell &&
           (m->one_node ? policy_segment(p, f->collective) : policy_composed(p, f->collective));
}

static struct pick pick_of(const struct policy *p, const struct offer *list, const struct offer *o)
{
    const bool native = p->picks == REASON_MODEL && o == list;
    return (struct pick){.row = (int)(o - list),
                         .lanes = (int)o->wide,
                         .reason = native ? REASON_NATIVE_FASTER : p->picks,
                         .picks = p->picks,
                         .below = p->below};
}

static struct pick pick_from(const struct policy *p, const struct facts *f, const struct offer *list)
{
    const int count = engines_left(list);
    if (count > 0)
        return pick_of(p, list,
                       p->picks == REASON_RANDOM ? pick_random(list, draw(p->may.seed, f), (uint64_t)count + !list[0].barred)
                                                 : pick_least(list, p->picks == REASON_MODEL));
    return (struct pick){.native = true, /* also if a rule names native alone */
                         .picks = p->picks,
                         .below = p->below,
                         .reason = p->picks == REASON_RULE && p->may.rows & 1 ? REASON_RULE
                                   : lacks_segment(p, f)                      ? REASON_NO_SHARED_MEMORY
                                   : p->below                                 ? REASON_BELOW_THRESHOLD
                                                                              : REASON_NOT_APPLICABLE};
}

bool offers_hardly_dearer(const struct offer *x, const struct offer *y)
{
    return x->cost <= y->cost * RETURN_MARGIN &&
           cost_in_row(x, PROGRAM_CALLS) <= cost_in_row(y, PROGRAM_CALLS) * RETURN_MARGIN;
}

struct pick offers_pick(const struct settings *s, const struct policy *p, const struct rule *rule, const struct facts *f,
                        const struct facts *at, const struct pick *below)
{
    HOLD(offers_of_call.lock);
    struct offer *list = offers_of_call.offer;
    offers_list(s, p, rule, f, at, list);
    struct pick pick = pick_from(p, at, list);
    if (!pick.native && below && !below->native) {
        const struct offer *held = &list[below->row];
        const bool returns = below->lost >> pick.row & 1;
        if (returns && !held->barred && offers_hardly_dearer(held, &list[pick.row]))
            pick = pick_of(p, list, held);
        pick.lost = below->lost | (pick.row != below->row ? (uint64_t)1 << below->row : 0);
    }
    return pick;
}

struct pick choose_pick(const struct settings *s, const struct rule *rule, const struct facts *f, const struct pick *below)
{
    const struct policy p = policy_of(s, rule, f);
    if (p.refuses)
        return (struct pick){.reason = p.refuses, .native = true};
    return offers_pick(s, &p, rule, f, f, below);
}

bool offers_may_serve(const struct policy *p, const struct facts *f, int row, bool trial)
{
    struct offer o = {.engine = engines[row]};
    bar(&o, row, p, f);
    return trial ? tried(&o) : !o.barred;
}

/* ---- Stages ---------------------------------------------------------------------------------------------------------- */

static struct policy policy_of_stage(const struct facts *f)
{
    struct policy p = {.shape = choose_shape(f, 1), .picks = REASON_MODEL, .order_counts = facts_order_counts(f)};
    p.may.rows = ~UINT64_C(1); /* all but native */
    p.shares = p.shape.depth > 0;
    return p;
}

uint64_t choose_stage_rows(const struct facts *f)
{
    const struct policy p = policy_of_stage(f);
    uint64_t rows = 0;
    for (int row = 1; engines[row]; row++) {
        struct offer o = {.engine = engines[row]};
        if (!o.engine->serves[f->collective].generate)
            continue;
        bar(&o, row, &p, f);
        rows |= (uint64_t)!o.barred << row;
    }
    return rows;
}

struct plan choose_stage(const struct settings *s, const struct rule *rule, const struct facts *f)
{
    struct rule figures = rule ? *rule : rule_blank;
    struct policy p = policy_of_stage(f);
    HOLD(offers_of_stage.lock);
    struct offer *list = offers_of_stage.offer;
    figures.block = 0; /* that is for the whole call */
    p.keeps_bits = policy_keeps_bits(s, f);
    offers_list(s, &p, &figures, f, f, list);
    for (struct offer *o = list; o->engine; o++)
        o->overlap = 0; /* other nodes have their turn between two stages */
    return offer_plan(offers_least(list, true), REASON_MODEL);
}
