/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of needs; see need.h. */
#include "need.h"

#include "engine.h"
#include "pair.h"

static bool commutative(const struct shape *s)
{
    return !s->ordered;
}

static bool commutative_or_end_root(const struct shape *s)
{
    return !shape_interior(s);
}

static bool commutative_or_odd_end_root(const struct shape *s)
{
    return !s->ordered || (s->ranks % 2 == 1 && commutative_or_end_root(s));
}

static bool equal_nodes(const struct shape *s)
{
    return s->node_ranks >= 1;
}

static bool several_places(const struct shape *s)
{
    return s->places && places_differ(s->places);
}

static bool places_commutative(const struct shape *s)
{
    return several_places(s) && !s->ordered;
}

static bool places_in_order(const struct shape *s)
{
    return several_places(s) && !s->places->order;
}

static bool sites_in_line(const struct shape *s)
{
    return several_places(s) && s->places->lines;
}

static bool sites_in_line_for_order(const struct shape *s)
{
    return sites_in_line(s) && (!s->ordered || gates_fit(s));
}

static bool sites_in_order_in_line(const struct shape *s)
{
    return places_in_order(s) && s->places->place[0].line;
}

static bool segment(const struct shape *s)
{
    return s->depth > 0;
}

static bool segment_commutative(const struct shape *s)
{
    return segment(s) && !s->ordered;
}

static bool segment_commutative_or_two(const struct shape *s)
{
    return segment_commutative(s) || (segment(s) && s->ranks == 2);
}

static bool lanes(const struct shape *s)
{
    return s->lanes > 0;
}

static const struct {
    const char *text;
    bool (*met)(const struct shape *);
} needs[NEEDS] = {
    [NEED_COMMUTATIVE] = {"a commutative operation", commutative},
    [NEED_COMMUTATIVE_OR_END_ROOT] = {"a commutative operation, or root 0 or p-1", commutative_or_end_root},
    [NEED_COMMUTATIVE_OR_ODD_END_ROOT] = {"a commutative operation, or odd p and root 0 or p-1",
                                          commutative_or_odd_end_root},
    [NEED_EQUAL_NODES] = {"consecutive ranks on each node, equally many on all but the last", equal_nodes},
    [NEED_PLACES] = {"ranks in several places", several_places},
    [NEED_PLACES_COMMUTATIVE] = {"ranks in several places, a commutative operation", places_commutative},
    [NEED_PLACES_IN_ORDER] = {"places of consecutive ranks", places_in_order},
    [NEED_SITES_IN_LINE] = {"sites in a line", sites_in_line},
    [NEED_SITES_IN_LINE_FOR_ORDER] = {"sites in a line; if the order counts, one line of all sites, and a root that is 0, "
                                      "p-1 or not the first rank of a site",
                                      sites_in_line_for_order},
    [NEED_SITES_IN_ORDER_IN_LINE] = {"sites of consecutive ranks, in a line", sites_in_order_in_line},
    [NEED_SEGMENT] = {"memory that all ranks share", segment},
    [NEED_SEGMENT_COMMUTATIVE] = {"memory that all ranks share, a commutative operation", segment_commutative},
    [NEED_SEGMENT_COMMUTATIVE_OR_TWO] = {"memory that all ranks share, a commutative operation or two ranks",
                                         segment_commutative_or_two},
    [NEED_LANES] = {"several nodes, each in one place, with several ranks that share memory and, if the order counts, are "
                    "consecutive",
                    lanes},
};

const char *need_text(enum need n)
{
    return needs[n].text;
}

bool need_met(enum need n, const struct shape *shape)
{
    return n == NEED_NOTHING || needs[n].met(shape);
}
