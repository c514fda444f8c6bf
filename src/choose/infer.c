/* SPDX-License-Identifier: BSD-2-Clause */
/* Infers places (infer.h) by round trips, then racks by rates under load. Last, the figures of all places are measured. */
#include "infer_work.h"

#include "hash.h"
#include "units.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SHORTEST = 1e-9;      /* seconds; a shorter time counts as this one */
static const double LONG_ENOUGH = 0.5e-3; /* least seconds of an exchange, so that its start counts for little */
static const double ROUND_TRIPS = 4;      /* an exchange takes at least this many, so that latency counts for little */
static const int64_t FEWEST_BYTES = 32 << 10, MOST_BYTES = 16 << 20;
enum { ROWS = 4 }; /* rows per host: a survey has fewer than two, and newcomers may double the rows */

bool infer_ping(struct work *w)
{
    int probes = w->probes;
    w->probes = 0;
    if (probes > 0 && !w->prober->ping(w->prober->self, w->probe, probes))
        return false;
    for (struct probe *p = w->probe; p < w->probe + probes; p++)
        p->least = p->least > SHORTEST ? p->least : SHORTEST;
    return true;
}

bool infer_exchange(struct work *w, int64_t bytes)
{
    const int flows = w->exchanged = w->flows;
    double slowest = 0;
    w->flows = 0;
    if (flows > 0 && !w->prober->exchange(w->prober->self, w->flow, flows, bytes))
        return false;
    for (struct flow *f = w->flow; f < w->flow + flows; f++) {
        f->seconds = f->seconds > SHORTEST ? f->seconds : SHORTEST;
        slowest = f->seconds > slowest ? f->seconds : slowest;
    }
    w->seconds += slowest;
    return true;
}

double infer_median(double *number, int count)
{
    if (count == 0)
        return 0;
    qsort(number, (size_t)count, sizeof *number, ascending_numbers);
    return number[(count - 1) / 2];
}

bool infer_bytes(struct work *w, bool (*exchange)(struct work *w, int64_t bytes), double alpha, bool median, int64_t *bytes)
{
    const double enough = fmax(LONG_ENOUGH, ROUND_TRIPS * 2 * alpha);
    for (*bytes = FEWEST_BYTES; *bytes < MOST_BYTES; *bytes *= 2) {
        if (!exchange(w, *bytes))
            return false;
        for (int i = 0; i < w->exchanged; i++)
            w->nearest[i] = w->flow[i].seconds;
        const double middle = infer_median(w->nearest, w->exchanged); /* sorts, so w->nearest[0] is the fastest */
        if ((median ? middle : w->nearest[0]) >= enough)
            break;
    }
    return true;
}

int infer_add_place(struct work *w, int around, int first, int end)
{
    int row = w->rows++;
    w->place[row] = (struct found){.around = around, .level = around < 0 ? 0 : w->place[around].level + 1};
    w->first[row] = first;
    w->end[row] = end;
    for (int i = first; i < end; i++)
        w->row[w->member[i]] = row;
    return row;
}

void infer_divide(struct work *w, int row, int parts)
{
    int lowest[PARTS] = {0}, hosts[PARTS] = {0}, order[PARTS], at[PARTS];
    const int begin = w->first[row], end = w->end[row];
    for (int i = begin; i < end; i++) {
        int host = w->member[i], part = w->part[host];
        lowest[part] = hosts[part]++ == 0 || host < lowest[part] ? host : lowest[part];
    }
    for (int part = 0, k; part < parts; part++) {
        for (k = part; k > 0 && lowest[order[k - 1]] > lowest[part]; k--)
            order[k] = order[k - 1];
        order[k] = part;
    }
    for (int k = 0, first = begin; k < parts; first += hosts[order[k++]])
        at[order[k]] = first;
    memcpy(w->scratch, w->member + begin, (size_t)(end - begin) * sizeof *w->member);
    for (int i = 0; i < end - begin; i++)
        w->member[at[w->part[w->scratch[i]]]++] = w->scratch[i];
    for (int k = 0; k < parts; k++)
        infer_add_place(w, row, at[order[k]] - hosts[order[k]], at[order[k]]);
}

