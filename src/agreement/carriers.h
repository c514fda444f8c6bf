/* SPDX-License-Identifier: BSD-2-Clause */
/* The carriers of a private communicator's ranks; see carriers.c. */
#pragma once

#include "algorithms.h"

/* users: communicators of the program that have taken it and not left it, even if they are freed; the same on all ranks. */
struct carriers {
    MPI_Comm comm[ALGORITHMS]; /* undefined if it has no users */
    int users[ALGORITHMS];
};

/*
 * Collective over `like`, the private communicator. Takes the carrier of an algorithm, or makes it on all ranks or on none.
 * Returns false on all ranks if there is none.
 */
bool carriers_take(struct carriers *all, enum algorithm a, MPI_Comm like);

/* Leaves a carrier that was taken, on all ranks. It is freed if nobody uses it. */
void carriers_leave(struct carriers *all, enum algorithm a);

/* Frees the carriers, on this rank. `all` is of no use any more. */
void carriers_end(struct carriers *all);
