/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Splits all hosts by round trips. A sample of the hosts has pivots, which show how many parts there are: the largest fall
 * of far[] (infer_pivots.c) comes when each part has one pivot. A host of the sample that is near a pivot lies in the part
 * of this pivot. Some hosts of each part are its speakers: they ping the hosts outside the sample, each of which joins the
 * nearest part. Hosts near no part lie in parts that the sample has missed.
 */
#include "infer_work.h"

#include <math.h>

/* By experiment, like the constants of infer_pivots.c. */
enum {
    SAMPLE = 128,  /* most hosts of a sample */
    SPEAKERS = 32, /* most speakers of a part */
    REFUTED = 4,   /* most times that the search begins anew; after these, nothing is split */
};
static const double SPLIT = 1.6; /* hosts are split only if far[] falls by at least this factor, .. */
static const double APART = 1.5; /* .. and if the median distances from the nearest two pivots differ by this factor */

/*
 * By the medians of their distances, are hosts much nearer to the nearest of the first `pivots` pivots than to the second
 * nearest? Without parts, above all if hosts are few, far[] may fall by a large factor by chance. But then many hosts lie
 * between the pivots.
 */
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

/* Sets the number of parts, and the cut. */
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

/*
 * Lets the pivots of the parts ping each other once more. Sets *wrong to a pivot that turns out to be near another one: it
 * seemed far only because it was busy. Sets it to -1 if there is none.
 */
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

/* Finds the number of parts, from the sample. If a pivot is wrong, the search begins anew without it. */
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

/*
 * Returns alpha: half of the median round trip from the first pivot to hosts of other parts or, without parts, to all hosts
 * of the sample.
 */
static double alpha_of(const struct work *w, double *scratch)
{
    int count = 0;
    double away = w->parts > 1 ? w->cut : 0;
    for (int i = 0; i < w->sample; i++)
        if (*rtt_of(w, i, 0) > away)
            scratch[count++] = *rtt_of(w, i, 0);
    return infer_median(scratch, count) / 2;
}

/* Puts each host of the sample near a pivot into the pivot's part. Picks the speakers of each part, its pivot first. */
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

/*
 * Returns the speaker of a part for a host. Hosts are spread over the speakers. If there are several, a host has another one
 * at time 1 than at time 0.
 */
static int speaker_for(const struct work *w, int part, int host, int time)
{
    int speakers = w->start[part + 1] - w->start[part];
    return w->speaker[w->start[part] + (host / w->parts + time) % speakers];
}

/*
 * Lets the speakers of all parts ping the hosts without a part. Each of these hosts joins the nearest part, if that part is
 * near. In each turn, speakers of different parts ping different hosts.
 */
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
 * Puts the orphans, the hosts near no part, into parts that the sample has missed. The first orphan makes a part with the
 * orphans near it, then the first orphan that is left makes another one, and so on. With too many such parts, or if
 * may_split() allows no parts, nothing is split.
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
