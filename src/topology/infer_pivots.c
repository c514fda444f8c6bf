/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the pivots of a sample of hosts. The distance of two hosts is the shortest round trip between them. The next pivot
 * is always the host that is the farthest from the pivots so far; far[k] is its distance from the nearest of the pivots 0 to
 * k. If all round trips inside parts are shorter than all round trips between parts, each part gets a pivot before any part
 * gets a second one. Then far[] is large until the last part has its pivot, and small from then on.
 *
 * Pivots ping and other hosts answer, so the pings of a place do not disturb each other. Places of one level have no hosts
 * in common, so all of them are measured at once. A busy host, which answers late now and then, must not be a pivot: it
 * would look like a part of its own.
 */
#include "infer_pivots.h"

#include <math.h>

/* By experiment, with noise of 0.8 to 1.3 for each pair and 3 % of hosts busy (tests/unit/check_infer.c). */
enum {
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

static double near(const struct set *s, int host)
{
    return *rtt_of(s, host, nearest_pivot(s, host, s->pivots));
}

static bool is_pivot(const struct set *s, int host)
{
    return near(s, host) == 0;
}

/* Makes a host the next pivot. Its distances to earlier pivots are known, its distances to other hosts are not. */
static void add_pivot(struct set *s, int host)
{
    s->pivot[s->pivots] = host;
    for (int i = 0; i < s->sample; i++)
        *rtt_of(s, i, s->pivots) = INFINITY;
    for (int k = 0; k < s->pivots; k++)
        *rtt_of(s, s->pivot[k], s->pivots) = *rtt_of(s, host, k);
    *rtt_of(s, host, s->pivots++) = 0;
}

static void see(struct set *s, const struct probe *p)
{
    s->least = p->least < s->least ? p->least : s->least;
}

/* Begins the search for pivots. The first pivot is the first host not known to be busy; if all are busy, the last host. */
static void begin_pivots(const struct work *w, struct set *s)
{
    int first = 0;
    while (first + 1 < s->sample && w->busy[s->member[first]])
        first++;
    s->pivots = 0;
    s->rejected = 0;
    s->open = true;
    s->known = false;
    add_pivot(s, first);
}

void infer_pivots_without(struct work *w, struct set *s, int host)
{
    w->busy[s->member[host]] = true;
    begin_pivots(w, s);
}

/*
 * A busy host must not be the first pivot. So some hosts of each sample ping each other in a ring. If the round trips of a
 * probe are steady, neither the host that pings nor the host that answers is busy.
 */
bool infer_first_pivots(struct work *w)
{
    for (struct set *s = w->set; s < w->set + w->sets; s++)
        for (int i = 0; i < s->sample && i < TRIED; i++)
            add_probe(w, s->member[i], s->member[i + 1 < s->sample && i + 1 < TRIED ? i + 1 : 0], PINGS_SUREST);
    if (!infer_ping(w))
        return false;
    const struct probe *p = w->probe;
    for (struct set *s = w->set; s < w->set + w->sets; s++) {
        int tried = s->sample < TRIED ? s->sample : TRIED, first = 0;
        while (first < tried && !steady(&p[first]))
            first++;
        for (int i = 0; i < first && first < tried; i++)
            w->busy[s->member[i]] = true;
        s->least = INFINITY;
        begin_pivots(w, s);
        p += tried;
    }
    return true;
}

/* Adds pings from a host of the sample to all other hosts of the sample that are no pivots. */
static void ping_sample(struct work *w, const struct set *s, int host)
{
    for (int i = 0; i < s->sample; i++)
        if (!is_pivot(s, i) && i != host)
            add_probe(w, s->member[host], s->member[i], PINGS);
}

/* Takes the results of ping_sample() as the distances from the newest pivot. Returns the first probe behind them. */
static const struct probe *see_sample(struct set *s, const struct probe *p)
{
    int newest = s->pivots - 1;
    for (int i = 0; i < s->sample; i++)
        if (!is_pivot(s, i)) {
            see(s, p);
            *rtt_of(s, i, newest) = p++->least;
        }
    s->known = true;
    return p;
}

/* Makes the farthest host that is not busy the candidate; with `any`, it may be busy. Returns false if there is none. */
static bool nominate(const struct work *w, struct set *s, bool any)
{
    s->hoped = 0;
    for (int i = 0; i < s->sample; i++)
        if ((any || !w->busy[s->member[i]]) && near(s, i) > s->hoped) {
            s->candidate = i;
            s->hoped = near(s, i);
        }
    return s->hoped > 0;
}

/* The candidate has pinged all pivots. Is it neither busy nor much nearer to the pivots than it seemed? */
static bool confirm(struct work *w, struct set *s, const struct probe *p)
{
    for (int k = 0; k < s->pivots; k++) {
        see(s, &p[k]);
        if (p[k].least < *rtt_of(s, s->candidate, k))
            *rtt_of(s, s->candidate, k) = p[k].least;
    }
    int nearest = 0;
    for (int k = 1; k < s->pivots; k++)
        nearest = p[k].least < p[nearest].least ? k : nearest;
    if (!steady(&p[nearest])) {
        w->busy[s->member[s->candidate]] = true;
        s->rejected++;
    }
    return steady(&p[nearest]) && near(s, s->candidate) >= LOWERED * s->hoped;
}

/* Does the place need another pivot? `far`: distance of the farthest host from the nearest pivot, in seconds. */
static bool wants_more(const struct work *w, const struct set *s, double far)
{
    bool clear = s->pivots > 1 && s->far[s->pivots - 2] / far >= CLEAR;
    return may_split(w, s) && !clear && far > ALIKE * s->least && s->pivots < PIVOTS && 2 * s->pivots < s->sample;
}

/* The candidate is the farthest host. Makes it a pivot if it is not busy and the place needs another one. */
static void judge_candidate(const struct work *w, struct set *s)
{
    double far = near(s, s->candidate);
    s->far[s->pivots - 1] = far;
    s->open = !w->busy[s->member[s->candidate]] && wants_more(w, s, far);
    if (s->open)
        add_pivot(s, s->candidate);
}

/*
 * Adds the next pings of a place, from its newest pivot or from a candidate. A candidate pings the pivots; if it is likely
 * to become a pivot, it also pings the rest of the sample. If no host can be a candidate, the place gets no more pivots.
 */
static void ask_hosts(struct work *w, struct set *s)
{
    s->asking = s->known && s->asked++ < ASKED && nominate(w, s, false);
    s->ahead = s->asking && wants_more(w, s, s->hoped);
    if (!s->known)
        ping_sample(w, s, s->pivot[s->pivots - 1]);
    else if (!s->asking) {
        nominate(w, s, true);
        judge_candidate(w, s);
    }
    for (int k = 0; s->asking && k < s->pivots; k++)
        add_probe(w, s->member[s->candidate], s->member[s->pivot[k]], PINGS_SURE);
    if (s->ahead)
        ping_sample(w, s, s->candidate);
}

/* Takes the results of the pings of ask_hosts(); *p is the first. Returns the first probe behind them. */
static const struct probe *hear_pings(struct work *w, struct set *s, const struct probe *p)
{
    if (!s->known)
        return see_sample(s, p);
    if (!s->asking)
        return p;
    int pivots = s->pivots;
    const struct probe *rest = p + pivots, *end = rest + (s->ahead ? s->sample - pivots - 1 : 0);
    if (confirm(w, s, p)) {
        judge_candidate(w, s);
        s->known = s->pivots == pivots;
        if (!s->known && s->ahead)
            see_sample(s, rest);
    } else if (s->rejected == REJECTED && pivots == 1) {
        infer_pivots_without(w, s, s->pivot[0]);
    }
    return end;
}

bool infer_find_pivots(struct work *w)
{
    for (bool open = w->sets > 0; open;) {
        for (struct set *s = w->set; s < w->set + w->sets; s++)
            if (s->open)
                ask_hosts(w, s);
        if (!infer_ping(w))
            return false;
        const struct probe *p = w->probe;
        open = false;
        for (struct set *s = w->set; s < w->set + w->sets; s++)
            if (s->open) {
                p = hear_pings(w, s, p);
                open |= s->open;
            }
    }
    return true;
}
