/* SPDX-License-Identifier: BSD-2-Clause */
/* The cost model's figures, measured on this machine. */
#ifndef PLEACH_MEASURE_H
#define PLEACH_MEASURE_H

#include "comm.h"

/* Takes c->machine.figures, .noisy, .native and c->ahead from a group that encloses c. False: none has measured them. */
bool measure_inherit(struct comm *c);

/* The time that measuring took on this rank. */
struct measuring {
    double seconds;
    bool late; /* it took too long, and some figures were not measured */
};

/*
 * Collective over c, which is settled, has its private communicator, and has no more ranks than cores. Measures
 * c->machine.figures and .native, the same on all ranks; communicators inside c can inherit them. Disturbed figures, and
 * those not measured in time, are .noisy and nominal. Sets c->ahead, too. On several nodes it finds the measured places, if
 * the settings ask for them; if the machine was measured before, only when the latency between nodes has changed. Takes some
 * 20 milliseconds, and half a second at most on one node; on a network of 100 Mbit/s a second, and two at most; between
 * sites some hundred round trips, however long they are. False, on all ranks, if some rank has no memory: then nothing
 * changes, and *took is not set.
 */
bool measure(struct comm *c, struct measuring *took);

/* The same without a limit of time, for programs that exist to measure. */
bool measure_at_leisure(struct comm *c, struct measuring *took);

#endif
