/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sums behind the advice, and behind the gain of a run that was not dry; see advice_sums.h.
 *
 * Trials measure two times of a call, the native one and the engine's. Where there were no trials, the model predicts both.
 * Both may be off by the same factor, as the calls of a program run under other conditions than trials. So only their ratio
 * counts, one for each size class of a collective. The sums apply it to the seconds of the calls, less the seconds in which
 * ranks waited. They do so for the calls of each size class from each site: any sum of savings adds up some of these.
 *
 * Trials have noise, the spread of their times; a difference below the noise counts as none. The model errs, and no trial
 * corrects it. So the saving that it predicts is the most that the advice claims. The least is the saving that remains if
 * the model favours engines by its whole error.
 */
#include "advice_sums.h"

#include <math.h>
#include <string.h>

/*
 * The factor by which the model may err, chosen by hand. One error was larger, about 2.3: an engine that was predicted to
 * make all-reduces 3 times as fast made them 1.3 times as fast.
 */
static const double MODEL_ERRS = 2;
static const double SPEAKS = 0.5; /* if trials stand for this share of a group's time, they count for the whole group */

static enum sort sort_of(enum reason r)
{
    switch (r) {
    case REASON_BELOW_THRESHOLD:
    case REASON_ZERO_BYTES:
        return SORT_SMALL;
    case REASON_OVERSUBSCRIBED:
        return SORT_CROWDED;
    case REASON_ONE_RANK:
        return SORT_ALONE;
    case REASON_NONE:
    case REASON_MODEL:
    case REASON_LEARNED:
    case REASON_TRIAL:
    case REASON_RANDOM:
    case REASON_NATIVE_FASTER:
        return SORT_FAST;
    default:
        return SORT_KEPT;
    }
}

/* The time of a tally's calls as the program made them: natively in a dry run, else by engines. */
static double as_made(const struct job *j, const struct tally *t)
{
    return j->dry ? t->native : t->engine;
}

/*
 * The factor by which the model errs for calls of a group: the larger of MODEL_ERRS and the model's error for this group's
 * calls as they were made. Infinite if that error is unknown.
 */
static double model_errs(const struct job *j, const struct job_group *g)
{
    const double off = g->whole * (double)g->modelled.calls / as_made(j, &g->modelled);
    return off > 0 ? fmax(MODEL_ERRS, fmax(off, 1 / off)) : INFINITY;
}

/* Adds the saving in calls that took `seconds`, by trials of such calls. */
static void claim_tried(const struct job *j, struct claim *c, const struct tally *t, double seconds)
{
    const double scale = seconds / as_made(j, t), saved = scale * (t->native - t->engine), noise = scale * t->noise;
    if (fabs(saved) <= noise) {
        c->unclear += fabs(saved);
        return;
    }
    c->least += saved - noise;
    c->likely += saved;
    c->most += saved + noise;
    c->measured += saved;
}

/*
 * Adds the saving that the model predicts. In a dry run, if the model predicts no saving, the choice leaves the calls
 * native.
 */
static void claim_modelled(const struct job *j, struct claim *c, const struct tally *t, double seconds, double errs)
{
    const double gain = t->native / t->engine;
    if (!(t->engine > 0) || (j->dry && gain <= 1))
        return;
    /* Some calls take long for reasons of their own, such as setup: natively, no call takes much longer than predicted. */
    const double most = j->dry ? INFINITY : MODEL_ERRS * t->native,
                 saved = fmin(seconds * (j->dry ? 1 - 1 / gain : gain - 1), most);
    c->least += fmin(seconds * (j->dry ? fmax(1 - errs / gain, 0) : gain / errs - 1), most);
    c->likely += saved;
    c->most += saved;
}

/* Do trials of some of a group's calls count for all its calls? If not, the model's predictions count for the rest. */
static bool trials_speak(const struct job_group *g)
{
    return g->tried.native > 0 && g->tried.predicted >= SPEAKS * (g->tried.predicted + g->modelled.predicted);
}

const struct job_group *size_group(const struct job *j, enum collective c, int size)
{
    for (const struct job_group *g = j->group[BY_SIZE]; g < j->group[BY_SIZE] + j->groups[BY_SIZE]; g++)
        if (g->collective == c && g->size == size)
            return g;
    return NULL;
}

bool gain_is_known(const struct job *j)
{
    return j->dry || (!j->crowded && !strstr(j->settings, "PLEACH_VERIFY=yes"));
}

struct claim claim_of(const struct job *j, const struct job_group *part)
{
    const struct job_group *found = size_group(j, part->collective, part->size);
    const struct job_group *like = found ? found : part; /* a damaged report may lack the group */
    const double waited = part->waited < 0 ? like->waited : part->waited;
    const double moved = 1 - fmax(waited, 0); /* the part of the time in which a rank does not wait */
    const bool speak = trials_speak(like);
    struct claim c = {0};
    if (!gain_is_known(j))
        return c;
    if (like->tried.native > 0 && like->tried.engine > 0)
        claim_tried(j, &c, &like->tried, moved * (part->tried.predicted + (speak ? part->modelled.predicted : 0)));
    if (like->modelled.native > 0 && !speak)
        claim_modelled(j, &c, &like->modelled, moved * part->modelled.predicted, model_errs(j, like));
    return c;
}

double saved_by(const struct job *j, enum collective c)
{
    double saved = 0;
    for (const struct job_group *p = j->group[BY_SIZE_AND_SITE]; p < parts_end(j); p++)
        saved += p->collective == c ? claim_of(j, p).likely : 0;
    return saved;
}

static void claim_add(struct claim *sum, const struct claim *c, double ranks)
{
    sum->least += c->least / ranks;
    sum->likely += c->likely / ranks;
    sum->most += c->most / ranks;
    sum->measured += c->measured / ranks;
    sum->unclear += c->unclear / ranks;
}

struct advice_totals sums_of(const struct job *j)
{
    struct advice_totals s = {.ranks = j->reported > 0 ? j->reported : 1};
    double most = 0;
    s.run = (j->run > 0 ? j->run : j->elapsed) - (j->dry ? j->lost : 0);
    s.calls = j->all.seconds / s.ranks;
    s.run = fmax(s.run, s.calls);
    for (const struct job_group *p = j->group[BY_SIZE_AND_SITE]; p < parts_end(j); p++) {
        const struct claim c = claim_of(j, p);
        claim_add(&s.saved, &c, s.ranks);
    }
    s.waited = fmax(j->waited, 0) * s.calls;
    for (const struct job_group *g = j->group[BY_SIZE]; g < j->group[BY_SIZE] + j->groups[BY_SIZE]; g++) {
        s.tried |= g->tried.native > 0;
        s.modelled |= g->modelled.native > 0 && !trials_speak(g);
    }
    for (const struct job_group *g = j->group[BY_SERVICE]; g < j->group[BY_SERVICE] + j->groups[BY_SERVICE]; g++) {
        const enum sort sort = sort_of(g->reason);
        if (g->would != 0) {
            const struct service *by = &engines[g->would]->serves[g->collective];
            s.served += g->tally.calls;
            s.shares |= by->segment.cells || by->composed;
            continue;
        }
        s.native[sort] += g->tally.seconds / s.ranks;
        if (sort == SORT_KEPT && g->tally.seconds > most) {
            most = g->tally.seconds;
            s.kept = g->reason;
        }
    }
    return s;
}
