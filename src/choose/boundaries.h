/* SPDX-License-Identifier: BSD-2-Clause */
/* Boundaries: what places cost an engine. */
#ifndef PLEACH_BOUNDARIES_H
#define PLEACH_BOUNDARIES_H

#include "facts.h"

struct boundaries {
    double slowest; /* seconds a byte of the message, over the boundary that takes longest; 0: there is none */
    double hops;    /* steps of the first block that pass boundaries; infinite: all of them */
    double way;     /* seconds of these steps */
    double turn;    /* extra seconds of each round if blocks go both ways between sites and wait for each other */
};

/*
 * The boundaries of a call with this shape. The figures of places count between places if they are measured and may count.
 * Else every boundary is like a rank's port.
 */
struct boundaries boundaries_of(const struct engine *e, const struct shape *shape, const struct facts *f,
                                const struct figures *g, bool measured);

#endif
