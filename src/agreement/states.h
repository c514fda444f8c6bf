/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of communicators: their memory, how they are found, and those of communicators that go. See states.c. */
#ifndef PLEACH_STATES_H
#define PLEACH_STATES_H

#include "comm.h"

/* A copy of the draft. NULL: no memory. */
struct comm *state_new(const struct comm *draft);

/* Frees the memory of a state, and nothing that it points to. */
void state_free(struct comm *c);

/* The state that has been entered under a handle, or NULL. A few nanoseconds, and no lock. */
struct comm *state_entered(MPI_Comm handle);
void state_enter(struct comm *c);

/* Marks a state that does not hang on its communicator; other threads look for such states. */
void state_loosen(struct comm *c);

/* A state with this handle that could not be hung on its communicator, or NULL. */
struct comm *state_loose(MPI_Comm handle);

/*
 * Parks a state whose communicator is going, or has gone. From then on it is found only here, by its handle, the latest
 * first.
 */
void state_park(struct comm *c);
struct comm *state_parked(MPI_Comm handle);

/* Takes back a parked state with this handle; `round`: see state_round(), or 0 for any. NULL: there is none. */
struct comm *state_unpark(MPI_Comm handle, unsigned round);

/* Takes back the state that has been parked longest, if more than `most` are parked; else NULL. */
struct comm *state_overdue(int most);

/* Go through the handles of all parked states: state_round() begins a round, and state_next() returns false at its end. */
unsigned state_round(void);
bool state_next(unsigned round, MPI_Comm *handle);

#endif
