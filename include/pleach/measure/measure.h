/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the figures of the cost model on this machine. */
#pragma once

#include "comm.h"

/*
 * Collective over c. Takes the machine's figures and places from a group around c that has measured. Returns false if there
 * is none, or if ranks know different groups.
 */
bool measure_inherit(struct comm *c);

struct measuring {
    double seconds;
    bool late; /* it took too long: some figures are missing */
    bool all;  /* the machine, not only its segments */
};

/*
 * Collective over c, once c->known.settled is set, with a private communicator and no more ranks than cores on a node.
 * Measures what machine_lacks() or, if nothing, all but the segments anew: figures and native of c->known.machine,
 * c->locality.ahead, and `segment*`, alike on all ranks. A disturbed or late link is .noisy, with nominal figures. On
 * several nodes it finds places, too, if settings ask for it; again only if the latency between nodes has changed. It takes
 * and charges c->known.budget.
 *
 * If memory is short on a rank, changes nothing and returns false on all.
 */
bool measure(struct comm *c, struct measuring *took);

/* measure() without a limit on time, for programs that exist to measure. */
bool measure_at_leisure(struct comm *c, struct measuring *took);
