/* SPDX-License-Identifier: BSD-2-Clause */
/* Splits all hosts by round trips: the sample by its pivots, other hosts by speakers; see doc/places. */
#include "infer_work.h"

#include <math.h>

enum {
    SAMPLE = 128,  /* most hosts */
    SPEAKERS = 32, /* most, of a part */
    REFUTED = 4,   /* most new searches; then nothing is split */
};
static const double SPLIT = 1.6; /* least fall of far[] .. */
static const double APART = 1.5; /* .. and of the median distances from the nearest two pivots */

static bool apart(const struct work *w, int pivots)
{
    double *first = w->nearest, *second = w->nearest + w->sample;
    int count = 0;
    for (int i = 0; i < w->sample; i++) {
        int own = nearest_pivot(w, i, pivots);
        double other = INFINITY;
        for (int k = 0; k < pivots; k++)
            if (k != own)
                other = fmin(other, *rtt_of(w, i, k));
        if (*rtt_of(w, i, own) > 0) {
            first[count] = *rtt_of(w, i, own);
            second[count++] = other;
        }
    }
    return infer_median(second, count) >= APART * infer_median(first, count);
}

static void count_parts(struct work *w)
{
    double best = 0;
    int pivots = 1;
    for (int k = 1; k < w->pivots; k++)
        if (w->far[k - 1] / w->far[k] > best) {
            best = w->far[k - 1] / w->far[k];
            pivots = k + 1;
        }
    w->parts = may_split(w) && best >= SPLIT && apart(w, pivots) ? pivots : 1;
    w->cut = w->parts > 1 ? sqrt(w->far[pivots - 2] * w->far[pivots - 1]) : SPLIT * w->far[0];
}

/* The parts' pivots ping each other again. *wrong: one that only seemed far, as it was busy; or -1. */
static bool verify(struct work *w, int *wrong)
{
    for (int a = 0; a < w->parts; a++)
        for (int b = 0; b < a; b++) {
            const int from = (a + b) % 2 ? a : b;
            add_probe(w, w->member[w->pivot[from]], w->member[w->pivot[a + b - from]], PINGS_SUREST);
        }
    if (!infer_ping(w))
        return false;
    const struct probe *p = w->probe;
    *wrong = -1;
    for (int a = 0; a < w->parts; a++)
        for (int b = 0; b < a; b++)
            *wrong = p++->least <= w->cut ? a : *wrong;
    return true;
}

static bool find_parts(struct work *w)
{
    int wrong = 0;
    if (!infer_first_pivot(w))
        return false;
    while (wrong >= 0) {
        if (!infer_find_pivots(w))
            return false;
        count_parts(w);
        if (!verify(w, &wrong))
            return false;
        if (wrong >= 0 && w->refuted++ == REFUTED) {
            w->parts = 1;
            w->cut = SPLIT * w->far[0];
            return true;
        }
        if (wrong >= 0)
            infer_pivots_without(w, w->pivot[wrong]);
    }
    return true;
}

/* Half of the median round trip from the first pivot to other parts or, without parts, to the sample. */
static double alpha_of(const struct work *w, double *scratch)
{
    int count = 0;
    double away = w->parts > 1 ? w->cut : 0;
    for (int i = 0; i < w->sample; i++)
        if (*rtt_of(w, i, 0) > away)
            scratch[count++] = *rtt_of(w, i, 0);
    return infer_median(scratch, count) / 2;
}

static void divide_sample(struct work *w)
{
    int speakers = 0;
    for (int host = 0; host < w->hosts; host++) {
        w->part[host] = -1;
        w->nearest[host] = INFINITY;
    }
    for (int i = 0; i < w->sample; i++) {
        const int part = nearest_pivot(w, i, w->parts), host = w->member[i];
        if (*rtt_of(w, i, part) <= w->cut) {
            w->part[host] = part;
            w->nearest[host] = *rtt_of(w, i, part);
        }
    }
    for (int part = 0; part < w->parts; part++) {
        w->start[part] = speakers;
        w->speaker[speakers++] = w->member[w->pivot[part]];
        for (int i = 0; i < w->sample && speakers < w->start[part] + SPEAKERS; i++)
            if (w->part[w->member[i]] == part && i != w->pivot[part] && !w->busy[w->member[i]])
                w->speaker[speakers++] = w->member[i];
    }
    w->start[w->parts] = speakers;
}

/* Hosts are spread over speakers; at time 1 another one than at time 0, if there are several. */
static int speaker_for(const struct work *w, int part, int host, int time)
{
    int speakers = w->start[part + 1] - w->start[part];
    return w->speaker[w->start[part] + (host / w->parts + time) % speakers];
}

/* Hosts join the nearest part, if it is near. */
static bool ask_speakers(struct work *w, int pings, int time)
{
    for (int turn = 0; turn < w->parts; turn++)
        for (int host = 0; host < w->hosts; host++)
            if (w->part[host] < 0)
                add_probe(w, speaker_for(w, (host + turn) % w->parts, host, time), host, pings);
    if (!infer_ping(w))
        return false;
    const struct probe *p = w->probe;
    for (int turn = 0; turn < w->parts; turn++)
        for (int host = 0; host < w->hosts; host++)
            if (w->part[host] < 0 && p++->least < w->nearest[host]) {
                w->nearest[host] = p[-1].least;
                w->scratch[host] = (host + turn) % w->parts;
            }
    for (int host = 0; host < w->hosts; host++)
        if (w->part[host] < 0 && w->nearest[host] <= w->cut)
            w->part[host] = w->scratch[host];
    return true;
}

/*
 * Orphans are near no part: the first one makes a part of those near it, and so on. With too many parts, or if may_split()
 * forbids, nothing is split.
 */
static bool gather_orphans(struct work *w)
{
    enum { GROUPS = 32 };
    for (int first = 0; first < w->hosts; first++) {
        const int orphan = w->member[first];
        if (w->part[orphan] >= 0)
            continue;
        if (w->groups == GROUPS || !may_split(w)) {
            w->parts = 1;
            w->groups = 0;
            return true;
        }
        if (w->parts + w->groups == 1)
            w->survey->place[0].alpha = w->nearest[orphan] / 2;
        w->part[orphan] = w->parts + w->groups++;
        w->nearest[orphan] = 0;
        for (int i = first + 1; i < w->hosts; i++)
            if (w->part[w->member[i]] < 0)
                add_probe(w, orphan, w->member[i], PINGS_SUREST);
        if (!infer_ping(w))
            return false;
        const struct probe *p = w->probe;
        for (int i = first + 1; i < w->hosts; i++)
            if (w->part[w->member[i]] < 0 && p++->least <= w->cut) {
                w->part[w->member[i]] = w->part[orphan];
                w->nearest[w->member[i]] = p[-1].least;
            }
    }
    return true;
}

bool infer_split(struct work *w)
{
    w->sample = w->hosts < SAMPLE ? w->hosts : SAMPLE;
    if (!find_parts(w))
        return false;
    w->survey->place[0].alpha = alpha_of(w, w->nearest);
    divide_sample(w);
    return ask_speakers(w, PINGS_LONG, 0) && ask_speakers(w, PINGS_SUREST, 1) && gather_orphans(w);
}
