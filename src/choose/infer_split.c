/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places by round trips.
 *
 * Farthest first: a pivot is one more host of a sample, the one that is the farthest from all pivots before. far[k] is its
 * distance. If all round trips inside places are shorter than all between them, each place gets a pivot before one gets a
 * second; then far[] falls by a factor. So the largest factor tells the number of places. Pivots ping, others answer: the
 * figures of a set do not disturb each other, and sets have no hosts in common. All sets of a level are measured at once.
 *
 * A busy host answers late, now and then. It must not be a pivot: it would look like a place of its own.
 */
#include "infer_work.h"

#include <assert.h>
#include <math.h>

/* By experiment, with noise of 0.8 to 1.3 for each pair and 3 % of hosts busy (tests/check_infer.c). */
enum {
    SAMPLE = 128,     /* hosts */
    TRIED = 8,        /* of them may be the first pivot */
    SPEAKERS = 32,    /* most for a part */
    FEWEST_HOSTS = 4, /* that are split */
    REJECTED = 3,     /* candidates: then it is the first pivot that is busy */
    PINGS_SUREST = 30,
};
static const double STEADY = 1.7;   /* a host is busy if the median of its pings is so many times the least */
static const double LOWERED = 0.75; /* another candidate is sought if more pings show it so much nearer */
static const double CLEAR = 2;      /* such a factor needs no more pivots */
static const double ALIKE = 1.3;    /* no more pivots either if the farthest is as near as that, in shortest round trips */
static const double SPLIT = 1.6;    /* the least factor between round trips inside and between */
static const double APART = 1.5;    /* and between those to the next part and to a host's own, in the middle */

static bool steady(const struct probe *p)
{
    return p->least > PING_LONG || p->median < STEADY * p->least;
}

static double *rtt_of(const struct set *s, int host, int pivot)
{
    return &s->rtt[host * PIVOTS + pivot];
}

/* The nearest of the first so many pivots. */
static int nearest_pivot(const struct set *s, int host, int pivots)
{
    int nearest = 0;
    for (int k = 1; k < pivots; k++)
        if (*rtt_of(s, host, k) < *rtt_of(s, host, nearest))
            nearest = k;
    return nearest;
}

static double near(const struct set *s, int host)
{
    return *rtt_of(s, host, nearest_pivot(s, host, s->pivots));
}

static bool is_pivot(const struct set *s, int host)
{
    return near(s, host) == 0;
}

/* Its distances to pivots before are known; those to other hosts are not. */
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

/* Starts with the first pivot anew: some host was not what it seemed. */
static void begin(const struct work *w, struct set *s)
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

/* Who is busy must not be the first pivot. A host that pings steadily is not, nor is who answers. */
static bool find_first_pivots(struct work *w)
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
        begin(w, s);
        p += tried;
    }
    return true;
}

/* A host of the sample pings those that are not pivots, nor itself; and sees the answers, as the newest pivot. */
static void ping_sample(struct work *w, const struct set *s, int host)
{
    for (int i = 0; i < s->sample; i++)
        if (!is_pivot(s, i) && i != host)
            add_probe(w, s->member[host], s->member[i], PINGS);
}

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

/* The farthest host, and is there one? Any, or one that is not busy. */
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

/* The candidate has pinged all pivots. Is it one of the farthest, indeed? */
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

static bool may_split(const struct work *w, const struct set *s)
{
    return s->count >= FEWEST_HOSTS && w->place[s->row].level < w->depth;
}

/* Does the place need another pivot, if the farthest host is so far from all pivots? */
static bool wants_more(const struct work *w, const struct set *s, double far)
{
    bool clear = s->pivots > 1 && s->far[s->pivots - 2] / far >= CLEAR;
    return may_split(w, s) && !clear && far > ALIKE * s->least && s->pivots < PIVOTS && 2 * s->pivots < s->sample;
}

/* The candidate is the farthest host. Makes it a pivot if one more is wanted. */
static void judge(const struct work *w, struct set *s)
{
    double far = near(s, s->candidate);
    s->far[s->pivots - 1] = far;
    s->open = !w->busy[s->member[s->candidate]] && wants_more(w, s, far);
    if (s->open)
        add_pivot(s, s->candidate);
}

/*
 * Adds what brings a place on: the first pivot's pings, or those of a candidate. That one pings the pivots, and the rest of the
 * sample, too, if it looks as if it will be a pivot. Where all candidates are busy, there will be no more pivots.
 */
