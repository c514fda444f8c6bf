/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places-line: two pipelined binary trees over places, of which some are in a line: sites, far from each other. pair.c makes
 * the trees.
 *
 * Ours. Between sites latency is much larger than the time of a block. Where the pair of pair.c joins sites, the message's
 * halves run in both directions between them, and the steps of a site wait for both. In a line each site has both halves
 * from the one before it and passes both on: the steps of a site wait for one other site alone. In order, gates.c serves.
 *
 * TABLE
 */
#include "gates.h"
#include "pair.h"
#include "places_scan.h"

static bool has_line(const struct shape *s)
{
    bool line = false;
    for (int row = 0; s->places && places_differ(s->places) && row < s->places->rows; row++)
        line |= s->places->place[row].line;
    return line;
}

static bool in_order(const struct shape *s)
{
    return s->collective == COLL_REDUCE && s->ordered;
}

static bool fits(const struct shape *s)
{
    return has_line(s) && (!in_order(s) || gates_fit(s));
}

static void generate(struct schedule *s)
{
    if (in_order(&s->shape))
        gates_generate(s);
    else
        braid_generate(s, pair_line, s->shape.root);
}

static struct pace pace(const struct shape *s)
{
    return in_order(s) ? gates_pace(s) : braid_pace(s, pair_line, s->root);
}

#define LINE .fits = fits, .pace = pace, .generate = generate, .model.streams = true, .model.crossings = 1

#define SCAN                                                                                                                \
    .text.rounds = "2n+s", .text.needs = "sites of consecutive ranks, in a line", .fits = gates_scan_fits,                  \
    .pace = gates_scan_pace, .generate = gates_scan

const struct engine engine_places_line = {
    .name = "places-line",
    .summary = "like places, but sites in a line pass the message on from one to the next",
    .trees = 2,
    .scratch = 5,
    .serves = {[COLL_BCAST] = {LINE, .text = {.rounds = "n+s", .needs = "sites in a line"}},
               [COLL_REDUCE] = {LINE, .text = {.rounds = "n+s", .needs = "X"}},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
