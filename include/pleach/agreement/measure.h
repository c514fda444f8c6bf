/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model's figures, measured on the machine at hand. */
#ifndef PLEACH_MEASURE_H
#define PLEACH_MEASURE_H

#include "comm.h"

/* Takes c->machine.figures, .noisy, .native and c->ahead from a communicator around c, where they were measured on one. */
bool measure_inherit(struct comm *c);

/* What measuring took on this rank. */
struct measuring {
    double seconds;
    bool late; /* not all was measured, as it took too long */
};

/*
 * Collective over c, whose private communicator exists, that is settled, and whose ranks are no more than their cores:
 * measures c->machine.figures and .native, and lets all ranks have the same; communicators inside c can inherit them. What
 * is disturbed, or not measured in time, is .noisy and nominal. Sets c->ahead, too. On several nodes it finds the measured
 * places, if settings say so; where the machine was measured before, only if the latency between nodes has moved. Takes some
 * 20 milliseconds, and half a second at most on one node; on a network of 100 Mbit/s a second, and two at most; between
 * sites some hundred round trips, however long they are. False, on all ranks, if some rank has no memory: then they
 * stay as they are, and *took is not set.
 */
bool measure(struct comm *c, struct measuring *took);

/* The same, however long it takes: for who has come to measure. */
bool measure_at_leisure(struct comm *c, struct measuring *took);

#endif
