/* SPDX-License-Identifier: BSD-2-Clause */
/* Needs: what a shape must have for an engine to fit. `blocks` of the shape does not matter. */
#pragma once

#include "schedule.h"

enum need {
    NEED_NOTHING,
    NEED_COMMUTATIVE,
    NEED_COMMUTATIVE_OR_END_ROOT,     /* the root is the first or the last rank */
    NEED_COMMUTATIVE_OR_ODD_END_ROOT, /* the root is the first or the last of an odd number of ranks */
    NEED_EQUAL_NODES,
    NEED_PLACES,
    NEED_PLACES_COMMUTATIVE,
    NEED_PLACES_IN_ORDER,
    NEED_SITES_IN_LINE,
    NEED_SITES_IN_LINE_FOR_ORDER,
    NEED_SITES_IN_ORDER_IN_LINE,
    NEED_SEGMENT,
    NEED_SEGMENT_COMMUTATIVE,
    NEED_SEGMENT_COMMUTATIVE_OR_TWO,
    NEED_LANES,
    NEED_PORTS,
    NEEDS
};

/* NULL for NEED_NOTHING. */
const char *need_text(enum need n);

bool need_met(enum need n, const struct shape *shape);
