/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulated machine, as the library would know it: the places of the ranks, and the figures. */
#pragma once

#include "machine.h"

struct wind_machine {
    struct machine machine;
    struct places *places; /* those that `machine` points to */
    int *node;             /* a number for each rank's node; if there is one site, the number of the rank's host */
    int *site;             /* number of each rank's site; NULL: there is one site */
};

/*
 * Collective over MPI_COMM_WORLD: finds places by the names of hosts, then measures figures. The host s1-h0 is number 0 of
 * site 1. False, perhaps on some ranks only, if memory is short or a host's name has another form.
 */
bool wind_machine_find(struct wind_machine *w);

void wind_machine_free(struct wind_machine *w);

/* Collective: returns on all ranks at the same moment. A barrier would not do, as ranks leave it one after the other. */
void wind_start_together(void);

/* Collective: seconds from the earliest start to the latest end of all ranks; the same on all ranks. */
double wind_seconds(double start, double end);
