/* SPDX-License-Identifier: BSD-2-Clause */
/* Judges trials; see judge.h. */
#include "judge.h"

#include "common_start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The constants of the history. pleach(7) promises them, except FAR_BEHIND, HOPELESS, AGAIN_SHARE and FAR_APART. These four
 * and SETTLE_MARGIN are by hand.
 */
#define FAR_BEHIND 1.5     /* a candidate is dropped if its shortest time exceeds the best one's longest by this factor */
#define HOPELESS 10        /* stands in for FAR_BEHIND after the first round */
#define SETTLE_MARGIN 1.05 /* a candidate replaces native, or `held`, only if that takes longer by at least this factor */
#define DRIFT 1.5          /* a settled kind has new trials if its time has grown or shrunk by more than this factor */
#define AGAIN_SHARE 0.5    /* this part of that if they are shadow trials that begin anew */
#define FAR_APART 2.0      /* a kind is noisy if its best one's longest time exceeds the shortest by this factor */
enum { NOISY_CHECK = 8 };  /* FIRST_CHECK of a noisy kind */

bool kind_noisy(const struct kind *k)
{
    return k->spread > FAR_APART;
}

/* Returns the time of timed call i, from the latest start on any rank to the latest end, in seconds per byte. */
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

/* Returns the least, the median and the most of `count` >= 1 samples; see struct samples. */
static struct samples look_at_samples(const float *sample, int count)
{
    float sorted[FINAL_ROUNDS];
    const int outer = (count - 1) / 4;
    memcpy(sorted, sample, (size_t)count * sizeof *sample);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    return (struct samples){sorted[outer], (sorted[(count - 1) / 2] + sorted[count / 2]) / 2, sorted[count - 1 - outer]};
}

/* Returns the times of a candidate's trials so far; all 0 if it had none. */
static struct samples trials_of(const struct kind *k, int candidate)
{
    float sample[FINAL_ROUNDS];
    int count = 0;
    for (int r = 0; r < FINAL_ROUNDS; r++)
        if (k->sample[candidate][r] > 0)
            sample[count++] = k->sample[candidate][r];
    return count ? look_at_samples(sample, count) : (struct samples){0};
}

/* The number of the candidate with this row; -1: none. */
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

/* Has the candidate had a trial? It has none if it did not fit the call at its turn, or if memory was short. */
static bool tried(const struct kind *k, int candidate)
{
    return trials_of(k, candidate).median > 0;
}

