/* SPDX-License-Identifier: BSD-2-Clause */
#include "places_scan.h"

#include "pair.h"

static const struct braid_beat beat = {.trees = 2, .period = 4, .lag = 1, .spare = SLOT_T4};

/* Sets the steps of the ranks of a place from the two colours that their edges have. */
static void spread_colours(struct braid *b, const struct place *place, int shift)
{
    for (int rank = place->first; rank < place->end; rank++)
        for (int t = TREE_U; t <= TREE_V; t++)
            b->knot[rank].colour[t] = 2 * b->knot[rank].colour[t] + shift;
}

static void weave(struct braid *b, const struct places *t, int root)
{
    pair_all(b, t, root);
    spread_colours(b, &t->place[0], 0);
    braid_time_scan(b, &beat);
}

static void weave_line(struct braid *b, const struct places *t, int root)
{
    const struct place *place = t->place;
    (void)root;
    braid_clear(b);
    for (int row = places_part(0); row < place[0].next; row = place[row].next)
        pair_weave(b, t, row, true);
    braid_join(b);
    braid_colour(b);
    for (int row = places_part(0), site = 0, before = NOBODY; row < place[0].next; row = place[row].next, site++) {
        int gate = place[row].end - 1;
        for (int tree = TREE_U; tree <= TREE_V; tree++) {
            b->knot[gate].parent[tree] = before;
            b->knot[gate].colour[tree] = tree;
            if (before != NOBODY)
                b->knot[before].child[tree][RIGHT] = gate;
        }
        spread_colours(b, &place[row], site);
        before = gate;
    }
    braid_time_scan(b, &beat);
}

bool places_scan_fits(const struct shape *s)
{
    return s->places && places_differ(s->places) && !s->places->order;
}

struct pace places_scan_pace(const struct shape *s)
{
    return braid_scan_pace(s, weave, &beat);
}

void places_scan(struct schedule *s)
{
    braid_scan(s, weave, &beat);
}

bool gates_scan_fits(const struct shape *s)
{
    return places_scan_fits(s) && s->places->place[0].line;
}

struct pace gates_scan_pace(const struct shape *s)
{
    return braid_scan_pace(s, weave_line, &beat);
}

void gates_scan(struct schedule *s)
{
    braid_scan(s, weave_line, &beat);
}
