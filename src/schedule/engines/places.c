/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places: two pipelined binary trees over places in places, each carrying half of the message. pair.c makes the trees.
 *
 * Ours: the two-tree algorithm of Sanders, Speck and Traeff for machines that are not uniform. Two flat trees send up to
 * four and a half times the message out of a place; these send it in once and out at most once (see doc/places), and take few
 * steps more than flat ones.
 *
 * TABLE
 */
#include "pair.h"
#include "places_scan.h"

static bool fits(const struct shape *s)
{
    return s->places && places_differ(s->places);
}

/* The construction for a shape, and its source. */
static braid_maker *maker_for(const struct shape *s, int *source)
{
    bool ordered = s->collective == COLL_REDUCE && s->ordered;
    *source = shape_interior(s) ? 0 : s->root;
    return ordered && *source == s->ranks - 1 ? pair_last : pair_first;
}

static void generate(struct schedule *s)
{
    int source;
    braid_maker *maker = maker_for(&s->shape, &source);
    braid_generate(s, maker, source);
}

static struct pace pace(const struct shape *s)
{
    int source;
    braid_maker *maker = maker_for(s, &source);
    return braid_pace(s, maker, source);
}

#define PAIR                                                                                                                \
    .text.rounds = "n+s", .text.needs = "places that differ", .fits = fits, .pace = pace, .generate = generate,             \
    .model.streams = true, .model.crossings = 1

#define SCAN                                                                                                                \
    .text.rounds = "2n+s", .text.needs = "places of consecutive ranks", .fits = places_scan_fits, .pace = places_scan_pace, \
    .generate = places_scan

const struct engine engine_places = {
    .name = "places",
    .summary = "two binary trees over places in places, half of the message down each, every boundary crossed once",
    .trees = 2,
    .scratch = 5,
    .serves = {[COLL_BCAST] = {PAIR},
               [COLL_REDUCE] = {PAIR, .text.interior = "2n+2s"},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
