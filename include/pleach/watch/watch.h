/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With PLEACH_PATIENCE, a thread prints which calls wait long and, on SIGUSR1, where this process is. It reads a table, and
 * calls no MPI function. Without PLEACH_PATIENCE, calls lose no time (library_reached()).
 *
 * A call has a row, whose lock its thread holds while it writes; `progress` needs none. The watcher reads a communicator
 * only under the lock of a row of a call on it that is not over.
 */
#pragma once

#include "call.h"
#include "record.h"

#include <pthread.h>

enum phase {
    PHASE_FIRST, /* in comm_of(), which may wait for all ranks */
    PHASE_NATIVE,
    PHASE_AGREEING, /* on what an engine needs */
    PHASE_ENGINE,
    PHASE_OVER
};

/* A call, as the watcher sees it. */
struct sighting {
    uint64_t number; /* in its row, from 1; 0: none yet */
    double since;    /* seconds_now() */
    enum phase phase;
    enum collective collective;
    int64_t count, bytes; /* bytes: or -1 */
    int root;
    int own_op;
    int rank, ranks;  /* ranks 0: unknown */
    uint64_t entered; /* which call on its communicator, from 1 */
    uintptr_t handle;
    char comm[RECORD_NAME];
    const char *engine;
    int64_t step;                  /* -1: before the first */
    int to, from;                  /* waits for `to` to receive, `from` to send; negative: none */
    int world_to, world_from;      /* these in MPI_COMM_WORLD; negative: unknown */
    void *frame[CALL_SITE_FRAMES]; /* by call_site_capture() */
};

enum { WATCHED = 64 }; /* most calls at a time */

struct watched {
    atomic_bool taken;
    pthread_spinlock_t lock; /* of sighting, world and comm */
    struct sighting sighting;
    const int *world; /* world_ranks() */
    struct comm *comm;
    struct progress progress;
    uint64_t told; /* the watcher's: the last call reported as late */
};

/* Starts the watch if the settings ask for it; prints a line if that fails. Returns true if it runs. Call it once. */
bool watch_open(void);

/* Begins a call. Returns its row, or NULL if none is free. `caller`: return address. */
struct watched *watch_enter(const struct call *c, void *caller);

/* Adds what has become known; again for each call that is a part of this one. */
void watch_describe(struct watched *w, struct comm *comm, int64_t bytes, enum phase phase, const struct engine *engine);

/* Notes the phase, and the engine that serves from now on, or NULL. */
void watch_note(struct watched *w, enum phase phase, const struct engine *engine);

static inline void watch_phase(struct watched *w, enum phase phase, const struct engine *engine)
{
    if (w)
        watch_note(w, phase, engine);
}

/* Ends the call. `stands`: the row's communicator still exists (comm_stands()). */
void watch_leave(struct watched *w, bool stands);

/* ---- For the watching thread --------------------------------------------------------------------------------------- */

extern struct watched watched[WATCHED];

/* Copies the row's state. Returns true if its call is under way. */
bool watch_look(struct watched *w, struct sighting *seen);
