/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Racks: places of equal latency behind thin uplinks. Round trips do not show them; bandwidth under load does.
 *
 * Hosts stand in a line, in the order of their addresses. On level l, each exchanges with the one 2^l further, all at once,
 * in two rounds. Where many pairs span a thin uplink, they are slow. The boundaries that explain the slow pairs are the
 * racks'. Small racks show on the levels where few pairs span anything else. What a boundary explains is not asked again.
 * Where racks are not contiguous in the line, nothing explains the slow pairs, and nothing is found.
 *
 * Then the racks are the units, and all their hosts exchange with those of another rack: that shows rows of racks.
 *
 *     2 racks of 4, l = 2      0 1 2 3 | 4 5 6 7      4 slow pairs (i, i + 4) span each boundary from behind 3 to
 *     l = 1                    . . 2 3 | 4 5 . .      before 4: only this one has no fast pair over it on level 1
 */
#include "infer_work.h"

#include <math.h>
#include <string.h>

/* By experiment, with noise of 15 %, racks of 4 to 32 hosts, uplinks of 2:1 to 13:1 (tests/check_infer_racks.c). */
static const double SLOW = 0.7; /* of what either end attained elsewhere, and of what is typical */
enum {
    FEWEST_UNITS = 4, /* that are told apart */
    FAST_COUNTS = 2,  /* slow pairs that a fast one over the same boundary speaks against */
    TIMES = 2,        /* a round is measured: the better one counts, as disturbances only make it slower */
};
static const double LONG_ENOUGH = 0.5e-3; /* seconds of an exchange, so that starting at the same time is easy */
static const double ROUND_TRIPS = 4;      /* and so many, so that it is not latency that is measured */
static const int64_t FEWEST_BYTES = 32 << 10, MOST_BYTES = 16 << 20;

static int begin_of(const struct work *w, const struct stretch *s, int unit)
{
    return w->unit[s->first + unit];
}

static int hosts_of(const struct work *w, const struct stretch *s, int unit)
{
    return (unit + 1 < s->units ? begin_of(w, s, unit + 1) : s->end) - begin_of(w, s, unit);
}

/* Streams between two units: each host of the smaller one has one. */
static int streams(const struct work *w, const struct stretch *s, int a, int b)
{
    int x = hosts_of(w, s, a), y = hosts_of(w, s, b);
    return x < y ? x : y;
}

/* Does the unit exchange with the one `distance` further in this round? */
static bool in_round(const struct stretch *s, int unit, int distance, int round)
{
    return unit + distance < s->units && unit / distance % 2 == round;
}

