/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the pivots of a sample of hosts. The distance of two hosts is the shortest round trip between them. The next pivot
 * is always the host that is the farthest from the pivots so far; far[k] is its distance from the nearest of the pivots 0 to
 * k. If all round trips inside parts are shorter than all round trips between parts, each part gets a pivot before any part
 * gets a second one. Then far[] is large until the last part has its pivot, and small from then on.
 *
 * Pivots ping and other hosts answer, so the pings do not disturb each other. A busy host, which answers late now and then,
 * must not be a pivot: it would look like a part of its own.
 */
#include "infer_work.h"

#include <math.h>

/* By experiment, with noise of 0.8 to 1.3 for each pair and 3 % of hosts busy (tests/unit/check_infer.c). */
enum {
    PINGS = 8,          /* pings of a probe */
    PINGS_SURE = 16,    /* pings of an important probe */
    TRIED = 8,          /* hosts of the sample that may be the first pivot */
    REJECTED = 3,       /* after this many busy candidates, the first pivot counts as the busy host */
    ASKED = 3 * PIVOTS, /* most candidates, since more would show nothing new */
};
/* A host is busy if its median round trip exceeds the shortest by this factor, unless the shortest is above PING_LONG. */
static const double STEADY = 1.7;
static const double LOWERED = 0.75; /* a candidate is dropped if more pings show less than this share of its distance */
static const double CLEAR = 2;      /* no more pivots are needed if far[] has fallen by this factor, .. */
static const double ALIKE = 1.3; /* .. or if the largest distance exceeds the shortest round trip by at most this factor */

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

/* Makes a host the next pivot. Its distances to earlier pivots are known, its distances to other hosts are not. */
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

/* Begins the search for pivots. The first pivot is the first host not known to be busy; if all are busy, the last host. */
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

/*
 * A busy host must not be the first pivot. So some hosts of the sample ping each other in a ring. If the round trips of a
 * probe are steady, neither the host that pings nor the host that answers is busy.
 */
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

/* Adds pings from a host of the sample to all other hosts of the sample that are no pivots. */
static void ping_sample(struct work *w, int host)
{
    for (int i = 0; i < w->sample; i++)
        if (!is_pivot(w, i) && i != host)
            add_probe(w, w->member[host], w->member[i], PINGS);
}

/* Takes the results of ping_sample(), from p on, as the distances from the newest pivot. */
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

/* Makes the farthest host that is not busy the candidate; with `any`, it may be busy. Returns false if there is none. */
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

/* The candidate has pinged all pivots. Is it neither busy nor much nearer to the pivots than it seemed? */
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

/* Is another pivot needed? `far`: distance of the farthest host from the nearest pivot, in seconds. */
static bool wants_more(const struct work *w, double far)
{
    bool clear = w->pivots > 1 && w->far[w->pivots - 2] / far >= CLEAR;
    return may_split(w) && !clear && far > ALIKE * w->least && w->pivots < PIVOTS && 2 * w->pivots < w->sample;
}

/* The candidate is the farthest host. Makes it a pivot if it is not busy and another one is needed. */
static void judge_candidate(struct work *w)
{
    double far = near(w, w->candidate);
    w->far[w->pivots - 1] = far;
    w->open = !w->busy[w->member[w->candidate]] && wants_more(w, far);
    if (w->open)
        add_pivot(w, w->candidate);
}

/*
 * Adds the next pings, from the newest pivot or from a candidate. A candidate pings the pivots; if it is likely to become a
 * pivot, it also pings the rest of the sample. If no host can be a candidate, there are no more pivots.
 */
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

/* Takes the results of the pings of ask_hosts(). */
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
