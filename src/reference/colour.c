/* SPDX-License-Identifier: BSD-2-Clause */
/* bench/curves.py takes all colours here, in this order. */
#include "colour.h"

#include "engine.h"

#include <assert.h>

static const char native[] = "#a9abae", rest[] = "#66696d";

/* The first ones differ most (tests/unit/check_colour.c). */
static const char *const palette[COLOURS] = {"#29cdf0", "#9b3a39", "#0756b7", "#459c71",
                                             "#99d203", "#8c8619", "#917aff", "#af6da2"};

void engine_colours(uint64_t shown, const char *colour[COLOURED])
{
    assert(engine_count() <= COLOURED);
    for (int i = 0, used = 0; engines[i]; i++)
        if (engine_by_mpi(engines[i]))
            colour[i] = native;
        else
            colour[i] = shown >> i & 1 && used < COLOURS ? palette[used++] : rest;
}
