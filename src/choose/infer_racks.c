/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Racks: places of equal latency behind thin uplinks. Round trips do not show them; bandwidth under load does.
 *
 * Hosts stand in a line, in the order of their addresses. In a round, every 16th pair of neighbours exchanges, while each of
 * the other hosts exchanges with one that is half the line away. That fills the uplinks: neighbours in different racks are
 * slow, neighbours in one rack are not. 16 rounds test all neighbours.
 *
 *     racks    0 1 2 3 | 4 5 6 7     this round tests 3 and 4; the others exchange 0-5, 1-6, 2-7
 *
 * If rows of racks have thin uplinks, too, the first pass may show the rows alone, as the rows' uplinks let less through
 * than the racks'. So a second pass searches the places that were found.
 *
 * If the line does not go from rack to rack, most pairs are slow, and the results do not count.
 */
#include "infer_work.h"

#include <math.h>
#include <string.h>

/* By experiment, with noise of 15 %, racks of 4 to 32 hosts, uplinks of 2:1 to 13:1 (tests/check_infer.c). */
enum {
    FEWEST_HOSTS = 4, /* of a place that is searched */
    ROUNDS = 16,
    TIMES = 3,      /* that a round is measured if any pair was slow the first time */
    CONFIRMED = 2,  /* a pair must attain a rate so many times: disturbances only make pairs slower */
    RACK_HOSTS = 3, /* fewest hosts in a rack, on average */
};
static const double SUSPICIOUS = 0.8;     /* pairs are tested again if one is below this share of the typical rate */
static const double SLOW = 0.73;          /* a pair is slow below this share of the typical rate, and of its neighbours' */
static const double LONG_ENOUGH = 0.5e-3; /* least seconds of an exchange, so that starting at the same time is easy */
static const double ROUND_TRIPS = 4;      /* an exchange takes at least so many, so that latency counts for little */
static const int64_t FEWEST_BYTES = 32 << 10, MOST_BYTES = 16 << 20;

/* Is the pair of this host and the next in the line tested in the round? */
static bool tested(const struct stretch *s, int host, int round)
{
    return host + 1 < s->hosts && host % ROUNDS == round;
}

static void add_flow(struct work *w, const struct stretch *s, int a, int b)
{
    w->flow[w->flows++] = (struct flow){.a = w->line[s->first + a], .b = w->line[s->first + b]};
}

/* Adds the exchanges of hosts that are not tested. */
static void add_load(struct work *w, const struct stretch *s, int round)
{
    int *other = w->scratch, others = 0;
    for (int i = 0; i < s->hosts; i++)
        if (tested(s, i, round))
            i++;
        else
            other[others++] = i;
    for (int k = 0; k < others / 2; k++)
        add_flow(w, s, other[k], other[others / 2 + k]);
}

