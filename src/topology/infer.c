/* SPDX-License-Identifier: BSD-2-Clause */
/* Infers places (infer.h) by round trips, divides them by racks, and measures the figures of all places. */
#include "infer_work.h"

#include "hash.h"
#include "units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

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
    const size_t p = (size_t)w->hosts, rows = 2 * p; /* as no place has a single part */
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
    w->scratch = cut(b, p, sizeof *w->scratch);
    w->crossing = cut(b, p / 2, sizeof *w->crossing);
    w->parts = cut(b, rows, sizeof *w->parts);
    w->part_row = cut(b, rows, sizeof *w->part_row);
}

/*
 * Gets all memory of this rank and of the prober, for batches of up to `probes` probes. Returns false on all ranks if one of
 * them lacks memory.
 */
static bool begin(struct work *w, int probes)
{
    struct block counted = {.base = NULL};
    lay_out(w, &counted, probes);
    struct block had = {.base = calloc(1, counted.used)};
    w->memory = had.base;
    if (w->memory)
        lay_out(w, &had, probes);
    bool have = survey_begin(&w->draft, 2 * w->hosts, w->hosts) && w->memory;
    return w->prober->begin(w->prober->self, have, probes);
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

/* The keys of hosts borrow memory. */
static struct key *keys_in(const struct work *w)
{
    return (struct key *)(void *)w->rtt;
}

static void sort(struct key *key, int *host, int hosts)
{
    qsort(key, (size_t)hosts, sizeof *key, by_key);
    for (int i = 0; i < hosts; i++)
        host[i] = key[i].host;
}

/* Puts the hosts in random order, so that the first hosts of a place are a sample. */
static void shuffle(struct work *w, uint64_t seed)
{
    struct key *key = keys_in(w);
    for (int host = 0; host < w->hosts; host++)
        key[host] = (struct key){.key = mix64(seed + ((uint64_t)host + 1) * 0x9e3779b97f4a7c15u), .host = host};
    sort(key, w->member, w->hosts);
}

/* Divides a place without parts by racks, if its hosts lie in several. */
static void divide_by_racks(struct work *w, int row, const int *rack)
{
    struct key *key = keys_in(w);
    int *member = w->member, first = w->first[row];
    const int end = w->end[row];
    bool several = false;
    for (int i = first; i < end; i++) {
        key[i - first] = (struct key){.key = (uint64_t)rack[member[i]], .host = member[i]};
        several |= rack[member[i]] != rack[member[first]];
    }
    if (!several)
        return;
    sort(key, member + first, end - first);
    for (int i = first + 1; i <= end; i++)
        if (i == end || rack[member[i]] != rack[member[first]]) {
            infer_add_place(w, row, first, i);
            w->place[w->rows - 1].alpha = w->place[row].alpha;
            first = i;
        }
}

static void find_racks(struct work *w, const int *rack)
{
    const int rows = w->rows;
    for (int row = 0; row < rows; row++)
        if (w->row[w->member[w->first[row]]] == row && w->place[row].level < w->depth)
            divide_by_racks(w, row, rack);
}

struct survey *infer_places(const struct prober *prober, int hosts, int depth, const int *rack, uint64_t seed)
{
    struct work w = {.prober = prober, .hosts = hosts, .depth = depth};
    bool found = false;
    assert(hosts >= 1 && depth >= 0 && depth <= PLACES_DEPTH && sizeof(struct key) <= PIVOTS * sizeof *w.rtt);
    if (begin(&w, PIVOTS * hosts)) {
        shuffle(&w, seed);
        infer_add_place(&w, -1, 0, hosts);
        found = infer_split(&w);
    }
    if (found) {
        find_racks(&w, rack);
        found = infer_figures(&w);
    }
    if (found)
        survey_fill(&w.draft, w.place, w.rows, w.row, hosts);
    free(w.memory);
    return survey_end(&w.draft, found);
}
