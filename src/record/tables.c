/* SPDX-License-Identifier: BSD-2-Clause */
/* See tables.h. */
#include "tables.h"

#include "engine.h"
#include "hash.h"
#include "own_memory.h"

#include <assert.h>
#include <string.h>

enum { LEAST = 64 };

/* For one more entry; false if none. An index is at most half full. */
static bool make_room(struct own_table *t, size_t size)
{
    const int room = t->room ? 2 * t->room : LEAST;
    if (t->count < t->room || t->full)
        return t->count < t->room;
    struct index larger = {.slots = 2 * (size_t)room};
    void *entry = room <= LARGEST ? own_memory((size_t)room * size) : NULL;
    larger.slot = entry ? own_memory(larger.slots * sizeof *larger.slot) : NULL;
    t->full = !larger.slot;
    if (t->full) {
        own_memory_free(entry);
        return false;
    }
    for (const struct index_slot *s = t->index.slot; s < t->index.slot + t->index.slots; s++)
        if (s->entry)
            index_add(&larger, s->hash, s->entry - 1);
    if (t->count)
        memcpy(entry, t->entry, (size_t)t->count * size);
    own_memory_free(t->entry);
    own_memory_free(t->index.slot);
    t->entry = entry;
    t->index = larger;
    t->room = room;
    return true;
}

/* With this key, perhaps a new one of zeros; -1 without room. */
static int find_or_add(struct own_table *t, size_t size, uint64_t hash, index_same *same, const void *key)
{
    const int64_t found = index_find(&t->index, hash, same, t->entry, key);
    if (found >= 0 || !make_room(t, size))
        return (int)found;
    index_add(&t->index, hash, t->count);
    return t->count++;
}

static int engine_named(const char *name)
{
    for (int i = 0; engines[i]; i++)
        if (engines[i]->name == name)
            return i;
    const struct engine *e = name ? engine_find(name) : NULL;
    return e ? engine_row(e) : 0;
}

static uint64_t row_key(const struct rank_row *r)
{
    const uint64_t part[] = {(uint64_t)(r->size + 1), (uint64_t)r->engine, (uint64_t)r->would, (uint64_t)r->reason,
                             (uint64_t)r->tried};
    uint64_t key = (uint64_t)r->collective;
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++)
        key = key << 8 | part[i];
    return key;
}

static bool same_row(const void *entries, int64_t entry, const void *key)
{
    const struct rank_row *a = (const struct rank_row *)entries + entry, *b = key;
    return a->site == b->site && row_key(a) == row_key(b);
}

/* As `like`, which has no calls; or the collective's others. */
static struct rank_row *find_row(struct tables *t, const struct rank_row *like)
{
    struct rank_row *others = &t->others[like->collective];
    const uint64_t hash = mix64(row_key(like) ^ mix64((uint64_t)(like->site + 1)));
    const int n = find_or_add(&t->row, sizeof *like, hash, same_row, like);
    struct rank_row *row = n < 0 ? others : (struct rank_row *)t->row.entry + n;
    if (row->tally.calls == 0)
        *row =
            n < 0 ? (struct rank_row){.collective = like->collective, .size = -1, .reason = REASON_NONE, .site = -1} : *like;
    return row;
}

static bool same_site(const void *entries, int64_t entry, const void *key)
{
    void *const *a = ((const struct site_frames *)entries)[entry].frame, *const *b = key;
    int i = 0;
    while (i < CALL_SITE_FRAMES && a[i] && a[i] == b[i])
        i++;
    return i == CALL_SITE_FRAMES || a[i] == b[i];
}

static int find_site(struct tables *t, void *const frame[])
{
    const int before = t->site.count;
    uint64_t hash = 1;
    for (int i = 0; i < CALL_SITE_FRAMES && frame[i]; i++)
        hash = mix64(hash ^ (uintptr_t)frame[i]);
    const int site = find_or_add(&t->site, sizeof(struct site_frames), hash, same_site, frame);
    for (int i = 0; i < CALL_SITE_FRAMES && frame[i] && site == before; i++)
        ((struct site_frames *)t->site.entry)[site].frame[i] = frame[i];
    return site;
}

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
    const int engine = engine_named(r->engine);
    const struct rank_row like = {.collective = r->collective,
                                  .size = rank_report_size(r->bytes),
                                  .engine = engine,
                                  .would = r->would ? engine_named(r->would) : engine,
                                  .reason = r->reason,
                                  .site = find_site(t, r->frame),
                                  .tried = expected.tried};
    struct rank_row *row = find_row(t, &like);
    t->faults += row->tally.calls > 0 ? r->faults : 0;
    tally_add(&row->tally, &call);
    own_share_add(&row->own, expected.own);
    keep_call(t, r, engine, row->site, began);
}
