/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a rank report; see tables.h. */
#include "tables.h"

#include "engine.h"
#include "hash.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * The tables add a row with a site only while fewer than SITED rows are in use, and a row without a site only while fewer
 * than SORTED are. The rest is room for the last row of each collective (tables.h).
 */
enum { SITED = ROWS - 512, SORTED = ROWS - COLLECTIVES };

/* The row of engines[] for a name. Most names are pointers from the registry, so pointers are compared first. */
static int engine_named(const char *name)
{
    for (int i = 0; engines[i]; i++)
        if (engines[i]->name == name)
            return i;
    const struct engine *e = name ? engine_find(name) : NULL;
    return e ? engine_row(e) : 0;
}

/* A number that stands for all properties of a row's calls. */
static uint64_t row_key(const struct rank_row *r)
{
    const uint64_t part[] = {(uint64_t)(r->size + 1), (uint64_t)r->engine, (uint64_t)r->would, (uint64_t)r->reason,
                             (uint64_t)r->tried};
    uint64_t key = (uint64_t)r->collective;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        key = key << 8 | part[i];
    return key << 16 | (uint64_t)(r->site + 1);
}

static int *row_slot(struct tables *t, uint64_t key)
{
    return &t->row_first[mix64(key) % ROW_SLOTS];
}

/* Takes a free row and returns its number; 0 if `most` rows are in use. */
static int free_row(struct tables *t, int most)
{
    const int n = t->row_free;
    if (t->rows - t->rows_free >= most)
        return 0;
    if (!n)
        return ++t->rows;
    t->row_free = t->row_next[n - 1];
    t->rows_free--;
    return n;
}

/* The row with the properties of `like`. Adds this row if it is missing; NULL if `most` rows are in use. */
static struct rank_row *find_row(struct tables *t, const struct rank_row *like, int most)
{
    const uint64_t key = row_key(like);
    int *first = row_slot(t, key), n = *first;
    while (n && row_key(&t->row[n - 1]) != key)
        n = t->row_next[n - 1];
    if (n || !(n = free_row(t, most)))
        return n ? &t->row[n - 1] : NULL;
    t->row[n - 1] = *like;
    t->row_next[n - 1] = *first;
    *first = n;
    if (like->site >= 0) {
        t->next_own[n - 1] = t->own_row[like->site];
        t->own_row[like->site] = n;
    }
    return &t->row[n - 1];
}

/* The row with the properties of `like`, but without a site. If there is no room, the last row of the collective. */
static struct rank_row *row_without_site(struct tables *t, const struct rank_row *like)
{
    struct rank_row plain = *like, last = {.collective = like->collective, .size = -1, .reason = REASON_NONE, .site = -1};
    plain.site = -1;
    plain.tally = (struct tally){0};
    struct rank_row *row = find_row(t, &plain, SORTED);
    return row ? row : find_row(t, &last, ROWS);
}

static void unlink_number(int *first, int *next, int n)
{
    int *link = first;
    while (*link != n)
        link = &next[*link - 1];
    *link = next[n - 1];
}

/* ---- Sites ----------------------------------------------------------------------------------------------------------- */

static void strip(struct tables *t, int site)
{
    for (int n = t->own_row[site], next; n; n = next) {
        const struct rank_row row = t->row[n - 1];
        next = t->next_own[n - 1];
        unlink_number(row_slot(t, row_key(&row)), t->row_next, n);
        t->row[n - 1].tally = (struct tally){0};
        t->row_next[n - 1] = t->row_free;
        t->row_free = n;
        t->rows_free++;
        tally_add(&row_without_site(t, &row)->tally, &row.tally);
    }
    for (int n = t->own_call[site]; n; n = t->next_call[n - 1])
        t->call[n - 1].site = -1;
    t->own_row[site] = t->own_call[site] = 0;
    t->counted[site] = 0;
    t->missed = fmax(t->missed, t->weight[site]);
}

/* Returns the site of least weight; -1: none. If `except` is not -1, leaves out site `except` and all sites without rows. */
static int cheapest(const struct tables *t, int except)
{
    int least = -1;
    for (int i = 0; i < t->sites; i++)
        if ((except < 0 || (i != except && t->own_row[i])) && (least < 0 || t->weight[i] < t->weight[least]))
            least = i;
    return least;
}

