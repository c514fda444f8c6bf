/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Splits places by round trips. A sample of a place's hosts has pivots, which show how many parts the place has: the largest
 * fall of far[] (infer_pivots.c) comes when each part has one pivot. A host of the sample that is near a pivot lies in the
 * part of this pivot. Some hosts of each part are its speakers: they ping the hosts outside the sample, each of which joins
 * the nearest part. Hosts near no part lie in parts that the sample has missed. Each part is then split in the same way.
 */
#include "infer_pivots.h"

#include <math.h>

/* By experiment, like the constants of infer_pivots.c. */
enum {
    SAMPLE = 128,  /* most hosts of a sample */
    SPEAKERS = 32, /* most speakers of a part */
    REFUTED = 4,   /* most times that the search in a place begins anew; after these, the place is not split */
};
static const double SPLIT = 1.6; /* a place is split only if far[] falls by at least this factor, .. */
static const double APART = 1.5; /* .. and if the median distances from the nearest two pivots differ by this factor */

/*
 * By the medians of their distances, are hosts much nearer to the nearest of the first `pivots` pivots than to the second
 * nearest? In a place without parts, above all in a small one, far[] may fall by a large factor by chance. But then many
 * hosts lie between the pivots.
 */
static bool apart(const struct work *w, const struct set *s, int pivots)
{
    double *first = w->nearest, *second = w->nearest + s->sample;
    int count = 0;
    for (int i = 0; i < s->sample; i++) {
        int own = nearest_pivot(s, i, pivots);
        double other = INFINITY;
        for (int k = 0; k < pivots; k++)
            if (k != own)
                other = fmin(other, *rtt_of(s, i, k));
        if (*rtt_of(s, i, own) > 0) {
            first[count] = *rtt_of(s, i, own);
            second[count++] = other;
        }
    }
    return infer_median(second, count) >= APART * infer_median(first, count);
}

/* Sets the number of parts of a place, and its cut (infer.h). */
static void count_parts(const struct work *w, struct set *s)
{
    double best = 0;
    int pivots = 1;
    for (int k = 1; k < s->pivots; k++)
        if (s->far[k - 1] / s->far[k] > best) {
            best = s->far[k - 1] / s->far[k];
            pivots = k + 1;
        }
    s->parts = may_split(w, s) && best >= SPLIT && apart(w, s, pivots) ? pivots : 1;
    s->cut = s->parts > 1 ? sqrt(s->far[pivots - 2] * s->far[pivots - 1]) : SPLIT * s->far[0];
}

/*
 * Lets the pivots of a place ping each other once more. If a pivot turns out to be near another one, it seemed far only
 * because it was busy; the search in this place then begins anew without it. Sets *again if any search begins anew.
 */
static bool verify(struct work *w, bool *again)
{
    for (struct set *s = w->set; s < w->set + w->sets; s++)
        for (int a = 0; a < s->parts && !s->verified; a++)
            for (int b = 0; b < a; b++)
                if ((a + b) % 2)
                    add_probe(w, s->member[s->pivot[a]], s->member[s->pivot[b]], PINGS_SUREST);
                else
                    add_probe(w, s->member[s->pivot[b]], s->member[s->pivot[a]], PINGS_SUREST);
    if (!infer_ping(w))
        return false;
    const struct probe *p = w->probe;
    *again = false;
    for (struct set *s = w->set; s < w->set + w->sets; s++) {
        int wrong = -1;
        if (s->verified)
            continue;
        for (int a = 0; a < s->parts; a++)
            for (int b = 0; b < a; b++)
                wrong = p++->least <= s->cut ? a : wrong;
        s->verified = wrong < 0 || s->refuted == REFUTED;
        if (wrong >= 0 && s->verified) {
            s->parts = 1;
            s->cut = SPLIT * s->far[0];
        }
        if (!s->verified) {
            s->refuted++;
            infer_pivots_without(w, s, s->pivot[wrong]);
            *again = true;
        }
    }
    return true;
}

/* Finds the number of parts of each place, from its sample. */
static bool find_parts(struct work *w)
{
    if (!infer_first_pivots(w))
        return false;
    for (bool again = true; again;) {
        if (!infer_find_pivots(w))
            return false;
        for (struct set *s = w->set; s < w->set + w->sets; s++)
            if (!s->verified)
                count_parts(w, s);
        if (!verify(w, &again))
            return false;
    }
    return true;
}

/*
 * Returns alpha: half of the median round trip from the first pivot to hosts of other parts or, in a place without parts, to
 * all hosts of the sample.
 */
static double alpha_of(const struct set *s, double *scratch)
{
    int count = 0;
    double away = s->parts > 1 ? s->cut : 0;
    for (int i = 0; i < s->sample; i++)
        if (*rtt_of(s, i, 0) > away)
            scratch[count++] = *rtt_of(s, i, 0);
    return infer_median(scratch, count) / 2;
}

/* Puts each host of the sample near a pivot into the pivot's part. Picks the speakers of each part, its pivot first. */
static void divide_sample(struct work *w, struct set *s)
{
    int speakers = 0;
    for (int i = 0; i < s->sample; i++) {
        int part = nearest_pivot(s, i, s->parts);
        w->part[s->member[i]] = *rtt_of(s, i, part) <= s->cut ? part : -1;
    }
    for (int part = 0; part < s->parts; part++) {
        s->start[part] = speakers;
        s->speaker[speakers++] = s->member[s->pivot[part]];
        for (int i = 0; i < s->sample && speakers < s->start[part] + SPEAKERS; i++)
            if (w->part[s->member[i]] == part && i != s->pivot[part] && !w->busy[s->member[i]])
                s->speaker[speakers++] = s->member[i];
    }
    s->start[s->parts] = speakers;
}

