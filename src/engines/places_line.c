/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places-line: two pipelined binary trees at once over places in a line: sites, far from each other. doc/places says more.
 *
 * The construction is ours. Between sites the latency is much larger than the time of a block. In the trees of places.c the
 * two halves of the message go both ways between sites, so the steps of two sites wait for each other. In a line each site
 * gets both halves from the site before it and passes both on, so it waits for that site alone. The price is a path through
 * all sites; the model weighs it. For an ordered reduction gates.c serves: in-order trees with two exits on the right would
 * be chains.
 *
 * The root feeds both trees to the rest of its innermost place. This rest passes both on to the rest of the enclosing place,
 * and so on; nothing comes back. pair.c makes the trees, tree_pair.c colours their edges and has the schedule.
 *
 * Rounds: n + s, with the span s of places.c; for an ordered reduction 2n + s.
 *
 * Example, broadcast, sites of 3, 2 and 2 ranks in a line, root 0. Blocks 0, 1 go down 1 -> (3 -> (6 -> (5, -), 4), 2), and
 * blocks 2, 3 down 2 -> (1, 4 -> (3, 5 -> (-, 6))). The block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6    7
 *     rank 0  -/0  -/2  -/1  -/3
 *     rank 1  0/-  -/0  1/0  2/1  -/1  3/-
 *     rank 2       2/-  0/2  3/2  1/3  -/3
 *     rank 3       0/-  -/0  1/0  2/1  -/1  3/-
 *     rank 4            2/-  0/2  3/2  1/3  -/3
 *     rank 5                 2/-  0/-  3/2  1/-  -/3
 *     rank 6            0/-       1/0  2/-  -/1  3/-
 */
#include "pair.h"

static bool in_order(const struct shape *s)
{
    return s->collective == COLL_REDUCE && s->ordered;
}

static void generate(struct schedule *s)
{
    if (in_order(&s->shape))
        gates_generate(s);
    else
        tree_pair_generate(s, pair_line);
}

static struct round_bound round_bound(const struct shape *s)
{
    return in_order(s) ? gates_round_bound(s) : tree_pair_round_bound(s, pair_line);
}

#define LINE .round_bound = round_bound, .generate = generate, .model.streams = true, .model.crossings = 1

#define SCAN                                                                                                                \
    .text.rounds = "2n+s", .needs = NEED_SITES_IN_ORDER_IN_LINE, .trees = &gates_scan, .generate = tree_pair_scan,          \
    .model.crossings = 1

const struct engine engine_places_line = {
    .name = "places-line",
    .summary = "like 'places', but sites in a line pass the message on from one to the next",
    .halves = true,
    .scratch = 5,
    .serves = {[COLL_BCAST] = {LINE, .text.rounds = "n+s", .needs = NEED_SITES_IN_LINE},
               [COLL_REDUCE] = {LINE, .text.rounds = "n+s, in order 2n+s", .needs = NEED_SITES_IN_LINE_FOR_ORDER},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
