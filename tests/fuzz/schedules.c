/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator finds no error in schedules, whatever the engine, collective, ranks, blocks, root, nodes and places are. */
#include "fuzz.h"
#include "simulate.h"

enum { RANKS = 40, BLOCKS = 40, DEPTH = 3 };

static struct places *take_places(struct bytes *b, int ranks)
{
    static int path[RANKS][DEPTH];
    const int depth = take_number(b, 0, DEPTH), sites = take_number(b, 0, 1);
    const bool consecutive = take_byte(b) % 2;
    if (depth == 0)
        return NULL;
    for (int r = 0; r < ranks; r++)
        for (int level = 0; level < depth; level++) {
            const int step = take_number(b, 0, 3);
            path[r][level] = consecutive ? (r ? path[r - 1][level] : 0) + (step == 3) : step;
        }
    for (int r = 0; depth < DEPTH && r < ranks; r++)
        memmove(&path[0][0] + (ptrdiff_t)r * depth, path[r], (size_t)depth * sizeof path[r][0]);
    return places_of(&path[0][0], ranks, depth, sites);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes b = {data, size};
    const struct engine *e = engines[take_number(&b, 1, engine_count() - 1)];
    const enum collective c = (enum collective)take_number(&b, 0, COLLECTIVES - 1);
    const int ranks = take_number(&b, 1, RANKS);
    struct shape s = {.collective = c,
                      .ordered = take_byte(&b) % 2,
                      .ranks = ranks,
                      .root = collective_rooted(c) ? take_number(&b, 0, ranks - 1) : 0,
                      .blocks = take_number(&b, 1, BLOCKS),
                      .wide = take_number(&b, 0, 4),
                      .group = take_number(&b, 0, 9),
                      .node_ranks = take_number(&b, 0, ranks)};
    struct places *places = take_places(&b, ranks);
    if (places && places_differ(places))
        s.places = places;
    s.wide = service_wide(&e->serves[c], ranks, s.wide);
    if (e->serves[c].work)
        s.blocks = s.blocks < ranks ? s.blocks : s.blocks / ranks * ranks;
    if (engine_fits(e, &s)) {
        struct verdict v;
        MUST(simulate_engine(e, &s, &v), "%s %s p=%d k=%d root=%d n=%d w=%d ordered=%d group=%d: %s", e->name,
             collective_name(c), ranks, s.node_ranks, s.root, (int)s.blocks, (int)s.wide, s.ordered, s.group, v.why);
    }
    places_free(places);
    return 0;
}