static void ask(struct work *w, struct set *s)
{
    s->asking = s->known && nominate(w, s, false);
    s->ahead = s->asking && wants_more(w, s, s->hoped);
    if (!s->known)
        ping_sample(w, s, s->pivot[s->pivots - 1]);
    else if (!s->asking) {
        nominate(w, s, true);
        judge(w, s);
    }
    for (int k = 0; s->asking && k < s->pivots; k++)
        add_probe(w, s->member[s->candidate], s->member[s->pivot[k]], PINGS_SURE);
    if (s->ahead)
        ping_sample(w, s, s->candidate);
}

/* Takes the answers, the first of which is *p; returns what follows them. */
static const struct probe *hear(struct work *w, struct set *s, const struct probe *p)
{
    if (!s->known)
        return see_sample(s, p);
    if (!s->asking)
        return p;
    int pivots = s->pivots;
    const struct probe *rest = p + pivots, *end = rest + (s->ahead ? s->sample - pivots - 1 : 0);
    if (confirm(w, s, p)) {
        judge(w, s);
        s->known = s->pivots == pivots;
        if (!s->known && s->ahead)
            see_sample(s, rest);
    } else if (s->rejected == REJECTED && pivots == 1) {
        w->busy[s->member[s->pivot[0]]] = true;
        begin(w, s);
    }
    return end;
}

/* Finds pivots until no place wants more. */
static bool find_pivots(struct work *w)
{
    for (bool open = w->sets > 0; open;) {
        for (struct set *s = w->set; s < w->set + w->sets; s++)
            if (s->open)
                ask(w, s);
        if (!infer_ping(w))
            return false;
        const struct probe *p = w->probe;
        open = false;
        for (struct set *s = w->set; s < w->set + w->sets; s++)
            if (s->open) {
                p = hear(w, s, p);
                open |= s->open;
            }
    }
    return true;
}

/*
 * Are hosts, usually, so much nearer to one of the first pivots than to any other? Where a place has no parts, distances may fall
 * by a factor by chance, in small places above all; but then hosts lie between the pivots.
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

/* How many parts the place has, and where round trips inside end. */
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
 * Pivots of different parts ping each other once more. A busy host may have seemed far, in all pings to it: then the place is
 * begun anew. Sets *again if there is such a place.
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
        s->verified = wrong < 0;
        if (wrong >= 0) {
            w->busy[s->member[s->pivot[wrong]]] = true;
            *again = true;
            begin(w, s);
        }
    }
    return true;
}

/* Finds the parts that the samples show. */
static bool find_parts(struct work *w)
{
    if (!find_first_pivots(w))
        return false;
    for (bool again = true; again;) {
        if (!find_pivots(w))
            return false;
        for (struct set *s = w->set; s < w->set + w->sets; s++)
            count_parts(w, s);
        if (!verify(w, &again))
            return false;
    }
    return true;
}

/* Half of the round trip from the first pivot, in the middle of those hosts that are not nearer than the places' parts. */
static double alpha_of(const struct set *s, double *scratch)
{
    int count = 0;
    double away = s->parts > 1 ? s->cut : 0;
    for (int i = 0; i < s->sample; i++)
        if (*rtt_of(s, i, 0) > away)
            scratch[count++] = *rtt_of(s, i, 0);
    return infer_median(scratch, count) / 2;
}

/* Hosts of the sample that are near a pivot, belong to its part; some of them speak for it, the pivot first. */
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

/* The host that speaks for a part to this one: others to other hosts, and another the second time. */
static int speaker_for(const struct set *s, int part, int host, int time)
{
    int speakers = s->start[part + 1] - s->start[part];
    return s->speaker[s->start[part] + (host / s->parts + time) % speakers];
}

/*
 * Speakers of all parts ping the hosts without a part; the nearest takes it. At a time, different parts turn to different
 * hosts.
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
 * Hosts that are near no part belong to parts that the sample missed: the first of them with those that are near it, and so
 * on. If there were too many, nothing is known of this place.
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

/* Sets of the places of rows from .. end-1; a single host has no round trips. */
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

/* One level. */
static bool split(struct work *w, int from, int end)
{
    make_sets(w, from, end);
    if (!find_parts(w))
        return false;
    for (struct set *s = w->set; s < w->set + w->sets; s++) {
        divide_sample(w, s);
        w->place[s->row].cut = s->cut;
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

bool infer_split(struct work *w, int from)
{
    for (int end = w->rows; from < end; from = end, end = w->rows)
        if (!split(w, from, end))
            return false;
    return true;
}
