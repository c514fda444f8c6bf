/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds racks: groups of hosts behind uplinks with a low rate. Latencies inside a rack and between racks are equal, so round
 * trips do not show racks. Rates under load show them.
 *
 * The hosts of a place stand in a line, in the order of their addresses. In a round, every 16th pair of neighbours exchanges
 * messages. At the same time, every host outside these pairs exchanges messages with a host half the line away. This fills
 * the uplinks. So neighbours in different racks are slow, and neighbours in one rack are not. 16 rounds test all neighbours.
 *
 *     racks    0 1 2 3 | 4 5 6 7     this round tests 3 and 4; the others exchange 0-5, 1-6, 2-7
 *
 * Groups of racks may have uplinks with a low rate, too. The first pass may then show only these groups, since their uplinks
 * let less through than the uplinks of racks. So another pass searches the places that the pass before has found.
 *
 * If the addresses do not follow the racks, most pairs are slow, and the results do not count.
 */
#include "infer_work.h"

#include <math.h>
#include <string.h>

/* By experiment, with noise of 15 %, racks of 4 to 32 hosts, uplinks of 2:1 to 13:1 (tests/check_infer.c). */
enum {
    FEWEST_HOSTS = 4, /* fewest hosts of a place that is searched */
    ROUNDS = 16,
    TIMES = 3,      /* how often each round is measured if the first time shows a slow pair */
    CONFIRMED = 2,  /* a rate counts if the pair attains it this many times: disturbances only make pairs slower */
    RACK_HOSTS = 3, /* fewest hosts in a rack, on average */
};
static const double SUSPICIOUS = 0.8; /* all pairs are tested again if one is below this share of the typical rate */
static const double SLOW = 0.73;      /* a pair is slow below this share of the typical rate, and of adjacent pairs' rates */

/* Does the round test the pair of this host and the next one in the line? */
static bool tested(const struct stretch *s, int host, int round)
{
    return host + 1 < s->hosts && host % ROUNDS == round;
}

static void add_flow(struct work *w, const struct stretch *s, int a, int b)
{
    w->flow[w->flows++] = (struct flow){.a = w->line[s->first + a], .b = w->line[s->first + b]};
}

/* Adds the exchanges of the hosts that the round does not test. */
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

/* Measures a round. Keeps the CONFIRMED best rates of each tested pair, best first. `load`: other hosts exchange, too. */
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

/* Returns the best rate of a pair or, if `confirmed`, the best rate that the pair has attained CONFIRMED times. */
static double rate_of(const struct work *w, const struct stretch *s, int host, bool confirmed)
{
    return w->rate[(size_t)(s->first + host) * CONFIRMED + (confirmed ? CONFIRMED - 1 : 0)];
}

static void forget(struct work *w)
{
    memset(w->rate, 0, (size_t)w->hosts * CONFIRMED * sizeof *w->rate);
}

static bool exchange_neighbours(struct work *w, int64_t bytes)
{
    return test(w, 0, false, bytes);
}

/* Finds a number of bytes for which exchanges of neighbours take long enough. */
static bool find_bytes(struct work *w, int64_t *bytes)
{
    double alpha = 0;
    for (const struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        alpha = fmax(alpha, w->place[s->row].alpha);
    return infer_bytes(w, exchange_neighbours, alpha, true, bytes);
}

/* Returns the median of the rates of a place's pairs. */
static double typical_rate(const struct work *w, const struct stretch *s, bool confirmed)
{
    for (int i = 0; i + 1 < s->hosts; i++)
        w->nearest[i] = rate_of(w, s, i, confirmed);
    return infer_median(w->nearest, s->hosts - 1);
}

/* Is there a boundary between this host and the next? If a host is slow with both neighbours, only its port is slow. */
static bool is_slow(const struct work *w, const struct stretch *s, int host, double typical)
{
    double rate = rate_of(w, s, host, true);
    double left = host > 0 ? rate_of(w, s, host - 1, true) : 0;
    double right = host + 2 < s->hosts ? rate_of(w, s, host + 1, true) : 0;
    return rate < SLOW * fmin(typical, fmin(fmax(rate, left), fmax(rate, right)));
}

/* Has any pair a low rate after the first test? */
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

/* Divides a place at its slow pairs. Does nothing if too many are slow: then the addresses do not follow the racks. */
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

static bool test_all(struct work *w, int times, int64_t bytes)
{
    for (int i = 0; i < ROUNDS * times; i++)
        if (!test(w, i % ROUNDS, true, bytes))
            return false;
    return true;
}

/* Makes the line of each innermost place that has enough hosts: its hosts in the order of their addresses. */
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
