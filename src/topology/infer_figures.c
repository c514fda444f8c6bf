/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures one stream's rate between parts of a place, and the highest rate over a part's boundary; see doc/places. */
#include "infer_work.h"

#include <math.h>

enum {
    MOST_STREAMS = 8,
    MOST_ROUNDS = 15, /* so up to 16 parts all meet; without parts one round */
    LARGER = 4,
};
static const int64_t FEWEST_BYTES = 32 << 10, MOST_BYTES = 16 << 20;
static const double BUDGET = 0.25; /* seconds a level, after its first round */

static int rounds(const struct crossing *c)
{
    const int all = c->parts - (c->parts % 2 == 0);
    return all < MOST_ROUNDS ? all : MOST_ROUNDS;
}

/* Or -1 if it rests. */
static int partner(const struct crossing *c, int part, int round)
{
    const int circle = c->parts - (c->parts % 2 == 0); /* if c->parts is even, the last stands inside */
    int other;
    if (part == circle)
        other = round * ((circle + 1) / 2) % circle;
    else {
        other = (round - part + circle) % circle;
        other = other == part ? circle : other;
    }
    return other < c->parts ? other : -1;
}

static int hosts_of(const struct work *w, const struct crossing *c, int part)
{
    return c->hosts ? 1 : w->end[c->part + part] - w->first[c->part + part];
}

static int host_of(const struct work *w, const struct crossing *c, int part, int i)
{
    return c->hosts ? w->member[w->first[c->row] + part] : w->member[w->first[c->part + part] + i];
}

static int most_streams(const struct work *w, const struct crossing *c, int a, int b)
{
    int x = hosts_of(w, c, a), y = hosts_of(w, c, b);
    return x < y ? x : y;
}

/* -1 without a partner, or with a lower one: each pair is found once. */
static int pair_of(const struct work *w, const struct crossing *c, int part, int round, int *streams)
{
    int other = partner(c, part, round);
    if (other <= part)
        return -1;
    *streams = most_streams(w, c, part, other);
    *streams = *streams < c->streams ? *streams : c->streams;
    return other;
}

/* Measures the batch, and empties it. */
static bool exchange(struct work *w, int64_t bytes)
{
    const int flows = w->exchanged = w->flows;
    double slowest = 0;
    w->flows = 0;
    if (flows > 0 && !w->prober->exchange(w->prober->self, w->flow, flows, bytes))
        return false;
    for (struct flow *f = w->flow; f < w->flow + flows; f++) {
        f->seconds = fmax(f->seconds, SHORTEST_TIME);
        slowest = fmax(slowest, f->seconds);
    }
    w->seconds += slowest;
    return true;
}

static bool exchange_round(struct work *w, int round, int64_t bytes)
{
    for (const struct crossing *c = w->crossing; c < w->crossing + w->crossings; c++)
        for (int a = 0, b, streams; c->active && a < c->parts; a++)
            if ((b = pair_of(w, c, a, round, &streams)) >= 0)
                for (int k = 0; k < streams; k++)
                    w->flow[w->flows++] = (struct flow){.a = host_of(w, c, a, k), .b = host_of(w, c, b, k)};
    return exchange(w, bytes);
}

static void lower_to(double *figure, double value)
{
    *figure = *figure > 0 && *figure < value ? *figure : value;
}

/* For one place: *flow with the larger size, *less seconds with the smaller one. Moves both on. */
static void rates_of_round(struct work *w, const struct crossing *c, int round, int64_t bytes, const struct flow **flow,
                           const double **less)
{
    double *each = w->rtt;
    int flows = 0;
    for (int a = 0, b, streams; a < c->parts; a++)
        if ((b = pair_of(w, c, a, round, &streams)) >= 0) {
            double together = 0;
            for (int k = 0; k < streams; k++, ++*flow, ++*less) {
                const int64_t fewer = bytes / LARGER;
                double more = (*flow)->seconds - **less;
                double beta = more > 0 ? more / (double)(bytes - fewer) : (*flow)->seconds / (double)bytes;
                together += 1 / beta;
                each[flows++] = beta;
            }
            if (!c->hosts) {
                lower_to(&w->survey->place[c->part + a].up, 1 / together);
                lower_to(&w->survey->place[c->part + b].up, 1 / together);
            }
        }
    if (c->streams == 1)
        w->survey->place[c->row].flow = infer_median(each, flows);
}

static bool measure_round(struct work *w, int round, int64_t bytes)
{
    if (!exchange_round(w, round, bytes / LARGER))
        return false;
    for (int i = 0; i < w->exchanged; i++)
        w->nearest[i] = w->flow[i].seconds;
    if (!exchange_round(w, round, bytes))
        return false;
    const struct flow *flow = w->flow;
    const double *less = w->nearest;
    for (const struct crossing *c = w->crossing; c < w->crossing + w->crossings; c++)
        if (c->active)
            rates_of_round(w, c, round, bytes, &flow, &less);
    return true;
}

/* Enough for the fastest exchange; at most MOST_BYTES. */
static bool find_bytes(struct work *w, int64_t *bytes)
{
    double alpha = 0;
    for (const struct crossing *c = w->crossing; c < w->crossing + w->crossings; c++)
        alpha = fmax(alpha, w->survey->place[c->row].alpha);
    for (*bytes = FEWEST_BYTES; *bytes < MOST_BYTES; *bytes *= 2) {
        double fastest = INFINITY;
        if (!exchange_round(w, 0, *bytes))
            return false;
        for (int i = 0; i < w->exchanged; i++)
            fastest = fmin(fastest, w->flow[i].seconds);
        if (fastest >= exchange_least(alpha))
            break;
    }
    return true;
}

static void find_crossings(struct work *w, int level)
{
    const struct found *place = w->survey->place;
    const int rows = w->survey->rows;
    w->crossings = 0;
    for (int row = 0; row < rows; row++) {
        const int hosts = w->end[row] - w->first[row];
        int part = row + 1, parts = 0;
        if (place[row].level != level || hosts == 1)
            continue;
        while (part < rows && place[part].around != row)
            part++;
        while (part + parts < rows && place[part + parts].around == row)
            parts++;
        w->crossing[w->crossings++] = (struct crossing){
            .row = row, .part = part, .parts = parts > 0 ? parts : hosts, .hosts = parts == 0, .streams = 1, .active = true};
    }
}

/* Sets `active` and `streams`; false if no place takes part with all its streams. */
static bool activate(struct work *w, int round)
{
    bool any = false;
    for (struct crossing *c = w->crossing; c < w->crossing + w->crossings; c++) {
        c->streams = MOST_STREAMS;
        any |= c->active = !c->hosts && round < rounds(c);
    }
    return any;
}

static bool measure_level(struct work *w, int level)
{
    int64_t bytes = 0;
    const double start = w->seconds;
    find_crossings(w, level);
    bool good = w->crossings == 0 || (find_bytes(w, &bytes) && measure_round(w, 0, bytes));
    for (int round = 0; good && w->seconds - start < BUDGET && activate(w, round); round++)
        good = measure_round(w, round, bytes);
    return good;
}

bool infer_figures(struct work *w)
{
    bool good = true;
    for (int level = 0; level <= INFER_DEPTH && good; level++)
        good = measure_level(w, level);
    return good;
}
