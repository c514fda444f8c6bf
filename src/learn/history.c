/* SPDX-License-Identifier: BSD-2-Clause */
/* The history: the trials of kinds of calls, and the results of these; see history.h. */
#include "history.h"

#include "common_start.h"
#include "hash.h"
#include "hot.h"
#include "own_memory.h"

#include <math.h>
#include <stddef.h>
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

void history_clear(struct history *h)
{
    memset(h, 0, offsetof(struct history, kind));
    for (int i = 0; i < KINDS; i++)
        if (h->kind[i].key)
            memset(&h->kind[i], 0, sizeof h->kind[i]);
}

void history_free(struct history *h)
{
    if (h)
        history_clear(h);
    own_memory_free_zeros(h);
}

/* ---- The next call --------------------------------------------------------------------------------------------------- */

static int live(const struct kind *k)
{
    int count = 0;
    for (int i = 0; i < k->candidates; i++)
        count += !k->dropped[i];
    return count;
}

/*
 * Returns the candidate whose turn it is. The program may alternate calls of two sizes. If each trial takes two calls, all
 * trials have the same size. Else each candidate gets calls of both sizes: an even number of candidates begins each round
 * with another one, and an odd number needs no such change.
 */
static int candidate_of(const struct kind *k)
{
    int count = live(k), left = (k->turn + (count % 2 ? 0 : k->round)) % count, i = 0;
    while (k->dropped[i] || left-- > 0)
        i++;
    return i;
}

HOT int kind_serves(const struct kind *k)
{
    if (k->shadow || k->state == KIND_NEW)
        return -1;
    return k->state == KIND_TRIED ? k->row[candidate_of(k)] : k->best;
}

int kind_tries(const struct kind *k)
{
    return k->shadow && k->state == KIND_TRIED ? k->row[candidate_of(k)] : -1;
}

bool kind_noisy(const struct kind *k)
{
    return k->spread > FAR_APART;
}

HOT void kind_count(struct kind *k, const struct facts *f, const struct timed *when)
{
    if (k->calls < UINT32_MAX - 1) /* a `next` of UINT32_MAX means never */
        k->calls++;
    k->bytes = f->bytes;
    if (when && k->noted < TIMED) {
        k->timed_bytes[k->noted] = f->bytes;
        k->timed[k->noted++] = *when;
    }
}

/* ---- Sync points ----------------------------------------------------------------------------------------------------- */

/* Returns the least predicted time per byte. */
static float least_predicted(const struct kind *k)
{
    float least = k->predicted[0];
    for (int i = 1; i < k->candidates; i++)
        least = fminf(least, k->predicted[i]);
    return least;
}

/* Are the kind's calls predicted to take at most this time? */
static bool takes_at_most(const struct kind *k, double seconds)
{
    return least_predicted(k) * (double)(INT64_C(1) << kind_size_class(k)) <= seconds;
}

/* Do the kind's calls go through shared memory, in little time? */
static bool kind_swift(const struct kind *k)
{
    return k->shares && takes_at_most(k, SHORT_MOST);
}

/* Are the kind's calls short? Trials of short calls have more rounds. */
static bool kind_short(const struct kind *k)
{
    return (INT64_C(1) << kind_size_class(k)) < SHORT_BYTES || kind_swift(k);
}

uint64_t kind_pause(const struct kind *k)
{
    return kind_swift(k) ? START_PAUSE : 0;
}

bool kind_warms(const struct kind *k)
{
    return takes_at_most(k, WARM_MOST) && (k->shadow || kind_short(k));
}

uint64_t kind_hash(uint64_t h, const struct kind *k)
{
    const float known[] = {k->seconds, k->native, k->spread};
    uint32_t bits[3];
    memcpy(bits, known, sizeof bits);
    const uint64_t words[] = {k->key,      k->state,   k->best,      k->round,  k->turn,        k->noted, k->calls, k->next,
                              k->confirms, k->checked, k->incumbent, k->warmed, k->implausible, bits[0],  bits[1],  bits[2]};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        h = hash_add(h, words[i]);
    for (int i = 0; i < k->candidates; i++)
        h = hash_add(h, k->row[i] + (k->dropped[i] ? 256u : 0));
    return h;
}

bool kind_warming(const struct kind *k)
{
    return k->state == KIND_TRIED && !k->shadow && !k->warmed && kind_warms(k);
}

/* Returns a hash of all that must be the same on all ranks. */
static uint64_t hash_of(const struct history *h, const struct kind *of)
{
    uint64_t hash = mix64(mix64(h->syncs) + of->key) + (uint64_t)of->bytes;
    for (int i = 0; i < of->noted; i++)
        hash = mix64(hash + (uint64_t)of->timed_bytes[i]);
    for (const struct kind *k = h->kind; k < h->kind + KINDS; k++)
        hash = k->key ? kind_hash(hash, k) : hash;
    return hash;
}

/* Returns the time of the calls since the last sync point, in nanoseconds. */
static uint64_t since_sync(const struct history *h)
{
    uint64_t ns = 0;
    for (const struct kind *k = h->kind; k < h->kind + KINDS; k++)
        if (k->calls > k->added) {
            const double seconds = k->seconds > 0 ? k->seconds : least_predicted(k);
            ns += (uint64_t)(1e9 * seconds * (double)k->bytes * (k->calls - k->added));
        }
    return ns;
}

