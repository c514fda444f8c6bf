/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places-line: two pipelined binary trees at once over places, some of whose parts are in a line: sites, far from each
 * other. doc/places says more.
 *
 * Ours. Between sites the latency is much larger than the time of a block. Where the pair of places.c joins sites, the two
 * halves of the message run both ways between them, and the steps of either site wait for the other's. In a line each site
 * has both halves from the site before it and passes both on, so it waits for that one alone. The price is a way through all
 * sites; the model weighs it. In order, where two exits on the right would make the in-order trees a chain, gates.c serves.
 *
 * The root feeds the rest of its innermost place in both trees, which passes them on to the rest of the place around, and so
 * on; nothing comes back. pair.c makes the trees, tree_pair.c colours their edges, and tree_pair_lanes.c is the schedule.
 *
 * Rounds: n + s, the span s as in places.c. In order 2n + s.
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
#include "gates.h"
#include "pair.h"
#include "places_scan.h"

static bool in_order(const struct shape *s)
{
    return s->collective == COLL_REDUCE && s->ordered;
}

static void generate(struct schedule *s)
{
    if (in_order(&s->shape))
        gates_generate(s);
    else
        tree_pair_generate(s, pair_line, s->shape.root);
}

static struct round_bound round_bound(const struct shape *s)
{
    return in_order(s) ? gates_round_bound(s) : tree_pair_round_bound(s, pair_line, s->root);
}

#define LINE .round_bound = round_bound, .generate = generate, .model.streams = true, .model.crossings = 1

#define SCAN                                                                                                                \
    .text.rounds = "2n+s", .needs = NEED_SITES_IN_ORDER_IN_LINE, .round_bound = gates_scan_round_bound,                     \
    .generate = gates_scan, .model.crossings = 1

const struct engine engine_places_line = {
    .name = "places-line",
    .summary = "like places, but sites in a line pass the message on from one to the next",
    .trees = 2,
    .scratch = 5,
    .serves = {[COLL_BCAST] = {LINE, .text.rounds = "n+s", .needs = NEED_SITES_IN_LINE},
               [COLL_REDUCE] = {LINE, .text.rounds = "n+s, in order 2n+s", .needs = NEED_SITES_IN_LINE_FOR_ORDER},
               [COLL_SCAN] = {SCAN},
               [COLL_EXSCAN] = {SCAN, .executor.keeps_input = true}},
};
