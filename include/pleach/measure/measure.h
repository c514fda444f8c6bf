/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures the figures of the cost model on this machine. */
#pragma once

#include "comm.h"

/*
 * Collective over c. Takes c->known.machine.figures, .noisy, .native, c->locality.ahead and the measured places from the
 * group info of a group that contains all ranks of c. Returns false if no such group has measured the machine, or if the
 * ranks know different groups.
 */
bool measure_inherit(struct comm *c);

/* The time that measuring has taken on this rank. */
struct measuring {
    double seconds;
    bool late; /* measuring took too long, so some figures were not measured */
    bool all;  /* the machine was measured, not only its segments */
};

/*
 * Collective over c. Call it when c->known.settled is set, c has a private communicator, and no node has more ranks than
 * cores. Measures what machine_lacks() or, if it lacks nothing, measures all but the segments anew: the fields figures and
 * native of c->known.machine, with c->locality.ahead, and its fields segment*. The results are the same on all ranks.
 * Communicators inside c can inherit the results. If measuring a link was disturbed or took too long, .noisy is set, and the
 * link's figures become nominal. On several nodes the function also finds the measured places, if the settings ask for them.
 * If the machine was measured before, places are found again only if the latency between nodes has changed. Measuring may
 * take as long as c->known.budget allows, which it charges with the time.
 *
 * If memory is short on a rank, changes nothing and returns false on all ranks.
 */
bool measure(struct comm *c, struct measuring *took);

/* Does what measure() does, but without a limit on the time: for programs that exist to measure. */
bool measure_at_leisure(struct comm *c, struct measuring *took);