/* Measures one round. Keeps the best rates of each pair, in descending order. */
static bool test(struct work *w, int round, bool load, int64_t bytes)
{
    for (const struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        for (int i = 0; i < s->hosts; i++)
            if (tested(s, i, round))
                add_flow(w, s, i, i + 1);
    for (const struct stretch *s = w->stretch; s < w->stretch + w->stretches && load; s++)
        add_load(w, s, round);
    if (!infer_exchange(w, bytes))
        return false;
    const struct flow *f = w->flow;
    for (const struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        for (int i = 0; i < s->hosts; i++)
            if (tested(s, i, round)) {
                double rate = (double)bytes / f++->seconds, *kept = &w->rate[(size_t)(s->first + i) * CONFIRMED];
                for (int k = 0; k < CONFIRMED; k++)
                    if (rate > kept[k]) {
                        double less = kept[k];
                        kept[k] = rate;
                        rate = less;
                    }
            }
    return true;
}

/* The best rate of a pair or, if `confirmed`, the best one that it has attained CONFIRMED times. */
static double rate_of(const struct work *w, const struct stretch *s, int host, bool confirmed)
{
    return w->rate[(size_t)(s->first + host) * CONFIRMED + (confirmed ? CONFIRMED - 1 : 0)];
}

static void forget(struct work *w)
{
    memset(w->rate, 0, (size_t)w->hosts * CONFIRMED * sizeof *w->rate);
}

/* Finds a number of bytes that neighbours take long enough to exchange. */
static bool find_bytes(struct work *w, int64_t *bytes)
{
    double enough = LONG_ENOUGH;
    for (const struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        enough = fmax(enough, ROUND_TRIPS * 2 * w->place[s->row].alpha);
    for (*bytes = FEWEST_BYTES; *bytes < MOST_BYTES; *bytes *= 2) {
        int count = 0;
        if (!test(w, 0, false, *bytes))
            return false;
        for (int i = 0; i < w->exchanged; i++)
            w->nearest[count++] = w->flow[i].seconds;
        if (infer_median(w->nearest, count) >= enough)
            break;
    }
    return true;
}

/* The typical rate of a place's pairs. */
static double typical_rate(const struct work *w, const struct stretch *s, bool confirmed)
{
    for (int i = 0; i + 1 < s->hosts; i++)
        w->nearest[i] = rate_of(w, s, i, confirmed);
    return infer_median(w->nearest, s->hosts - 1);
}

/* Is there a boundary behind the host? A host that is slow with both neighbours has a slow port. */
static bool is_slow(const struct work *w, const struct stretch *s, int host, double typical)
{
    double rate = rate_of(w, s, host, true);
    double left = host > 0 ? rate_of(w, s, host - 1, true) : 0;
    double right = host + 2 < s->hosts ? rate_of(w, s, host + 1, true) : 0;
    return rate < SLOW * fmin(typical, fmin(fmax(rate, left), fmax(rate, right)));
}

/* Did a pair seem slow, the first time? */
static bool suspicious(const struct work *w)
{
    for (const struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++) {
        double typical = typical_rate(w, s, false);
        for (int i = 0; i + 1 < s->hosts; i++)
            if (rate_of(w, s, i, false) < SUSPICIOUS * typical)
                return true;
    }
    return false;
}

/* Divides a place at the slow pairs. If few pairs are fast, the line does not go from rack to rack. */
static void divide(struct work *w, const struct stretch *s)
{
    int slow = 0, row = s->row, begin = 0, from = w->first[row];
    double typical = typical_rate(w, s, true), fastest = 0;
    for (int i = 0; i + 1 < s->hosts; i++) {
        slow += is_slow(w, s, i, typical);
        fastest = fmax(fastest, rate_of(w, s, i, true));
    }
    if (slow == 0 || s->hosts < RACK_HOSTS * (slow + 1) || typical < SLOW * fastest)
        return;
    memcpy(w->member + from, w->line + s->first, (size_t)s->hosts * sizeof *w->member);
    for (int i = 0; i < s->hosts; i++)
        if (i + 1 == s->hosts || is_slow(w, s, i, typical)) {
            int part = infer_add_place(w, row, from + begin, from + i + 1);
            w->place[part].cut = w->place[row].cut;
            w->place[part].alpha = w->place[row].alpha;
            begin = i + 1;
        }
    w->place[row].loaded = true;
}

/* Measures all rounds, so many times. */
static bool test_all(struct work *w, int times, int64_t bytes)
{
    for (int i = 0; i < ROUNDS * times; i++)
        if (!test(w, i % ROUNDS, true, bytes))
            return false;
    return true;
}

/* Lines up the hosts of innermost places that have enough hosts: by place, and there by address. */
static void line_up(struct work *w, int from)
{
    int end = 0;
    w->stretches = 0;
    for (int host = 0; host < w->hosts; host++)
        w->part[host] = -1;
    for (int row = from; row < w->rows; row++) {
        int hosts = w->end[row] - w->first[row];
        bool innermost = w->row[w->member[w->first[row]]] == row;
        if (hosts < FEWEST_HOSTS || !innermost || w->place[row].level >= w->depth)
            continue;
        for (int i = w->first[row]; i < w->end[row]; i++)
            w->part[w->member[i]] = w->stretches;
        w->scratch[w->stretches] = end;
        w->stretch[w->stretches++] = (struct stretch){.row = row, .first = end, .hosts = hosts};
        end += hosts;
    }
    for (int i = 0; i < w->hosts; i++) {
        int host = w->order ? w->order[i] : i;
        if (w->part[host] >= 0)
            w->line[w->scratch[w->part[host]]++] = host;
    }
}

bool infer_racks(struct work *w, int from)
{
    int64_t bytes = 0;
    for (int end = w->rows;; from = end, end = w->rows) {
        line_up(w, from);
        if (w->stretches == 0)
            return true;
        if (bytes == 0 && !find_bytes(w, &bytes))
            return false;
        forget(w);
        if (!test_all(w, 1, bytes))
            return false;
        if (!suspicious(w))
            return true;
        if (!test_all(w, TIMES - 1, bytes))
            return false;
        for (const struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
            divide(w, s);
    }
}
