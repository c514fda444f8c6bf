/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a part; see tables.h. */
#include "tables.h"

#include "engine.h"
#include "hash.h"

#include <assert.h>
#include <string.h>

/* Rows that are kept free for what comes when the others are taken: kinds of calls without a site; and at last a row for each
 * collective. */
enum { SITED = ROWS - 512, SORTED = ROWS - COLLECTIVES };

/* The row of engines[]. Names are most often the registry's own. */
static int engine_named(const char *name)
{
    for (int i = 0; engines[i]; i++)
        if (engines[i]->name == name)
            return i;
    const struct engine *e = name ? engine_find(name) : NULL;
    return e ? engine_row(e) : 0;
}

/* What the calls of a row have in common, in a number. */
static uint64_t row_key(const struct part_row *r)
{
    const uint64_t part[] = {(uint64_t)(r->size + 1), (uint64_t)r->engine, (uint64_t)r->would, (uint64_t)r->reason,
                             (uint64_t)r->tried};
    uint64_t key = (uint64_t)r->collective;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        key = key << 8 | part[i];
    return key << 16 | (uint64_t)(r->site + 1);
}

/* The row for such calls; a new one while there are fewer than `most`, else NULL. */
static struct part_row *find_row(struct tables *t, const struct part_row *like, int most)
{
    const uint64_t key = row_key(like);
    assert(t->rows <= ROWS); /* so a slot is free, and the search ends */
    for (uint64_t i = mix64(key);; i++) {
        int *slot = &t->row_slot[i % ROW_SLOTS];
        if (*slot && row_key(&t->row[*slot - 1]) == key)
            return &t->row[*slot - 1];
        if (*slot)
            continue;
        if (t->rows >= most)
            return NULL;
        t->row[t->rows++] = *like;
        *slot = t->rows;
        return &t->row[*slot - 1];
    }
}

/* The number of a call's site, or -1: there is no room for it. */
static int find_site(struct tables *t, const struct record *r)
{
    uint64_t hash = 1;
    int frames = 0;
    for (; frames < SITE_FRAMES && r->frame[frames]; frames++)
        hash = (hash ^ (uintptr_t)r->frame[frames]) * 0x9e3779b97f4a7c15u;
    const size_t bytes = (size_t)frames * sizeof r->frame[0];
    assert(t->sites <= SITES); /* as above */
    for (uint64_t i = hash >> 32;; i++) {
        int *slot = &t->site_slot[i % SITE_SLOTS];
        void **frame = t->site[*slot ? *slot - 1 : 0];
        if (*slot && (frames == SITE_FRAMES || !frame[frames]) && memcmp(frame, r->frame, bytes) == 0)
            return *slot - 1;
        if (*slot)
            continue;
        if (t->sites == SITES)
            return -1;
        memcpy(t->site[t->sites++], r->frame, bytes);
        *slot = t->sites;
        return *slot - 1;
    }
}

static void keep_call(struct tables *t, const struct record *r, const struct part_row *row, int site, double began)
{
    int64_t each;
    if (!r->comm_id || r->number < 0 || t->calls == CALLS || !part_keeps(r->number, &each))
        return;
    t->call[t->calls++] = (struct part_call){.comm = r->comm_id,
                                             .number = r->number,
                                             .ranks = r->ranks,
                                             .start = r->time - began,
                                             .seconds = r->duration,
                                             .collective = r->collective,
                                             .bytes = r->bytes,
                                             .engine = row->engine,
                                             .site = site};
}

void tables_add(struct tables *t, const struct record *r, double began)
{
    const bool both = r->native_seconds > 0 && r->engine_seconds > 0;
    const struct tally call = {.calls = 1,
                               .bytes = (double)r->bytes,
                               .seconds = r->duration,
                               .least = r->duration,
                               .most = r->duration,
                               .first = r->duration,
                               .native = both ? r->native_seconds : 0,
                               .engine = both ? r->engine_seconds : 0,
                               .predicted = both ? r->duration : 0,
                               .noise = both ? r->noise_seconds : 0};
    assert(r->engine && r->collective < COLLECTIVES && r->reason < REASONS);
    const int site = find_site(t, r), engine = engine_named(r->engine);
    const struct part_row like = {.collective = r->collective,
                                  .size = part_size(r->bytes),
                                  .engine = engine,
                                  .would = r->would ? engine_named(r->would) : engine,
                                  .reason = r->reason,
                                  .site = site,
                                  .tried = both && r->tried};
    struct part_row plain = like, last = {.collective = r->collective, .size = -1, .reason = REASON_NONE, .site = -1};
    plain.site = -1;
    struct part_row *row = find_row(t, &like, site >= 0 ? SITED : SORTED);
    row = row ? row : find_row(t, &plain, SORTED);
    row = row ? row : find_row(t, &last, ROWS);
    tally_add(&row->tally, &call);
    keep_call(t, r, &like, site, began);
}
