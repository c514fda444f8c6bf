/* SPDX-License-Identifier: BSD-2-Clause */
/* Candidates of trials; see choose.h. */
#include "axis.h"
#include "constants.h"
#include "offer_list.h"

#include <math.h>

/*
 * Does one trial do for both? Their times, up to `margin`, and numbers of blocks are equal; or the ranks are two, where all
 * blocks go one way except in an allreduce, and the numbers are equal.
 */
static bool alike(const struct offer *o, const struct offer *other, const struct facts *f, double margin)
{
    if (f->ranks == 2 && collective_flow(f->collective) != FLOW_ALL_TO_ALL)
        return o->blocks == other->blocks;
    return o->blocks == other->blocks && o->seconds <= other->seconds * margin && other->seconds <= o->seconds * margin;
}

/* Worth a trial beside `other`? Of engines through a segment, one is enough: in a row their calls overlap, in trials not. */
static bool worth(const struct offer *o, const struct offer *other, const struct facts *f, double margin)
{
    const enum collective c = f->collective;
    return !(o->engine->serves[c].segment.cells && other->engine->serves[c].segment.cells) && !alike(o, other, f, margin);
}

/*
 * The best engine worth a trial beside `first`, of the other sort if there is one, a chain or not; or NULL. The model errs
 * most about chains.
 */
static const struct offer *second_engine(const struct offer *list, const struct facts *f, const struct offer *first)
{
    const struct offer *best[2] = {NULL, NULL}; /* [1]: of the other sort */
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

static bool tried_reference(const struct offer *o)
{
    return o->reference && o->tried && !engine_by_mpi(o->engine);
}

/* The fastest worth a trial beside found[0 .. many - 1], references too; or NULL. */
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

/* The engine that serves the class, if it costs hardly more than the best. */
static const struct offer *serving_engine(const struct offer *list, int incumbent)
{
    const struct offer *best = offers_least(list, true), *holder = &list[incumbent];
    return best && incumbent > 0 && !holder->barred && offers_hardly_dearer(holder, best) ? holder : best;
}

int choose_candidates(const struct settings *s, const struct policy *policy, const struct facts *f, struct choices *kept,
                      int row[CANDIDATES], double seconds[CANDIDATES])
{
    struct policy p = *policy;
    const bool file = p.shadow && p.writes, several = p.many;
    /* Shadow trials are time lost. */
    const bool one = p.shadow && !several && !(s->dry_run && s->dry_trials);
    const struct offer *found[CANDIDATES] = {NULL}, *served = NULL;
    const struct facts middle = choose_class(f);
    const double scale = (double)f->bytes / (double)middle.bytes;
    int rows, many = 0, count = 0;
    double least = INFINITY;
    if (p.refuses || p.picks != REASON_MODEL)
        return 0;
    const int incumbent = axis_pick(s, NULL, f, kept).row;
    HOLD(offers_of_call.lock);
    struct offer *list = offers_of_call.offer;
    if (file) { /* the model's choice, too; the next list has the same rows */
        offers_list(s, &p, NULL, f, &middle, list);
        served = serving_engine(list, incumbent);
        p.keeps_bits = false;
    }
    p.below = p.below && !p.writes; /* such trials are worth their time in short calls */
    rows = offers_list(s, &p, NULL, f, &middle, list);
    found[many++] = list->barred ? NULL : list;
    found[many++] = serving_engine(list, incumbent);
    found[many++] = found[1] && !one ? second_engine(list, f, found[1]) : NULL;
    for (int n = 2; several && found[n] && n < SHORT_ENGINES; n++)
        found[many++] = further_engine(list, f, &found[1], n);
    for (int i = 1; i < many; i++)
        served = served == found[i] ? NULL : served;
    found[many++] = served;
    for (int i = 1; i < rows && many < CANDIDATES; i++)
        if (list[i].tried && !tried_reference(&list[i]))
            found[many++] = &list[i];
    for (int i = 0; i < many; i++)
        least = found[i] ? fmin(least, found[i]->seconds) : least;
    for (int i = 0; i < many; i++)
        if (found[i] && (found[i] == list || found[i]->seconds <= CANDIDATE_FACTOR * least)) {
            row[count] = engine_row(found[i]->engine);
            seconds[count++] = found[i]->seconds * scale;
        }
    return count;
}