/* One round: the rate of each pair is the better of this time and the times before. */
static bool exchange(struct work *w, int distance, int round, int64_t bytes)
{
    for (struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        for (int i = 0; i < s->units; i++)
            for (int k = 0; in_round(s, i, distance, round) && k < streams(w, s, i, i + distance); k++)
                w->flow[w->flows++] =
                    (struct flow){.a = w->line[begin_of(w, s, i) + k], .b = w->line[begin_of(w, s, i + distance) + k]};
    if (!infer_exchange(w, bytes))
        return false;
    const struct flow *f = w->flow;
    for (struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        for (int i = 0; i < s->units; i++)
            if (in_round(s, i, distance, round)) {
                double rate = 0;
                for (int k = 0; k < streams(w, s, i, i + distance); k++)
                    rate += (double)bytes / f++->seconds;
                if (rate > w->rate[s->first + i])
                    w->rate[s->first + i] = rate;
            }
    return true;
}

/* How many bytes neighbours have to exchange so that it takes long enough. */
static bool find_bytes(struct work *w, int64_t *bytes)
{
    double enough = LONG_ENOUGH;
    for (struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        enough = fmax(enough, ROUND_TRIPS * 2 * w->place[s->row].alpha);
    for (*bytes = FEWEST_BYTES; *bytes < MOST_BYTES; *bytes *= 2) {
        memset(w->rate, 0, (size_t)w->hosts * sizeof *w->rate);
        if (!exchange(w, 1, 0, *bytes))
            return false;
        int count = 0;
        for (struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
            for (int i = 0; i < s->units; i++)
                if (in_round(s, i, 1, 0))
                    w->nearest[count++] = (double)*bytes * streams(w, s, i, i + 1) / w->rate[s->first + i];
        if (infer_median(w->nearest, count) >= enough)
            break;
    }
    return true;
}

/* Takes the rates of a level: what each unit attained. */
static void see_rates(struct work *w, struct stretch *s, int distance)
{
    double *best = &w->best[s->first];
    const double *rate = &w->rate[s->first];
    for (int i = 0; i + distance < s->units; i++) {
        best[i] = fmax(best[i], rate[i]);
        best[i + distance] = fmax(best[i + distance], rate[i]);
    }
    if (distance == 1) {
        memcpy(w->nearest, rate, (size_t)(s->units - 1) * sizeof *rate);
        s->typical = infer_median(w->nearest, s->units - 1);
    }
}

static bool is_slow(const struct work *w, const struct stretch *s, int a, int b)
{
    double port = fmin(w->best[s->first + a], w->best[s->first + b]);
    return w->rate[s->first + a] < SLOW * fmin(port, s->typical);
}

/* Is there a boundary between the unit and the next? */
static int *edge_behind(struct work *w, const struct stretch *s, int unit)
{
    return &w->edge[begin_of(w, s, unit + 1) - 1];
}

enum { FAST, EXPLAINED, UNEXPLAINED };

/* What the pairs of a level are, by their first units; those that span a boundary are explained. */
static void judge_pairs(struct work *w, const struct stretch *s, int distance, int pass, int *pair)
{
    int spanned = 0;
    for (int i = 0; i < distance; i++)
        spanned += *edge_behind(w, s, i) == pass;
    for (int i = 0; i + distance < s->units; i++) {
        pair[i] = !is_slow(w, s, i, i + distance) ? FAST : spanned > 0 ? EXPLAINED : UNEXPLAINED;
        spanned -= *edge_behind(w, s, i) == pass;
        spanned += i + distance + 1 < s->units && *edge_behind(w, s, i + distance) == pass;
    }
}

/* The boundaries that explain the slow pairs of a level. */
static void find_boundaries(struct work *w, const struct stretch *s, int distance, int pass)
{
    int *pair = w->scratch, pairs = s->units - distance, fewest = distance == 1 ? 1 : distance < 4 ? 2 : distance / 2;
    judge_pairs(w, s, distance, pass, pair);
    for (;;) {
        int best = -1, best_slow = 0, best_score = 0, slow = 0, fast = 0;
        for (int i = 0; i + 1 < s->units; i++) {
            slow += i < pairs && pair[i] == UNEXPLAINED;
            fast += i < pairs && pair[i] == FAST;
            if (i >= distance) {
                slow -= pair[i - distance] == UNEXPLAINED;
                fast -= pair[i - distance] == FAST;
            }
            if (slow - FAST_COUNTS * fast > best_score) {
                best = i;
                best_slow = slow;
                best_score = slow - FAST_COUNTS * fast;
            }
        }
        if (best < 0 || best_slow < fewest)
            return;
        *edge_behind(w, s, best) = pass;
        for (int i = best - distance + 1; i <= best; i++)
            if (i >= 0 && i < pairs && pair[i] == UNEXPLAINED)
                pair[i] = EXPLAINED;
    }
}

/* Finds the boundaries between the units. */
static bool find_all(struct work *w, int pass)
{
    int64_t bytes;
    int most = 0;
    if (!find_bytes(w, &bytes))
        return false;
    memset(w->best, 0, (size_t)w->hosts * sizeof *w->best);
    for (struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
        most = s->units > most ? s->units : most;
    for (int distance = 1; distance < most; distance *= 2) {
        memset(w->rate, 0, (size_t)w->hosts * sizeof *w->rate);
        for (int time = 0; time < 2 * TIMES; time++)
            if (!exchange(w, distance, time % 2, bytes))
                return false;
        for (struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++)
            if (s->units > distance) {
                see_rates(w, s, distance);
                find_boundaries(w, s, distance, pass);
            }
    }
    return true;
}

/* The hosts of innermost places with enough of them, each place's in the order of their addresses. */
static void line_up(struct work *w, int from)
{
    int rows = w->rows, end = 0;
    w->stretches = 0;
    for (int host = 0; host < w->hosts; host++)
        w->part[host] = -1;
    for (int row = from; row < rows; row++) {
        int hosts = w->end[row] - w->first[row];
        bool innermost = w->row[w->member[w->first[row]]] == row;
        if (hosts < FEWEST_UNITS || !innermost || w->place[row].level >= w->depth)
            continue;
        for (int i = w->first[row]; i < w->end[row]; i++)
            w->part[w->member[i]] = w->stretches;
        w->stretch[w->stretches++] =
            (struct stretch){.row = row, .first = end, .units = hosts, .hosts = end, .end = end + hosts};
        end += hosts;
    }
    for (int i = 0; i < w->stretches; i++)
        w->scratch[i] = w->stretch[i].hosts;
    for (int i = 0; i < w->hosts; i++) {
        int host = w->order ? w->order[i] : i;
        if (w->part[host] >= 0)
            w->line[w->scratch[w->part[host]]++] = host;
    }
    for (int i = 0; i < end; i++)
        w->unit[i] = i;
}

/* What lies between boundaries of a pass becomes the units of the next, where there is enough of it. */
static void make_units(struct work *w, int pass)
{
    int stretches = 0, units = 0;
    for (int i = 0; i < w->stretches; i++) {
        struct stretch s = w->stretch[i];
        int first = units;
        for (int k = 0, begin = s.hosts; k < s.units; k++) {
            bool last = k + 1 == s.units;
            if (last || *edge_behind(w, &s, k) == pass) {
                w->unit[units++] = begin;
                begin = last ? s.end : begin_of(w, &s, k + 1);
            }
        }
        s.first = first;
        s.units = units - first;
        if (s.units >= FEWEST_UNITS && w->place[s.row].level + pass < w->depth)
            w->stretch[stretches++] = s;
        else
            units = first;
    }
    w->stretches = stretches;
}

/* Divides hosts line[begin] .. line[end - 1] of a place where pass, or a later one, found boundaries. */
static void divide(struct work *w, int row, int begin, int end, int pass)
{
    int parts = w->rows, at = w->first[row];
    while (pass > 0 && w->rows == parts) {
        for (int i = begin, first = begin; i < end; i++)
            if (w->edge[i] >= pass || i + 1 == end) {
                if (i + 1 == end && first == begin)
                    break; /* no boundary inside */
                int part = infer_add_place(w, row, at + first - begin, at + i + 1 - begin);
                w->place[part].cut = w->place[row].cut;
                w->place[part].alpha = w->place[row].alpha;
                first = i + 1;
            }
        pass--;
    }
    w->place[row].loaded = w->rows > parts;
    for (int part = parts, end_of_parts = w->rows; part < end_of_parts; part++) {
        int first = begin + w->first[part] - at;
        divide(w, part, first, first + w->end[part] - w->first[part], pass);
    }
}

bool infer_racks(struct work *w, int from)
{
    int pass = 0;
    memset(w->edge, 0, (size_t)w->hosts * sizeof *w->edge);
    line_up(w, from);
    while (w->stretches > 0) {
        if (!find_all(w, ++pass))
            return false;
        make_units(w, pass);
    }
    line_up(w, from);
    for (struct stretch *s = w->stretch; s < w->stretch + w->stretches; s++) {
        memcpy(w->member + w->first[s->row], w->line + s->hosts, (size_t)(s->end - s->hosts) * sizeof *w->member);
        divide(w, s->row, s->hosts, s->end, pass);
    }
    return true;
}
