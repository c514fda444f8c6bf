/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated machine, as the library would know it: where the ranks are, and how fast messages are. */
#ifndef PLEACH_WIND_MACHINE_H
#define PLEACH_WIND_MACHINE_H

#include "machine.h"

struct wind_machine {
    struct machine machine;
    struct places *places; /* of machine.places */
    int *site;             /* of each rank; NULL: there is one */
};

/*
 * Collective over MPI_COMM_WORLD: finds places, as a user's file would tell them, by the names of the hosts, which are
 * s0-h0, .. s0-h49, s1-h0, ..: the first number is that of the site, the second that of the host there. Then measures.
 * False, on some ranks: no memory, or other names.
 */
bool wind_machine_find(struct wind_machine *w);

void wind_machine_free(struct wind_machine *w);

/* Lets all ranks wait for the same moment: they would leave a barrier one after the other. */
void wind_start_together(void);

/* Seconds from the first start to the last end on any rank; the same on all ranks. */
double wind_seconds(double start, double end);

#endif