void history_say(const struct history *h, const struct kind *k, const struct trial_budget *p, uint64_t word[WORDS])
{
    memset(word, 0, WORDS * sizeof word[0]);
    word[WORD_HASH] = hash_of(h, k);
    word[WORD_NOT_HASH] = ~word[WORD_HASH];
    word[WORD_LOST] = p->lost;
    word[WORD_NOT_SPENT] = ~(p->spent + since_sync(h));
    for (int i = 0; i < k->noted; i++) {
        word[WORD_PREEMPTED] += k->timed[i].preempted;
        word[WORD_TIMED + 2 * i] = k->timed[i].start;
        word[WORD_TIMED + 2 * i + 1] = k->timed[i].end;
    }
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

uint64_t history_spending(double seconds)
{
    return (uint64_t)(1e9 * seconds / TRIALS_SHARE);
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

/*
 * May trials begin? The time that earlier trials have lost, and that these trials will lose, must not exceed TRIALS_SHARE of
 * the time spent in calls, or the time of TRIALS_CALLS calls, whichever is more. Shadow trials of a kind that had some leave
 * a part of this to other kinds.
 */
static bool affordable(const struct kind *k, const uint64_t *word, double sync_ns)
{
    const int rounds = kind_short(k) ? SHORT_ROUNDS : ROUNDS, confirming = kind_short(k) ? CONFIRM_ROUNDS : 0,
              calls = kind_warms(k) ? 2 : 1;
    double least = least_predicted(k), more = 0, bytes = (double)k->bytes;
    for (int i = 0; i < k->candidates; i++) { /* two of them confirm the choice; here the first two stand for these */
        const double slower = (k->predicted[i] - (k->shadow ? 0 : least)) * bytes;
        more += (rounds + (i < 2 ? confirming : 0)) *
                (calls * slower + 1e-9 * (sync_ns * trial_syncs(k) + (double)kind_pause(k)));
    }
    double lost = 1e-9 * (double)word[WORD_LOST], spent = 1e-9 * (double)~word[WORD_NOT_SPENT];
    const double part = k->shadow && k->state == KIND_SETTLED ? AGAIN_SHARE : 1;
    return lost + more <= part * fmax(TRIALS_SHARE * spent, TRIALS_CALLS * least * bytes);
}

static void begin_trials(struct kind *k)
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

/* Takes the time of a trial. Drops the candidate if it could not be tried. Returns true if the trial settles the kind. */
static bool hear_trial(struct kind *k, const uint64_t *word, struct trial_budget *p)
{
    int candidate = candidate_of(k);
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
    if (live(k) == 0) {
        history_leave(k);
        return false;
    }
    charge(k, p);
    if (k->turn < live(k))
        return false;
    k->turn = 0;
    k->round++;
    if (!k->confirms && (k->round >= ROUNDS || !kind_short(k)))
        drop(k);
    if (!k->confirms && k->round >= SHORT_ROUNDS)
        drop_beaten(k);
    const bool over = k->round >= (!kind_short(k) ? ROUNDS : k->confirms ? CONFIRM_ROUNDS : FINAL_ROUNDS) || live(k) == 1;
    const int best = pick(k);
    const bool doubtful = kind_short(k) && !k->confirms && best != k->incumbent && incumbent_left(k);
    if (doubtful && (over || (k->round >= SHORT_ROUNDS && live(k) == 2)))
        confirm(k, best);
    else if (over)
        end_trials(k, best);
    return k->state == KIND_SETTLED;
}

static uint32_t twice(uint32_t calls)
{
    return calls < UINT32_MAX / 2 ? 2 * calls : UINT32_MAX;
}

/* Takes the times of an engine that was timed again. Returns true if the kind makes a rule only since this check. */
static bool hear_check(struct kind *k, const uint64_t *word, double sync_ns)
{
    const bool taught = kind_teaches(k);
    float sample[TIMED];
    for (int i = 0; i < TIMED; i++)
        sample[i] = cost(k, word, i);
    const struct samples found = look_at_samples(sample, TIMED);
    float now = found.median, before = k->seconds;
    /* Calls in a row overlap, and trials do not. So the first check may find times that are shorter than those of trials. */
    const bool faster = k->checked && now * DRIFT < before;
    k->next = twice(k->next);
    k->noted = 0;
    k->checked = true;
    if (now > DRIFT * before || faster) {
        if (affordable(k, word, sync_ns)) /* else the next check finds the change again */
            begin_trials(k);
        return false;
    }
    k->seconds = now;
    k->spread = found.most / found.least;
    return !taught && kind_teaches(k);
}

static void mark_added(struct history *h)
{
    for (struct kind *k = h->kind; k < h->kind + KINDS; k++)
        k->added = k->calls;
}

bool history_hear(struct history *h, struct kind *k, const uint64_t word[WORDS], double sync_ns, struct trial_budget *p)
{
    h->syncs++;
    if (word[WORD_HASH] != ~word[WORD_NOT_HASH]) {
        h->closed = true;
        return false;
    }
    p->lost += (uint64_t)sync_ns;
    p->spent += since_sync(h);
    mark_added(h);
    switch (k->state) {
    case KIND_TRIED:
        return hear_trial(k, word, p);
    case KIND_SETTLED:
        if (!k->shadow)
            return hear_check(k, word, sync_ns);
        /* fall through */
    default:
        if (affordable(k, word, sync_ns))
            begin_trials(k);
        else
            k->next = twice(k->next);
        return false;
    }
}
