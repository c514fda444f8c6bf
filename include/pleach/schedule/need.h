/* SPDX-License-Identifier: BSD-2-Clause */
/* Needs: what a shape must have for an engine to fit. `blocks` of the shape does not matter. */
#pragma once

#include "schedule.h"

/* X(name, text); need_met() has the conditions. */
/* clang-format off */
#define NEEDS_OF_ENGINES(X) \
    X(NOTHING, NULL) \
    X(COMMUTATIVE, "a commutative operation") \
    X(COMMUTATIVE_OR_END_ROOT, "a commutative operation, or root 0 or p-1") \
    X(COMMUTATIVE_OR_ODD_END_ROOT, "a commutative operation, or odd p and root 0 or p-1") \
    X(EQUAL_NODES, "consecutive ranks on each node, equally many on all but the last") \
    X(PLACES, "ranks in several groups") \
    X(PLACES_COMMUTATIVE, "ranks in several groups, a commutative operation") \
    X(PLACES_IN_ORDER, "groups of consecutive ranks") \
    X(SITES_IN_LINE, "sites in a line") \
    X(SITES_IN_LINE_FOR_ORDER, "sites in a line; if the order counts, one line of all sites, and a root that is 0, p-1 or " \
                               "not the first rank of a site") \
    X(SITES_IN_ORDER_IN_LINE, "sites of consecutive ranks, in a line") \
    X(SEGMENT, "memory that all ranks share") \
    X(SEGMENT_COMMUTATIVE, "memory that all ranks share, a commutative operation") \
    X(SEGMENT_COMMUTATIVE_OR_TWO, "memory that all ranks share, a commutative operation or two ranks") \
    X(LANES, "several nodes, each in one group, with several ranks that share memory and, if the order counts, are " \
             "consecutive") \
    X(PORTS, "what lanes need, and a message so short that a cell has room for that of each node")
/* clang-format on */
#define NEED_NUMBER(name, text) NEED_##name,
enum need { NEEDS_OF_ENGINES(NEED_NUMBER) NEEDS };
#undef NEED_NUMBER

/* NULL for NEED_NOTHING. */
const char *need_text(enum need n);

bool need_met(enum need n, const struct shape *shape);