static uint64_t site_hash(void *const frame[])
{
    uint64_t hash = 1;
    for (int i = 0; i < CALL_SITE_FRAMES && frame[i]; i++)
        hash = mix64(hash ^ (uintptr_t)frame[i]);
    return hash;
}

static bool same_site(void *const a[], void *const b[])
{
    int i = 0;
    while (i < CALL_SITE_FRAMES && a[i] && a[i] == b[i])
        i++;
    return i == CALL_SITE_FRAMES || a[i] == b[i];
}

/* Returns the number of an entry for a new site. If none is free, the site of least weight gives up its entry. */
static int new_site(struct tables *t)
{
    if (t->sites < SITES)
        return t->sites++;
    const int site = cheapest(t, -1);
    strip(t, site);
    unlink_number(&t->site_first[site_hash(t->site[site]) % SITE_SLOTS], t->site_next, site + 1);
    memset(t->site[site], 0, sizeof t->site[site]);
    return site;
}

/* The number of a site, from 0; adds the site if it is new. */
static int find_site(struct tables *t, void *const frame[])
{
    int *first = &t->site_first[site_hash(frame) % SITE_SLOTS];
    for (int n = *first; n; n = t->site_next[n - 1])
        if (same_site(t->site[n - 1], frame))
            return n - 1;
    const int site = new_site(t);
    for (int i = 0; i < CALL_SITE_FRAMES && frame[i]; i++)
        t->site[site][i] = frame[i];
    t->weight[site] = t->missed;
    t->site_next[site] = *first;
    *first = site + 1;
    return site;
}

/* ---- Calls ----------------------------------------------------------------------------------------------------------- */

static void keep_call(struct tables *t, const struct record *r, int engine, int site, double began)
{
    int64_t each;
    if (!r->comm_id || r->number < 0 || t->calls == CALLS || !rank_report_keeps(r->number, &each))
        return;
    t->call[t->calls++] = (struct rank_call){.comm = r->comm_id,
                                             .number = r->number,
                                             .ranks = r->ranks,
                                             .start = r->time - began,
                                             .seconds = r->duration,
                                             .collective = r->collective,
                                             .bytes = r->bytes,
                                             .engine = engine,
                                             .site = site};
    if (site >= 0) {
        t->next_call[t->calls - 1] = t->own_call[site];
        t->own_call[site] = t->calls;
    }
}

/*
 * The row with the properties of `like`. If no row is free for it, another site loses its rows. NULL if that does not help.
 */
static struct rank_row *row_with_site(struct tables *t, const struct rank_row *like)
{
    struct rank_row *row = find_row(t, like, SITED);
    const int other = row ? -1 : cheapest(t, like->site);
    if (other >= 0) {
        strip(t, other);
        row = find_row(t, like, SITED);
    }
    return row;
}

void tables_add(struct tables *t, const struct record *r, double began)
{
    const bool both = r->expected.native > 0 && r->expected.engine > 0;
    const struct expected expected = both ? r->expected : (struct expected){0};
    const struct tally call = {.calls = 1,
                               .bytes = (double)r->bytes,
                               .seconds = r->duration,
                               .least = r->duration,
                               .most = r->duration,
                               .first = r->duration,
                               .native = expected.native,
                               .engine = expected.engine,
                               .predicted = both ? r->duration : 0,
                               .noise = expected.noise};
    assert(r->engine && r->collective < COLLECTIVES && r->reason < REASONS);
    const int site = find_site(t, r->frame), engine = engine_named(r->engine);
    const struct rank_row like = {.collective = r->collective,
                                  .size = rank_report_size(r->bytes),
                                  .engine = engine,
                                  .would = r->would ? engine_named(r->would) : engine,
                                  .reason = r->reason,
                                  .site = site,
                                  .tried = expected.tried};
    struct rank_row *row = row_with_site(t, &like);
    t->weight[site] += r->duration;
    if (row)
        t->counted[site] += r->duration;
    else
        t->missed = fmax(t->missed, t->weight[site] - t->counted[site]);
    row = row ? row : row_without_site(t, &like);
    t->faults += row->tally.calls > 0 ? r->faults : 0;
    tally_add(&row->tally, &call);
    keep_call(t, r, engine, row->site, began);
}
