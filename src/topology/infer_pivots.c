/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the pivots of a sample of hosts; see doc/places. Distance is the shortest round trip; far[k] is that of the host
 * farthest from the pivots 0 to k. A busy host must not be a pivot.
 */
#include "infer_work.h"

#include <math.h>

/* For noise of 0.8 to 1.3 for each pair, and 3 % of hosts busy (tests/unit/check_infer.c). */
enum {
    PINGS = 8,
    PINGS_SURE = 16,    /* of an important one */
    TRIED = 8,          /* as the first pivot */
    REJECTED = 3,       /* after so many busy candidates, the first pivot counts as busy */
    ASKED = 3 * PIVOTS, /* most candidates */
};
/* Busy: the median round trip exceeds the shortest by this factor, and the shortest is below PING_LONG. */
static const double STEADY = 1.7;
static const double LOWERED = 0.75; /* a candidate is dropped if more pings show less than this share */
static const double CLEAR = 2;      /* enough pivots if far[] has fallen so much .. */
static const double ALIKE = 1.3;    /* .. or the largest distance exceeds the shortest round trip by this */

static bool steady(const struct probe *p)
{
    return p->least > PING_LONG || p->median < STEADY * p->least;
}

static double near(const struct work *w, int host)
{
    return *rtt_of(w, host, nearest_pivot(w, host, w->pivots));
}

static bool is_pivot(const struct work *w, int host)
{
    return near(w, host) == 0;
}

static void add_pivot(struct work *w, int host)
{
    w->pivot[w->pivots] = host;
    for (int i = 0; i < w->sample; i++)
        *rtt_of(w, i, w->pivots) = INFINITY;
    for (int k = 0; k < w->pivots; k++)
        *rtt_of(w, w->pivot[k], w->pivots) = *rtt_of(w, host, k);
    *rtt_of(w, host, w->pivots++) = 0;
}

static void see(struct work *w, const struct probe *p)
{
    w->least = p->least < w->least ? p->least : w->least;
}

/* The first pivot is the first host not known to be busy, else the last host. */
static void begin_pivots(struct work *w)
{
    int first = 0;
    while (first + 1 < w->sample && w->busy[w->member[first]])
        first++;
    w->pivots = 0;
    w->rejected = 0;
    w->open = true;
    w->known = false;
    add_pivot(w, first);
}

void infer_pivots_without(struct work *w, int host)
{
    w->busy[w->member[host]] = true;
    begin_pivots(w);
}

/* Hosts of the sample ping in a ring: if a probe's round trips are steady, neither end is busy. */
bool infer_first_pivot(struct work *w)
{
    const int tried = w->sample < TRIED ? w->sample : TRIED;
    int first = 0;
    for (int i = 0; i < tried; i++)
        add_probe(w, w->member[i], w->member[(i + 1) % tried], PINGS_SUREST);
    if (!infer_ping(w))
        return false;
    while (first < tried && !steady(&w->probe[first]))
        first++;
    for (int i = 0; i < first && first < tried; i++)
        w->busy[w->member[i]] = true;
    w->least = INFINITY;
    begin_pivots(w);
    return true;
}

static void ping_sample(struct work *w, int host)
{
    for (int i = 0; i < w->sample; i++)
        if (!is_pivot(w, i) && i != host)
            add_probe(w, w->member[host], w->member[i], PINGS);
}

static void see_sample(struct work *w, const struct probe *p)
{
    int newest = w->pivots - 1;
    for (int i = 0; i < w->sample; i++)
        if (!is_pivot(w, i)) {
            see(w, p);
            *rtt_of(w, i, newest) = p++->least;
        }
    w->known = true;
}

/* The farthest that is not busy, or with `any` that may be. */
static bool nominate(struct work *w, bool any)
{
    w->hoped = 0;
    for (int i = 0; i < w->sample; i++)
        if ((any || !w->busy[w->member[i]]) && near(w, i) > w->hoped) {
            w->candidate = i;
            w->hoped = near(w, i);
        }
    return w->hoped > 0;
}

/* It has pinged all pivots: is it neither busy nor much nearer than it seemed? */
static bool confirm(struct work *w, const struct probe *p)
{
    for (int k = 0; k < w->pivots; k++) {
        see(w, &p[k]);
        if (p[k].least < *rtt_of(w, w->candidate, k))
            *rtt_of(w, w->candidate, k) = p[k].least;
    }
    int nearest = 0;
    for (int k = 1; k < w->pivots; k++)
        nearest = p[k].least < p[nearest].least ? k : nearest;
    if (!steady(&p[nearest])) {
        w->busy[w->member[w->candidate]] = true;
        w->rejected++;
    }
    return steady(&p[nearest]) && near(w, w->candidate) >= LOWERED * w->hoped;
}

static bool wants_more(const struct work *w, double far)
{
    bool clear = w->pivots > 1 && w->far[w->pivots - 2] / far >= CLEAR;
    return may_split(w) && !clear && far > ALIKE * w->least && w->pivots < PIVOTS && 2 * w->pivots < w->sample;
}

static void judge_candidate(struct work *w)
{
    double far = near(w, w->candidate);
    w->far[w->pivots - 1] = far;
    w->open = !w->busy[w->member[w->candidate]] && wants_more(w, far);
    if (w->open)
        add_pivot(w, w->candidate);
}

static void ask_hosts(struct work *w)
{
    w->asking = w->known && w->asked++ < ASKED && nominate(w, false);
    w->ahead = w->asking && wants_more(w, w->hoped);
    if (!w->known)
        ping_sample(w, w->pivot[w->pivots - 1]);
    else if (!w->asking) {
        nominate(w, true);
        judge_candidate(w);
    }
    for (int k = 0; w->asking && k < w->pivots; k++)
        add_probe(w, w->member[w->candidate], w->member[w->pivot[k]], PINGS_SURE);
    if (w->ahead)
        ping_sample(w, w->candidate);
}

static void hear_pings(struct work *w)
{
    const int pivots = w->pivots;
    if (!w->known)
        see_sample(w, w->probe);
    else if (w->asking && confirm(w, w->probe)) {
        judge_candidate(w);
        w->known = w->pivots == pivots;
        if (!w->known && w->ahead)
            see_sample(w, w->probe + pivots);
    } else if (w->asking && w->rejected == REJECTED && pivots == 1)
        infer_pivots_without(w, w->pivot[0]);
}

bool infer_find_pivots(struct work *w)
{
    while (w->open) {
        ask_hosts(w);
        if (!infer_ping(w))
            return false;
        hear_pings(w);
    }
    return true;
}
