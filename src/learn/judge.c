/* SPDX-License-Identifier: BSD-2-Clause */
/* See judge.h. */
#include "judge.h"

#include "common_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All factors of times. */
#define FAR_BEHIND 1.5     /* of the best one's longest time: drops a candidate whose shortest is above */
#define HOPELESS 10        /* instead, after the first round */
#define SETTLE_MARGIN 1.05 /* by which a candidate must beat the incumbent */
#define DRIFT 1.5          /* a settled kind whose time changes by more has new trials */
#define AGAIN_SHARE 0.5    /* of DRIFT, for shadow trials that begin anew */
#define FAR_APART 2.0      /* longest over shortest time of a noisy kind's best one */
enum { NOISY_CHECK = 8 };  /* FIRST_CHECK of a noisy kind */

bool kind_noisy(const struct kind *k)
{
    return k->spread > FAR_APART;
}

/* The time of timed call i, from the latest start to the latest end, in seconds per byte. */
static float cost(const struct kind *k, const uint64_t *word, int i)
{
    uint64_t start = word[WORD_TIMED + 2 * i], end = word[WORD_TIMED + 2 * i + 1];
    double ns = end > start ? (double)(end - start) : 1;
    return (float)(1e-9 * ns / (double)k->timed_bytes[i]);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* count >= 1 */
static struct samples look_at_samples(const float *sample, int count)
{
    float sorted[FINAL_ROUNDS];
    const int outer = (count - 1) / 4;
    memcpy(sorted, sample, (size_t)count * sizeof *sample);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return (struct samples){sorted[outer], (sorted[(count - 1) / 2] + sorted[count / 2]) / 2, sorted[count - 1 - outer]};
}

/* All 0 if it had none. */
static struct samples trials_of(const struct kind *k, int candidate)
{
    float sample[FINAL_ROUNDS];
    int count = 0;
    for (int r = 0; r < FINAL_ROUNDS; r++)
        if (k->sample[candidate][r] > 0)
            sample[count++] = k->sample[candidate][r];
    return count ? look_at_samples(sample, count) : (struct samples){0};
}

static int candidate_with(const struct kind *k, int row)
{
    for (int i = 0; i < k->candidates; i++)
        if (k->row[i] == row)
            return i;
    return -1;
}

struct samples kind_told(const struct kind *k, int row)
{
    const int i = candidate_with(k, row);
    return i < 0 ? (struct samples){0} : k->told[i];
}

float kind_doubt(struct kind *k)
{
    const float owed = k->owed;
    k->owed = 0;
    return owed + k->apart * k->told[0].median;
}

/* False if it did not fit the call at its turn, or memory was short. */
static bool tried(const struct kind *k, int candidate)
{
    return trials_of(k, candidate).median > 0;
}

/* Is it an algorithm of the MPI library, but not the library's choice? */
static bool is_own(const struct kind *k, int candidate)
{
    return engines[k->row[candidate]]->algorithm != ALGORITHM_NONE;
}

static bool all_tried(const struct kind *k)
{
    bool all = true;
    for (int i = 0; i < k->candidates; i++)
        all = all && (tried(k, i) || (!k->own && is_own(k, i)));
    return all;
}

bool kind_teaches(const struct kind *k)
{
    const struct samples best = kind_told(k, k->best), native = kind_told(k, 0);
    const int noisy = kind_noisy(k) + (native.most > FAR_APART * native.least);
    return all_tried(k) && (noisy == 0 || (noisy == 1 && best.most < native.least));
}

bool kind_disturbed(const struct kind *k)
{
    return 4 * k->preempted > k->trials;
}

/* All-reduces and waits of a trial, as a number of sync points. */
static int trial_syncs(const struct kind *k)
{
    return k->shadow ? 5 : kind_warms(k) ? 4 : 3;
}

/* Trials of all candidates, or of all but those of is_own()? */
static bool affordable(const struct kind *k, const uint64_t *word, double sync_ns, bool own)
{
    const int rounds = kind_short(k) ? SHORT_ROUNDS : ROUNDS, confirming = kind_short(k) ? CONFIRM_ROUNDS : 0,
              calls = kind_warms(k) ? 2 : 1;
    double least = kind_least_predicted(k), more = 0, bytes = (double)k->bytes;
    for (int i = 0; i < k->candidates; i++) { /* two of them confirm; the first two stand for these */
        if (!own && is_own(k, i))
            continue;
        const double slower = (k->predicted[i] - (k->shadow ? 0 : least)) * bytes;
        more += (rounds + (i < 2 ? confirming : 0)) *
                (calls * slower + 1e-9 * (sync_ns * trial_syncs(k) + (double)kind_pause(k)));
    }
    double lost = 1e-9 * (double)word[WORD_LOST], spent = 1e-9 * (double)~word[WORD_NOT_SPENT];
    const double part = k->shadow && k->state == KIND_SETTLED ? AGAIN_SHARE : 1;
    return lost + more <= part * fmax(TRIALS_SHARE * spent, TRIALS_CALLS * least * bytes);
}

static int candidates_but_own(const struct kind *k)
{
    int count = 0;
    for (int i = 0; i < k->candidates; i++)
        count += !is_own(k, i);
    return count;
}

bool judge_begin(struct kind *k, const uint64_t *word, double sync_ns)
{
    const bool all = affordable(k, word, sync_ns, true);
    if (!all && (k->shadow || candidates_but_own(k) < 2 || !affordable(k, word, sync_ns, false)))
        return false;
    k->own = all;
    k->state = KIND_TRIED;
    k->before += k->calls;
    k->calls = k->added = 0;
    k->noted = k->round = k->turn = 0;
    k->trials = k->preempted = 0;
    for (int i = 0; i < k->candidates; i++)
        k->dropped[i] = !all && is_own(k, i);
    memset(k->sample, 0, sizeof k->sample);
    k->confirms = k->checked = k->warmed = false;
    k->charged = k->earlier = 0;
    return true;
}

/* After the first round only hopeless ones: first trials may open connections. */
static void drop(struct kind *k)
{
    float best = INFINITY, factor = k->round > 1 ? FAR_BEHIND : HOPELESS;
    for (int i = 0; i < k->candidates; i++)
        if (!k->dropped[i])
            best = fminf(best, trials_of(k, i).most);
    for (int i = 0; i < k->candidates; i++)
        k->dropped[i] |= trials_of(k, i).least > factor * best;
}

static int fastest(const struct kind *k)
{
    int best = -1;
    for (int i = 0; i < k->candidates; i++)
        if (!k->dropped[i] && (best < 0 || trials_of(k, i).median * EQUAL_MARGIN < trials_of(k, best).median))
            best = i;
    return best;
}

/* By their medians. The best one stays, and so does the incumbent. */
static void drop_beaten(struct kind *k)
{
    const int best = fastest(k);
    const float most = trials_of(k, best).most;
    for (int i = 0; i < k->candidates; i++)
        k->dropped[i] |= i != best && i != k->incumbent && trials_of(k, i).median > most;
}

static bool incumbent_left(const struct kind *k)
{
    return k->incumbent < k->candidates && !k->dropped[k->incumbent];
}

/* The incumbent, unless it is clearly beaten; else the first of the best. */
static int pick(const struct kind *k)
{
    const int best = fastest(k);
    return incumbent_left(k) && trials_of(k, best).median * SETTLE_MARGIN > trials_of(k, k->incumbent).median ? k->incumbent
                                                                                                              : best;
}

/* Only the incumbent and the best one go on: of many noisy candidates, the best one may have been lucky. */
static void confirm(struct kind *k, int best)
{
    for (int i = 0; i < k->candidates; i++) {
        k->dropped[i] = i != k->incumbent && i != best;
        if (!k->dropped[i])
            memset(k->sample[i], 0, sizeof k->sample[i]);
    }
    k->confirms = true;
    k->earlier = k->charged;
    k->round = k->turn = 0;
}

/*
 * Charges what trials have lost so far: all time of shadow trials, else what exceeds the best one. After each trial, as a
 * communicator may be freed at any time. Confirming trials come on top.
 */
static void charge(struct kind *k, struct trial_budget *p)
{
    float least = k->shadow ? 0 : INFINITY, lost = k->earlier;
    for (int i = 0; i < k->candidates; i++)
        if (tried(k, i))
            least = fminf(least, trials_of(k, i).median);
    for (int i = 0; i < k->candidates; i++)
        for (int r = 0; r < FINAL_ROUNDS && !(k->confirms && k->dropped[i]); r++)
            if (k->sample[i][r] > least)
                lost += (k->sample[i][r] - least) * (!k->shadow && kind_warms(k) ? 2 : 1);
    if (lost > k->charged) {
        p->lost += (uint64_t)(1e9 * (double)(lost - k->charged) * (double)k->bytes);
        k->charged = lost;
    }
}

/* Also compares them with those before; see kind_doubt(). */
static void keep_times(struct kind *k, int best)
{
    float apart = 0;
    const float native = trials_of(k, 0).median, before = k->told[0].median;
    for (int i = 0; i < k->candidates; i++) {
        const struct samples now = trials_of(k, i);
        const bool counts = i == best || i == k->incumbent || k->row[i] == k->best;
        if (counts && native > 0 && before > 0 && now.median > 0 && k->told[i].median > 0)
            apart = fmaxf(apart, fabsf(now.median / native - k->told[i].median / before));
        k->told[i] = now;
    }
    k->owed += fmaxf(apart - k->apart, 0) * before * (float)(k->before - k->told_from);
    k->apart = apart;
    k->told_from = k->before;
}

static uint32_t until_again(const struct kind *k)
{
    return !k->again                 ? UINT32_MAX
           : k->before < FIRST_CHECK ? FIRST_CHECK
           : k->before < UINT32_MAX  ? (uint32_t)k->before
                                     : UINT32_MAX;
}

static void settle_kind(struct kind *k, int best)
{
    const struct samples found = trials_of(k, best);
    k->state = KIND_SETTLED;
    k->before += k->calls;
    keep_times(k, best);
    k->best = k->row[best];
    k->seconds = found.median;
    k->native = k->row[0] == 0 ? trials_of(k, 0).median : 0;
    k->spread = found.most / found.least;
    k->calls = k->added = 0;
    k->next = k->shadow ? until_again(k) : kind_noisy(k) ? NOISY_CHECK : FIRST_CHECK;
}

/* Native or, if that is the best, the fastest engine; -1: none. */
static int rival_of(const struct kind *k, int best)
{
    int rival = -1;
    for (int i = 0; i < k->candidates; i++)
        if (tried(k, i) && (k->row[i] == 0) != (k->row[best] == 0) &&
            (rival < 0 || trials_of(k, i).median < trials_of(k, rival).median))
            rival = i;
    return rival;
}

static bool beyond_model(const struct kind *k, int best)
{
    const int rival = rival_of(k, best);
    return rival >= 0 &&
           trials_of(k, rival).median / k->predicted[rival] > PLAUSIBLE * trials_of(k, best).median / k->predicted[best];
}

/* Settles the kind, unless later trials must say the same. */
static void end_trials(struct kind *k, int best)
{
    if (k->implausible || !beyond_model(k, best)) {
        settle_kind(k, best);
        return;
    }
    k->implausible = true;
    k->state = KIND_NEW;
    k->before += k->calls;
    k->calls = k->added = 0;
    k->next = FIRST_CHECK;
}

bool judge_trial(struct kind *k, const uint64_t *word, struct trial_budget *p)
{
    int candidate = kind_candidate(k);
    k->warmed = k->noted && kind_warming(k);
    if (k->warmed) {
        k->noted = 0;
        return false;
    }
    if (k->noted)
        k->sample[candidate][k->round] = cost(k, word, 0);
    else
        k->dropped[candidate] = true;
    k->trials++;
    k->preempted += word[WORD_PREEMPTED] > 0;
    k->turn += k->noted;
    k->noted = 0;
    if (kind_live(k) == 0) {
        history_leave(k);
        return false;
    }
    charge(k, p);
    if (k->turn < kind_live(k))
        return false;
    k->turn = 0;
    k->round++;
    if (!k->confirms && (k->round >= ROUNDS || !kind_short(k)))
        drop(k);
    if (!k->confirms && k->round >= SHORT_ROUNDS)
        drop_beaten(k);
    const bool over = k->round >= (!kind_short(k) ? ROUNDS
                                   : k->confirms  ? CONFIRM_ROUNDS
                                                  : FINAL_ROUNDS) ||
                      kind_live(k) == 1;
    const int best = pick(k);
    const bool doubtful = kind_short(k) && !k->confirms && best != k->incumbent && incumbent_left(k);
    if (doubtful && (over || (k->round >= SHORT_ROUNDS && kind_live(k) == 2)))
        confirm(k, best);
    else if (over)
        end_trials(k, best);
    return k->state == KIND_SETTLED;
}

uint32_t judge_twice(uint32_t calls)
{
    return calls < UINT32_MAX / 2 ? 2 * calls : UINT32_MAX;
}

bool judge_check(struct kind *k, const uint64_t *word, double sync_ns)
{
    const bool taught = kind_teaches(k);
    float sample[TIMED];
    for (int i = 0; i < TIMED; i++)
        sample[i] = cost(k, word, i);
    const struct samples found = look_at_samples(sample, TIMED);
    float now = found.median, before = k->seconds;
    /* Calls in a row overlap, trials do not: a first check may find shorter times. */
    const bool faster = k->checked && now * DRIFT < before;
    k->next = judge_twice(k->next);
    k->noted = 0;
    k->checked = true;
    if (now > DRIFT * before || faster || (!k->own && affordable(k, word, sync_ns, true))) {
        judge_begin(k, word, sync_ns); /* else the next check finds the change again */
        return false;
    }
    k->seconds = now;
    k->spread = found.most / found.least;
    return !taught && kind_teaches(k);
}
