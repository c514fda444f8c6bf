/* SPDX-License-Identifier: BSD-2-Clause */
/* Places by round trips, divided by racks, with the figures of all. */
#include "infer_work.h"

#include "hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

#define ARRAY(name, count)                                                                                                  \
    {                                                                                                                       \
        &w->name, ((count) * sizeof *w->name + 15) / 16 * 16                                                                \
    }

/* False on all ranks if one, or the prober, lacks memory. */
static bool begin(struct work *w, int probes)
{
    const size_t p = (size_t)w->hosts, rows = 2 * p; /* no place has a single part */
    const struct {
        void *array;
        size_t bytes;
    } wanted[] = {ARRAY(member, p),   ARRAY(first, rows),     ARRAY(end, rows),  ARRAY(probe, (size_t)probes),
                  ARRAY(flow, p / 2), ARRAY(rtt, p * PIVOTS), ARRAY(busy, p),    ARRAY(speaker, p),
                  ARRAY(part, p),     ARRAY(nearest, 2 * p),  ARRAY(scratch, p), ARRAY(crossing, p / 2)};
    enum { ARRAYS = sizeof wanted / sizeof wanted[0] };
    size_t all = 0;
    for (int i = 0; i < ARRAYS; i++)
        all += wanted[i].bytes;
    char *at = w->memory = calloc(1, all);
    for (int i = 0; at && i < ARRAYS; at += wanted[i++].bytes)
        memcpy(wanted[i].array, &at, sizeof at);
    w->survey = survey_new((int)rows, w->hosts);
    return w->prober->begin(w->prober->self, w->memory && w->survey, probes);
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

static void shuffle(struct work *w, uint64_t seed)
{
    struct key *key = keys_in(w);
    for (int host = 0; host < w->hosts; host++)
        key[host] = (struct key){.key = mix64(seed + ((uint64_t)host + 1) * 0x9e3779b97f4a7c15u), .host = host};
    sort(key, w->member, w->hosts);
}

static void add_place(struct work *w, int around, int first, int end)
{
    const int row = w->survey->rows++;
    struct found *place = w->survey->place;
    place[row] = (struct found){.around = around, .level = around < 0 ? 0 : place[around].level + 1};
    w->first[row] = first;
    w->end[row] = end;
    for (int i = first; i < end; i++)
        w->survey->row[w->member[i]] = row;
}

static void divide(struct work *w, int row, const int *number)
{
    struct key *key = keys_in(w);
    int *member = w->member, first = w->first[row];
    const int end = w->end[row];
    bool several = false;
    for (int i = first; i < end; i++) {
        key[i - first] = (struct key){.key = (uint64_t)number[member[i]], .host = member[i]};
        several |= number[member[i]] != number[member[first]];
    }
    if (!several)
        return;
    sort(key, member + first, end - first);
    for (int i = first + 1; i <= end; i++)
        if (i == end || number[member[i]] != number[member[first]]) {
            add_place(w, row, first, i);
            first = i;
        }
}

/* Alpha is half of the median round trip from their pivots or speakers. */
static void add_parts(struct work *w)
{
    struct survey *s = w->survey;
    double *time = w->nearest + w->hosts;
    if (w->parts + w->groups > 1)
        divide(w, 0, w->part);
    for (int row = 1; row < s->rows; row++) {
        int count = 0;
        for (int i = w->first[row]; i < w->end[row]; i++)
            if (w->nearest[w->member[i]] > 0)
                time[count++] = w->nearest[w->member[i]];
        s->place[row].alpha = infer_median(time, count) / 2;
    }
}

static void add_racks(struct work *w, const int *rack)
{
    struct survey *s = w->survey;
    for (int row = s->rows > 1, end = s->rows; row < end; row++) {
        const int first = s->rows;
        divide(w, row, rack);
        for (int i = first; i < s->rows; i++)
            s->place[i].alpha = s->place[row].alpha;
    }
}

struct survey *infer_places(const struct prober *prober, int hosts, const int *rack, uint64_t seed)
{
    struct work w = {.prober = prober, .hosts = hosts};
    bool found = false;
    assert(hosts >= 1 && sizeof(struct key) <= PIVOTS * sizeof *w.rtt);
    if (begin(&w, PIVOTS * hosts)) {
        shuffle(&w, seed);
        add_place(&w, -1, 0, hosts);
        found = hosts == 1 || infer_split(&w);
    }
    if (found) {
        add_parts(&w);
        add_racks(&w, rack);
        found = infer_figures(&w);
    }
    free(w.memory);
    if (found) {
        survey_lay_out(w.survey);
        return w.survey;
    }
    free(w.survey);
    return NULL;
}