/*
 * Returns the speaker of a part for a host. Hosts are spread over the speakers. If there are several, a host has another one
 * at time 1 than at time 0.
 */
static int speaker_for(const struct set *s, int part, int host, int time)
{
    int speakers = s->start[part + 1] - s->start[part];
    return s->speaker[s->start[part] + (host / s->parts + time) % speakers];
}

/*
 * Lets the speakers of all parts ping the hosts without a part. Each of these hosts joins the nearest part, if that part is
 * near. In each turn, speakers of different parts ping different hosts.
 */
static bool ask_speakers(struct work *w, int pings, int time)
{
    for (struct set *s = w->set; s < w->set + w->sets; s++)
        for (int turn = 0; turn < s->parts; turn++)
            for (int i = 0; i < s->count; i++) {
                int host = s->member[i];
                if (w->part[host] < 0)
                    add_probe(w, speaker_for(s, (host + turn) % s->parts, host, time), host, pings);
            }
    if (!infer_ping(w))
        return false;
    const struct probe *p = w->probe;
    for (struct set *s = w->set; s < w->set + w->sets; s++) {
        for (int turn = 0; turn < s->parts; turn++)
            for (int i = 0; i < s->count; i++) {
                int host = s->member[i];
                if (w->part[host] >= 0)
                    continue;
                if (p->least < w->nearest[host]) {
                    w->nearest[host] = p->least;
                    w->scratch[host] = (host + turn) % s->parts;
                }
                p++;
            }
        for (int i = 0; i < s->count; i++) {
            int host = s->member[i];
            if (w->part[host] < 0 && w->nearest[host] <= s->cut)
                w->part[host] = w->scratch[host];
        }
    }
    return true;
}

/*
 * Puts the orphans, the hosts near no part, into parts that the sample has missed. The first orphan of a place makes a part
 * with the orphans near it, then the first orphan that is left makes another one, and so on. A place is not split if it
 * would have too many such parts, or if may_split() allows it no parts.
 */
static bool gather_orphans(struct work *w)
{
    for (bool any = true; any;) {
        any = false;
        for (struct set *s = w->set; s < w->set + w->sets; s++) {
            int first = 0;
            while (first < s->count && w->part[s->member[first]] >= 0)
                first++;
            s->asking = first < s->count && s->groups < ORPHAN_GROUPS && may_split(w, s);
            if (first < s->count && !s->asking) {
                s->parts = 1;
                s->groups = 0;
            }
            if (!s->asking)
                continue;
            any = true;
            if (s->parts + s->groups == 1)
                w->place[s->row].alpha = w->nearest[s->member[first]] / 2;
            s->candidate = first;
            w->part[s->member[first]] = s->parts + s->groups++;
            for (int i = first + 1; i < s->count; i++)
                if (w->part[s->member[i]] < 0)
                    add_probe(w, s->member[first], s->member[i], PINGS_SUREST);
        }
        if (!infer_ping(w))
            return false;
        const struct probe *p = w->probe;
        for (struct set *s = w->set; s < w->set + w->sets; s++)
            for (int i = s->candidate + 1; s->asking && i < s->count; i++)
                if (w->part[s->member[i]] < 0 && p++->least <= s->cut)
                    w->part[s->member[i]] = w->part[s->member[s->candidate]];
    }
    return true;
}

/* Makes the sets for the places of rows from .. end-1. A place of one host has no round trips, so it gets no set. */
static void make_sets(struct work *w, int from, int end)
{
    w->sets = 0;
    for (int row = from; row < end; row++) {
        int first = w->first[row], count = w->end[row] - first;
        if (count > 1)
            w->set[w->sets++] = (struct set){.row = row,
                                             .member = &w->member[first],
                                             .count = count,
                                             .sample = count < SAMPLE ? count : SAMPLE,
                                             .rtt = &w->rtt[(size_t)first * PIVOTS],
                                             .speaker = &w->speaker[first]};
    }
    for (int host = 0; host < w->hosts; host++) {
        w->part[host] = -1;
        w->busy[host] = false;
    }
}

static bool split_level(struct work *w, int from, int end)
{
    make_sets(w, from, end);
    if (!find_parts(w))
        return false;
    for (struct set *s = w->set; s < w->set + w->sets; s++) {
        divide_sample(w, s);
        w->place[s->row].alpha = alpha_of(s, w->nearest);
    }
    for (int host = 0; host < w->hosts; host++)
        w->nearest[host] = INFINITY;
    if (!ask_speakers(w, PINGS_LONG, 0) || !ask_speakers(w, PINGS_SUREST, 1) || !gather_orphans(w))
        return false;
    for (struct set *s = w->set; s < w->set + w->sets; s++)
        if (s->parts + s->groups > 1)
            infer_divide(w, s->row, s->parts + s->groups);
    return true;
}

bool infer_split(struct work *w)
{
    for (int from = 0, end = w->rows; from < end; from = end, end = w->rows)
        if (!split_level(w, from, end))
            return false;
    return true;
}
