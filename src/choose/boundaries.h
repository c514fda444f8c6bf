/* SPDX-License-Identifier: BSD-2-Clause */
/* Boundaries: computes the time that an engine's messages take to cross the boundaries of places. */
#pragma once

#include "facts.h"

struct boundaries {
    double slowest; /* seconds per byte of the message, over the slowest boundary; 0 if there is no boundary */
    double hops;    /* steps of the first block that cross boundaries; INFINITY: `way` counts all its steps */
    double way;     /* seconds of these steps */
    double turn;    /* extra seconds per round, as blocks that go both ways between sites wait for each other */
};

/*
 * Computes the boundaries of a call with this shape. `measured`: the choice may depend on measurements. If it may, and the
 * figures of the places were measured, boundaries have these figures. Else each boundary is as fast as a rank's port, which
 * has the figures `g`.
 */
struct boundaries boundaries_of(const struct engine *e, const struct shape *shape, const struct facts *f,
                                const struct figures *g, bool measured);
