/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of communicators: their memory, a search by handle, and states whose communicators are being freed. */
#pragma once

#include "comm.h"

/* Returns a state that is all zero, or NULL if memory is short. */
struct comm *state_new(void);

/* Frees the memory of a state, but nothing to which the state points. */
void state_free(struct comm *c);

/*
 * state_enter() enters a state under its handle, unless the state is loose or the table has no room. state_entered() returns
 * the state that is entered under a handle, or NULL. It takes a few nanoseconds and no lock.
 */
struct comm *state_entered(MPI_Comm handle);
void state_enter(struct comm *c);

/* Marks a state as loose: it is no attribute of its communicator. Threads find it by state_loose(). */
void state_loosen(struct comm *c);

/* Returns the loose state with this handle, or NULL. */
struct comm *state_loose(MPI_Comm handle);

/*
 * state_park() parks a state whose communicator is being freed, or has been freed. From then on, only the functions below
 * find the state. If several parked states have the same handle, state_parked() returns the latest.
 */
void state_park(struct comm *c);
struct comm *state_parked(MPI_Comm handle);

/*
 * Takes a parked state with this handle out of the list, and returns it. If `round` > 0, the state must belong to this round
 * of state_round(). Returns NULL if there is none.
 */
struct comm *state_unpark(MPI_Comm handle, unsigned round);

/* If more than `most` states are parked, takes the one parked first out of the list, and returns it; else returns NULL. */
struct comm *state_overdue(int most);

/* Makes the functions above find no state that is not parked. The memory of these states stays. */
void states_forget(void);

/*
 * These functions go through the handles of all parked states. state_round() begins a round and returns its number.
 * state_next() returns false at the end of the round.
 */
unsigned state_round(void);
bool state_next(unsigned round, MPI_Comm *handle);
