/* SPDX-License-Identifier: BSD-2-Clause */
/* The states of communicators: memory, search by handle, and states that wait for the end of their communicators. */
#pragma once

#include "comm.h"

/* A state that is all zero; NULL if memory is short. */
struct comm *state_new(void);

/* Frees the state, but nothing to which it points. */
void state_free(struct comm *c);

/*
 * state_enter() enters a state under its handle, unless it is loose or the table is full. state_entered() finds it, or
 * returns NULL; it takes nanoseconds and no lock.
 */
struct comm *state_entered(MPI_Comm handle);
void state_enter(struct comm *c);

/* Marks a state that is not an attribute of its communicator; then state_loose() alone finds it. */
void state_loosen(struct comm *c);

struct comm *state_loose(MPI_Comm handle); /* or NULL */

/*
 * Parks a state whose communicator is being freed, or is gone: from now on only the functions below find it. Of several with
 * one handle, state_parked() returns the latest.
 */
void state_park(struct comm *c);
struct comm *state_parked(MPI_Comm handle);

/*
 * Takes the parked state with this handle out of the list; if `round` > 0, only one of this round of state_round(). NULL:
 * none.
 */
struct comm *state_unpark(MPI_Comm handle, unsigned round);

/* If more than `most` are parked, takes out and returns the one parked first; else returns NULL. */
struct comm *state_overdue(int most);

/* Forgets all states that are not parked. Their memory stays. */
void states_forget(void);

/*
 * state_round() begins to go through the handles of all parked states, and returns the round's number. state_next() gives
 * the next handle, or returns false at the end of the round.
 */
unsigned state_round(void);
bool state_next(unsigned round, MPI_Comm *handle);
