/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a report; see tables.h. */
#include "tables.h"

#include "engine.h"

#include <assert.h>
#include <string.h>

/* Few kinds are ever met, and those of most calls early. */
static struct tally *kind_tally(struct tables *t, const struct record *r)
{
    for (struct kind_row *k = t->kind; k < t->kind + t->kinds; k++)
        if (k->reason == r->reason && k->collective == r->collective && strcmp(k->engine, r->engine) == 0)
            return &k->tally;
    if (t->kinds == KINDS)
        return &t->other_kinds;
    struct kind_row *k = &t->kind[t->kinds++];
    *k = (struct kind_row){.collective = r->collective, .engine = r->engine, .reason = r->reason};
    return &k->tally;
}

static struct tally *site_tally(struct tables *t, const struct record *r)
{
    uint64_t hash = (uint64_t)r->collective + 1;
    int frames = 0;
    assert(t->sites <= SITES); /* so a slot is free, and the search ends */
    for (; frames < SITE_FRAMES && r->frame[frames]; frames++)
        hash = (hash ^ (uintptr_t)r->frame[frames]) * 0x9e3779b97f4a7c15u;
    for (uint64_t i = hash >> 32;; i++) {
        struct site_row *s = &t->site[i % SITE_SLOTS];
        bool ends = frames == SITE_FRAMES || !s->frame[frames];
        if (s->tally.calls == 0 && t->sites == SITES)
            return &t->other_sites;
        if (s->tally.calls == 0) {
            t->sites++;
            s->collective = r->collective;
            memcpy(s->frame, r->frame, (size_t)frames * sizeof s->frame[0]);
            return &s->tally;
        }
        if (ends && s->collective == r->collective && memcmp(s->frame, r->frame, (size_t)frames * sizeof s->frame[0]) == 0)
            return &s->tally;
    }
}

void tables_add(struct tables *t, const struct record *r)
{
    const struct tally call = {1, (double)r->bytes, r->duration, r->duration, r->duration, r->duration, 0, 0, 0};
    assert(r->engine && r->collective < COLLECTIVES && r->reason < REASONS);
    tally_add(&t->all, &call);
    tally_add(&t->by[r->collective], &call);
    if (strcmp(r->engine, engines[0]->name) != 0)
        tally_add(&t->engines[r->collective], &call);
    tally_add(kind_tally(t, r), &call);
    tally_add(site_tally(t, r), &call);
}