void infer_count_parts(struct work *w)
{
    for (int row = 0; row < w->rows; row++)
        w->parts[row] = 0;
    for (int row = w->rows - 1; row > 0; row--) {
        w->parts[w->place[row].around]++;
        w->part_row[w->place[row].around] = row;
    }
}

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* A block of memory, from which the arrays of struct work are cut. */
struct block {
    char *base; /* NULL: the bytes are only counted */
    size_t used;
};

static void *cut(struct block *b, size_t count, size_t size)
{
    void *piece = b->base ? b->base + b->used : NULL;
    b->used += (count * size + 15) / 16 * 16;
    return piece;
}

static void lay_out(struct work *w, struct block *b, int probes)
{
    const size_t p = (size_t)w->hosts, rows = ROWS * p;
    w->place = cut(b, rows, sizeof *w->place);
    w->row = cut(b, p, sizeof *w->row);
    w->member = cut(b, p, sizeof *w->member);
    w->first = cut(b, rows, sizeof *w->first);
    w->end = cut(b, rows, sizeof *w->end);
    w->probe = cut(b, (size_t)probes, sizeof *w->probe);
    w->flow = cut(b, p / 2, sizeof *w->flow);
    w->set = cut(b, p / 2, sizeof *w->set);
    w->rtt = cut(b, p * PIVOTS, sizeof *w->rtt);
    w->speaker = cut(b, p, sizeof *w->speaker);
    w->part = cut(b, p, sizeof *w->part);
    w->nearest = cut(b, 2 * p, sizeof *w->nearest);
    w->busy = cut(b, p, sizeof *w->busy);
    w->scratch = cut(b, 2 * p, sizeof *w->scratch);
    w->stretch = cut(b, p / 2, sizeof *w->stretch);
    w->line = cut(b, p, sizeof *w->line);
    w->rate = cut(b, 2 * p, sizeof *w->rate);
    w->crossing = cut(b, p / 2, sizeof *w->crossing);
    w->parts = cut(b, rows, sizeof *w->parts);
    w->part_row = cut(b, rows, sizeof *w->part_row);
}

bool infer_begin(struct work *w, int probes)
{
    struct block counted = {.base = NULL};
    lay_out(w, &counted, probes);
    struct block had = {.base = calloc(1, counted.used)};
    w->memory = had.base;
    if (w->memory)
        lay_out(w, &had, probes);
    bool have = survey_begin(&w->draft, ROWS * w->hosts, w->hosts) && w->memory;
    return w->prober->begin(w->prober->self, have, probes);
}

struct survey *infer_end(struct work *w, bool found)
{
    if (found)
        survey_fill(&w->draft, w->place, w->rows, w->row, w->hosts);
    free(w->memory);
    return survey_end(&w->draft, found);
}

/* ---- All steps ------------------------------------------------------------------------------------------------------- */

struct key {
    uint64_t key;
    int host;
};

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : x->host - y->host;
}

/* Puts the hosts in random order, so that the first hosts of a place are a sample. The keys borrow the memory of w->rtt. */
static void shuffle(struct work *w, uint64_t seed)
{
    struct key *key = (struct key *)(void *)w->rtt;
    for (int host = 0; host < w->hosts; host++)
        key[host] = (struct key){.key = mix64(seed + ((uint64_t)host + 1) * 0x9e3779b97f4a7c15u), .host = host};
    qsort(key, (size_t)w->hosts, sizeof *key, by_key);
    for (int i = 0; i < w->hosts; i++)
        w->member[i] = key[i].host;
}

struct survey *infer_places(const struct prober *prober, int hosts, int depth, const int *order, uint64_t seed)
{
    struct work w = {.prober = prober, .hosts = hosts, .depth = depth, .order = order};
    bool found = false;
    assert(hosts >= 1 && depth >= 0 && depth <= PLACES_DEPTH && sizeof(struct key) <= PIVOTS * sizeof *w.rtt);
    if (infer_begin(&w, PIVOTS * hosts)) {
        shuffle(&w, seed);
        infer_add_place(&w, -1, 0, hosts);
        found = infer_split(&w, 0) && infer_racks(&w, 0) && infer_figures(&w, 0);
    }
    return infer_end(&w, found);
}
