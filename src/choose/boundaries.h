/* SPDX-License-Identifier: BSD-2-Clause */
/* The time in which an engine's messages cross the boundaries of places. */
#pragma once

#include "facts.h"

struct boundaries {
    double slowest; /* per byte, over the slowest boundary; 0: none */
    double hops;    /* steps of the first block over boundaries; INFINITY: `way` has all its steps */
    double way;     /* seconds of these */
    double turn;    /* seconds more per round, as blocks both ways between sites wait for each other */
};

/* `measured`: measured figures of places count. Else a boundary is as fast as a rank's port, by the figures `g`. */
struct boundaries boundaries_of(const struct engine *e, const struct shape *shape, const struct facts *f,
                                const struct figures *g, bool measured);
