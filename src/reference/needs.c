/* SPDX-License-Identifier: BSD-2-Clause */
/* See need.h. */
#include "need.h"

#include "engine.h"
#include "pair.h"

const char *need_text(enum need n)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {NEEDS_OF_ENGINES(TEXT)};
    return texts[n];
}

bool need_met(enum need n, const struct shape *s)
{
    const struct places *places = s->places && places_differ(s->places) ? s->places : NULL;
    const bool segment = s->depth > 0;
    switch (n) {
    case NEED_COMMUTATIVE:
        return !s->ordered;
    case NEED_COMMUTATIVE_OR_END_ROOT:
        return !shape_interior(s);
    case NEED_COMMUTATIVE_OR_ODD_END_ROOT:
        return !s->ordered || (s->ranks % 2 == 1 && !shape_interior(s));
    case NEED_EQUAL_NODES:
        return s->node_ranks >= 1;
    case NEED_PLACES:
        return places;
    case NEED_PLACES_COMMUTATIVE:
        return places && !s->ordered;
    case NEED_PLACES_IN_ORDER:
        return places && !places->order;
    case NEED_SITES_IN_LINE:
        return places && places->lines;
    case NEED_SITES_IN_LINE_FOR_ORDER:
        return places && places->lines && (!s->ordered || gates_fit(s));
    case NEED_SITES_IN_ORDER_IN_LINE:
        return places && !places->order && places->place[0].line;
    case NEED_SEGMENT:
        return segment;
    case NEED_SEGMENT_COMMUTATIVE:
        return segment && !s->ordered;
    case NEED_SEGMENT_COMMUTATIVE_OR_TWO:
        return segment && (!s->ordered || s->ranks == 2);
    case NEED_LANES:
        return s->lanes > 0;
    case NEED_PORTS:
        return s->ports.most > 0;
    default:
        return true;
    }
}