static bool all_tried(const struct kind *k)
{
    bool all = true;
    for (int i = 0; i < k->candidates; i++)
        all = all && tried(k, i);
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

/*
 * All-reduces and waits of a trial, counted as sync points. Each trial follows its sync point and ends with an all-reduce. A
 * shadow trial has up to two more all-reduces. The wait for a common start takes about as long as an all-reduce. A call of
 * the program that does not count takes a sync point alone.
 */
static int trial_syncs(const struct kind *k)
{
    return k->shadow ? 5 : kind_warms(k) ? 4 : 3;
}

bool judge_affordable(const struct kind *k, const uint64_t *word, double sync_ns)
{
    const int rounds = kind_short(k) ? SHORT_ROUNDS : ROUNDS, confirming = kind_short(k) ? CONFIRM_ROUNDS : 0,
              calls = kind_warms(k) ? 2 : 1;
    double least = kind_least_predicted(k), more = 0, bytes = (double)k->bytes;
    for (int i = 0; i < k->candidates; i++) { /* two of them confirm the choice; here the first two stand for these */
        const double slower = (k->predicted[i] - (k->shadow ? 0 : least)) * bytes;
        more += (rounds + (i < 2 ? confirming : 0)) *
                (calls * slower + 1e-9 * (sync_ns * trial_syncs(k) + (double)kind_pause(k)));
    }
    double lost = 1e-9 * (double)word[WORD_LOST], spent = 1e-9 * (double)~word[WORD_NOT_SPENT];
    const double part = k->shadow && k->state == KIND_SETTLED ? AGAIN_SHARE : 1;
    return lost + more <= part * fmax(TRIALS_SHARE * spent, TRIALS_CALLS * least * bytes);
}

void judge_begin(struct kind *k)
{
    k->state = KIND_TRIED;
    k->before += k->calls;
    k->calls = k->added = 0;
    k->noted = k->round = k->turn = 0;
    k->trials = k->preempted = 0;
    memset(k->dropped, 0, sizeof k->dropped);
    memset(k->sample, 0, sizeof k->sample);
    k->confirms = k->checked = k->warmed = false;
    k->charged = k->earlier = 0;
}

/*
 * Drops each candidate whose shortest time is far above the longest time of the best. After the first round, "far" is a
 * larger factor: the first trial of a candidate may be slow only because it opens connections or uses new memory.
 */
static void drop(struct kind *k)
{
    float best = INFINITY, factor = k->round > 1 ? FAR_BEHIND : HOPELESS;
    for (int i = 0; i < k->candidates; i++)
        if (!k->dropped[i])
            best = fminf(best, trials_of(k, i).most);
    for (int i = 0; i < k->candidates; i++)
        k->dropped[i] |= trials_of(k, i).least > factor * best;
}

/* Returns the first of the fastest candidates. */
static int fastest(const struct kind *k)
{
    int best = -1;
    for (int i = 0; i < k->candidates; i++)
        if (!k->dropped[i] && (best < 0 || trials_of(k, i).median * EQUAL_MARGIN < trials_of(k, best).median))
            best = i;
    return best;
}

/*
 * Drops each candidate whose median is above the longest time of the best candidate. The best candidate itself stays, and so
 * does the one that another has to beat by a margin.
 */
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

/* Returns the best one: k->incumbent if it is still a candidate and not clearly beaten, else the first of the best ones. */
static int pick(const struct kind *k)
{
    const int best = fastest(k);
    return incumbent_left(k) && trials_of(k, best).median * SETTLE_MARGIN > trials_of(k, k->incumbent).median ? k->incumbent
                                                                                                              : best;
}

/*
 * Begins the trials that confirm a choice: k->incumbent and the best candidate have new trials, and their old ones do not
 * count.
 * Of many candidates whose times are noise, the best one seems faster than it is, and all its trials may have had luck.
 */
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
 * Charges the budget with what the trials of the kind have lost so far: with shadow trials all their time, else the time by
 * which they were slower than the best candidate. Calls that do not count are taken to be as slow as their trials. A
 * communicator may be freed before its kinds are settled, so this comes after each trial. Trials that confirm a choice come
 * on top of the earlier ones.
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

/* Keeps the times of trials that have settled the kind, and compares them with those before; see kind_doubt(). */
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

/* Returns the candidate that comes next after the best one: native or, if that is the best, the fastest engine; -1: none. */
static int rival_of(const struct kind *k, int best)
{
    int rival = -1;
    for (int i = 0; i < k->candidates; i++)
        if (tried(k, i) && (k->row[i] == 0) != (k->row[best] == 0) &&
            (rival < 0 || trials_of(k, i).median < trials_of(k, rival).median))
            rival = i;
    return rival;
}

/* Is the best candidate faster than the model can explain? See PLAUSIBLE. */
static bool beyond_model(const struct kind *k, int best)
{
    const int rival = rival_of(k, best);
    return rival >= 0 &&
           trials_of(k, rival).median / k->predicted[rival] > PLAUSIBLE * trials_of(k, best).median / k->predicted[best];
}

/* The trials have found the best candidate. Settles the kind, unless there must be later trials. */
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
    /* Calls in a row overlap, and trials do not. So the first check may find times that are shorter than those of trials. */
    const bool faster = k->checked && now * DRIFT < before;
    k->next = judge_twice(k->next);
    k->noted = 0;
    k->checked = true;
    if (now > DRIFT * before || faster) {
        if (judge_affordable(k, word, sync_ns)) /* else the next check finds the change again */
            judge_begin(k);
        return false;
    }
    k->seconds = now;
    k->spread = found.most / found.least;
    return !taught && kind_teaches(k);
}
