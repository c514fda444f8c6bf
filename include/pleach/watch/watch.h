/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The watch: if PLEACH_PATIENCE is set, a thread of ours prints which calls wait long and, on SIGUSR1, where this process
 * is. The thread reads a table that the calling threads fill. It calls no MPI function and changes nothing. If
 * PLEACH_PATIENCE is not set, the watch costs calls no time: see library_reached().
 *
 * A call has a row of the table from its beginning to its end. A calling thread holds the row's lock while it writes into
 * the row. Only `progress`, which the loop writes, needs no lock. The watching thread reads a communicator only while it
 * holds the lock of a row whose call is on this communicator and is not over.
 */
#pragma once

#include "call.h"
#include "record.h"

#include <pthread.h>

enum phase {
    PHASE_FIRST,    /* in comm_of(): the first call on a communicator may wait there for all ranks */
    PHASE_NATIVE,   /* in the native call */
    PHASE_AGREEING, /* ranks agree on what an engine needs to serve */
    PHASE_ENGINE,
    PHASE_OVER
};

/* What the watching thread sees of a call. */
struct sighting {
    uint64_t number; /* of the call in its row, from 1; 0: no call yet */
    double since;    /* seconds_now() at its start */
    enum phase phase;
    enum collective collective;
    int64_t count, bytes;   /* bytes: -1 where they are not known */
    int root;               /* as passed; for collectives that have one */
    int own_op;             /* as in struct view */
    int rank, ranks;        /* in the communicator; ranks 0: not known */
    uint64_t entered;       /* number of the call on its communicator, from 1 */
    uintptr_t handle;       /* of the communicator */
    char comm[RECORD_NAME]; /* its name; in a row "" if MPI has given none */
    const char *engine;
    int64_t step;                  /* of the engine; -1: before the first */
    int to, from;                  /* the ranks for which it waits: `to` must receive, `from` must send; negative: none */
    int world_to, world_from;      /* these ranks in MPI_COMM_WORLD; negative: not known */
    void *frame[CALL_SITE_FRAMES]; /* as call_site_capture() fills them */
};

enum { WATCHED = 64 }; /* most calls at a time that the watch sees */

struct watched {
    atomic_bool taken;
    pthread_spinlock_t lock; /* for sighting, world and comm; held while a row is written or copied */
    struct sighting sighting;
    const int *world; /* see world_ranks() */
    struct comm *comm;
    struct progress progress;
    uint64_t told; /* written by the watcher: the number of the last call that it has reported as late */
};

/* Starts the watch if the settings ask for it; returns true if it runs. Prints a line if it fails. Must be called once. */
bool watch_open(void);

/* Begins a call. Returns its row, or NULL if no row is free. `caller`: return address of the intercepted call. */
struct watched *watch_enter(const struct call *c, void *caller);

/*
 * Adds the call's communicator and bytes, once they are known, and its phase; bytes and `engine` as in struct sighting. Once
 * more for each call that is a part of this one.
 */
void watch_describe(struct watched *w, struct comm *comm, int64_t bytes, enum phase phase, const struct engine *engine);

/* Notes that the call has reached a phase, unless `w` is NULL. `engine` serves it from now on; NULL if none does. */
void watch_note(struct watched *w, enum phase phase, const struct engine *engine);

static inline void watch_phase(struct watched *w, enum phase phase, const struct engine *engine)
{
    if (w)
        watch_note(w, phase, engine);
}

/* Ends the call. `stands`: the row has the state of its communicator, which still exists (comm_stands()). */
void watch_leave(struct watched *w, bool stands);

/* ---- For the watching thread --------------------------------------------------------------------------------------- */

extern struct watched watched[WATCHED];

/* Copies the row's present state. Returns true if its call is under way. */
bool watch_look(struct watched *w, struct sighting *seen);
