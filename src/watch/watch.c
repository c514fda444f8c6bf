/* SPDX-License-Identifier: BSD-2-Clause */
/* See watch.h. */
#include "watch.h"

#include "handles.h"
#include "seconds.h"
#include "words.h"

#include <stdio.h>
#include <string.h>

struct watched watched[WATCHED];

static _Thread_local struct watched *latest; /* likely free */

/* ---- A call -------------------------------------------------------------------------------------------------------- */

static struct watched *free_row(void)
{
    if (latest && !atomic_exchange(&latest->taken, true))
        return latest;
    for (int i = 0; i < WATCHED; i++)
        if (!atomic_exchange(&watched[i].taken, true))
            return latest = &watched[i];
    return NULL;
}

static void put_comm_name(struct sighting *s)
{
    if (s->handle == HANDLE_BITS(MPI_COMM_WORLD))
        snprintf(s->comm, sizeof s->comm, "MPI_COMM_WORLD");
    else
        comm_words(s->handle, s->comm, sizeof s->comm);
}

struct watched *watch_enter(const struct call *c, void *caller)
{
    struct watched *w = free_row();
    if (!w)
        return NULL;
    pthread_spin_lock(&w->lock);
    struct sighting *s = &w->sighting;
    s->number++;
    s->since = seconds_now();
    s->phase = PHASE_FIRST;
    s->collective = c->collective;
    s->count = call_count(c);
    s->bytes = -1;
    s->root = (int)c->root;
    s->own_op = collective_reduces(c->collective) ? op_own((MPI_Op)c->op) : 0;
    s->ranks = 0;
    s->handle = HANDLE_BITS((MPI_Comm)c->comm);
    s->comm[0] = 0; /* it may not exist */
    s->engine = NULL;
    call_site_capture(s->frame, caller);
    w->world = NULL;
    w->comm = NULL;
    pthread_spin_unlock(&w->lock);
    return w;
}

void watch_describe(struct watched *w, struct comm *comm, int64_t bytes, enum phase phase, const struct engine *engine)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    pmpi.Comm_get_name(comm->user, name, &length);
    if (!comm->record.world && comm->known.barred != REASON_INTERCOMM)
        comm->record.world = world_ranks(comm->user, comm->ranks);
    comm->record.entered += w->comm != comm; /* parts are no further calls */
    comm->channel.progress = &w->progress;
    progress_wait(&w->progress, -1, -1, -1);
    pthread_spin_lock(&w->lock);
    struct sighting *s = &w->sighting;
    s->phase = phase;
    s->engine = engine ? engine->name : NULL;
    s->bytes = bytes;
    s->rank = comm->rank;
    s->ranks = comm->ranks;
    s->entered = comm->record.entered;
    memcpy(s->comm, name, sizeof s->comm);
    s->comm[sizeof s->comm - 1] = 0;
    w->world = comm->record.world;
    w->comm = comm;
    pthread_spin_unlock(&w->lock);
}

void watch_note(struct watched *w, enum phase phase, const struct engine *engine)
{
    progress_wait(&w->progress, -1, -1, -1);
    pthread_spin_lock(&w->lock);
    w->sighting.phase = phase;
    w->sighting.engine = engine ? engine->name : NULL;
    pthread_spin_unlock(&w->lock);
}

void watch_leave(struct watched *w, bool stands)
{
    if (stands)
        w->comm->channel.progress = NULL;
    pthread_spin_lock(&w->lock);
    w->sighting.phase = PHASE_OVER;
    w->comm = NULL; /* the program may free the communicator */
    w->world = NULL;
    pthread_spin_unlock(&w->lock);
    atomic_store_explicit(&w->taken, false, memory_order_release);
}

static int elsewhere(const struct watched *w, int rank)
{
    return rank >= 0 && w->world ? w->world[rank] : -1;
}

bool watch_look(struct watched *w, struct sighting *seen)
{
    pthread_spin_lock(&w->lock);
    *seen = w->sighting;
    if (!seen->comm[0])
        put_comm_name(seen);
    seen->step = atomic_load_explicit(&w->progress.step, memory_order_relaxed);
    seen->to = atomic_load_explicit(&w->progress.to, memory_order_relaxed);
    seen->from = atomic_load_explicit(&w->progress.from, memory_order_relaxed);
    seen->world_to = elsewhere(w, seen->to);
    seen->world_from = elsewhere(w, seen->from);
    pthread_spin_unlock(&w->lock);
    return seen->number > 0 && seen->phase != PHASE_OVER;
}
