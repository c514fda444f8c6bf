/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of communicators: memory, search by handle, and states that wait for the end of their communicators. */
#pragma once

#include "comm.h"

/* All zero; NULL: no memory. */
struct comm *state_new(void);

/* Not what it points to. */
void state_free(struct comm *c);

/* By handle, unless the state is loose or the table is full. state_entered() takes nanoseconds and no lock; or NULL. */
struct comm *state_entered(MPI_Comm handle);
void state_enter(struct comm *c);

/* Not an attribute of its communicator: found by state_loose() alone. */
void state_loosen(struct comm *c);

struct comm *state_loose(MPI_Comm handle); /* or NULL */

/* Its communicator is being freed, or gone: only the functions below find it. Of several with a handle, the latest. */
void state_park(struct comm *c);
struct comm *state_parked(MPI_Comm handle);

/* Takes one out of the list, of this round of state_round() if `round` > 0; or NULL. */
struct comm *state_unpark(MPI_Comm handle, unsigned round);

/* If more than `most` are parked, takes out the oldest; else NULL. */
struct comm *state_overdue(int most);

/* Forgets all that are not parked. Their memory stays. */
void states_forget(void);

/* Go through the handles of all parked states. False at the end of the round. */
unsigned state_round(void);
bool state_next(unsigned round, MPI_Comm *handle);
