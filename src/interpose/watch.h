/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The watch: if PLEACH_PATIENCE is set, a thread of ours tells of calls that wait long and, on SIGUSR1, where this process
 * is. It reads a table that the calling threads fill, calls no MPI function, and changes nothing. Without a watch a call
 * pays nothing for it: see library_reached().
 *
 * A call has a row of the table from its beginning to its end. Writes that happen once a call take the row's lock; the
 * loop's steps go to `progress`, which has none. The thread reads a communicator only under the lock of a call on it that is
 * not over.
 */
#ifndef PLEACH_WATCH_H
#define PLEACH_WATCH_H

#include "call.h"
#include "record.h"

#include <pthread.h>

/* Where a call is. */
enum phase {
    PHASE_FIRST,    /* all ranks must make, or have made, their first call on the communicator */
    PHASE_NATIVE,   /* in the native call */
    PHASE_AGREEING, /* in what ranks agree on before an engine serves */
    PHASE_ENGINE,
    PHASE_OVER
};

/* A call, as the thread sees it. All but `to` and `from` is as the call came, or was found out since. */
struct sighting {
    uint64_t number; /* of this process's calls, from 1; 0: there has been none */
    double since;    /* seconds_now() at its start */
    enum phase phase;
    enum collective collective;
    int64_t count, bytes; /* bytes: -1 where they are not known */
    int root;             /* as passed; for collectives that have one */
    int own_op;           /* as in struct view */
    int rank, ranks;      /* in the communicator; ranks 0: not known */
    uint64_t entered;     /* number of the call on its communicator, from 1 */
    char comm[RECORD_NAME];
    const char *engine;
    int64_t step;                  /* of the engine; -1: before the first */
    int to, from;                  /* the ranks that it sends to and receives from, and waits for; negative: none */
    int world_to, world_from;      /* the same in MPI_COMM_WORLD; negative: not known */
    void *frame[CALL_SITE_FRAMES]; /* as call_site_take() fills them */
};

enum { WATCHED = 64 }; /* calls under way at a time; those beyond are not seen */

struct watched {
    atomic_bool taken;
    pthread_mutex_t lock; /* of what follows */
    struct sighting sighting;
    const int *world; /* see comm_world_ranks() */
    struct comm *comm;
    struct progress progress;
    uint64_t told; /* the watcher's: the number of the call whose late line it has printed */
};

/* Starts the watch if settings say so: true. If that fails, prints one line. Called once. */
bool watch_open(void);

/* Begins a call. NULL: there is no row left. `caller`: return address of the intercepted call. */
struct watched *watch_enter(const struct call *c, void *caller);

/* Adds the call's communicator and facts, once they are known. Until watch_phase() says otherwise, the call is native. */
void watch_describe(struct watched *w, struct comm *comm, const struct facts *f, enum reason reason);

/* The call has reached this phase. `engine`: serves it from now on, or NULL. */
void watch_phase(struct watched *w, enum phase phase, const struct engine *engine);

void watch_leave(struct watched *w);

/* ---- For the watching thread --------------------------------------------------------------------------------------- */

/* The rows of the table. */
extern struct watched watched[WATCHED];

/* Copies the row's present state. True: the call is not over. */
bool watch_look(struct watched *w, struct sighting *seen);

/* Waits, tells, and waits again; never returns. */
void *watcher(void *);

/* Has SIGUSR1 wake the watcher up, unless the program ignores it. False, with errno: no semaphore. */
bool watcher_listen(void);

#endif
