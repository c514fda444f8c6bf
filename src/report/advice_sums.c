/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sums of an advice; see advice_sums.h.
 *
 * Of calls that an engine would have served, the native and the engine's seconds are predicted. A prediction may be off by
 * the same factor for both, so their ratio alone counts: it is applied to the seconds that the calls took. What ranks wait
 * for each other no engine shortens, so that stays. No saving is below 0: who predicts that leaves the call native.
 */
#include "advice_sums.h"

#include <math.h>

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
    case REASON_DISABLED:
    case REASON_BAD_SETTING:
    case REASON_MISMATCH:
    case REASON_BAD_RULES:
    case REASON_NO_CONTEXT:
    case REASON_NO_MEMORY:
    case REASON_INTERCOMM:
    case REASON_OTHER_JOB:
    case REASON_INVALID:
    case REASON_NOT_APPLICABLE:
        return SORT_KEPT;
    default:
        return SORT_FAST;
    }
}

double saved_of(const struct tally *t, double waited)
{
    if (!(t->native > 0) || t->engine >= t->native)
        return 0;
    return t->predicted * (1 - fmax(waited, 0)) * (1 - t->engine / t->native);
}

/* Size by size: calls of about the same size have about the same ratio. */
double saved_by(const struct job *j, int collective)
{
    double saved = 0;
    for (const struct job_group *g = j->group[BY_SIZE]; g < j->group[BY_SIZE] + j->groups[BY_SIZE]; g++)
        if (collective == COLLECTIVES || (int)g->collective == collective)
            saved += saved_of(&g->engines, g->waited);
    return saved;
}

struct sums sums_of(const struct job *j)
{
    struct sums s = {.ranks = j->told > 0 ? j->told : 1};
    double most = 0;
    s.run = (j->run > 0 ? j->run : j->elapsed) - j->lost;
    s.calls = j->all.seconds / s.ranks;
    s.run = fmax(s.run, s.calls);
    s.saved = saved_by(j, COLLECTIVES) / s.ranks;
    s.waited = fmax(j->waited, 0) * s.calls;
    for (const struct job_group *g = j->group[BY_SERVICE]; g < j->group[BY_SERVICE] + j->groups[BY_SERVICE]; g++) {
        const enum sort sort = sort_of(g->reason);
        if (g->would != 0) {
            s.served += g->tally.calls;
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
