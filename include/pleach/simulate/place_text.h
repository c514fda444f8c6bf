/* SPDX-License-Identifier: BSD-2-Clause */
/* Trees of places as people write them. */
#pragma once

#include "place_tree.h"

/*
 * Reads a tree of places:
 *
 *     16           16 ranks, all alike             50,40,30,17  four places of these sizes
 *     4x8          four places of 8                (2x3),(4,1)  places in places
 *     4-4-4        three sites of 4, in a line
 *
 * Returns NULL, with the reason, if it is no tree, has over `most` ranks or is too deep, or if memory is short.
 */
struct places *places_read(const char *text, int most, const char **why);
