/* SPDX-License-Identifier: BSD-2-Clause */
/* See comm.h. */
#include "agree.h"
#include "choose.h"
#include "handles.h"
#include "hot.h"
#include "own_memory.h"
#include "self_comm.h"
#include "states.h"
#include "private_comm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int key = MPI_KEYVAL_INVALID; /* of the attribute, a struct comm */

/* Never freed: MPI frees these only in MPI_Finalize, where callbacks may still make calls. */
static struct comm *builtin[2];

static struct comm **builtin_of(MPI_Comm handle)
{
    return handle == MPI_COMM_WORLD ? &builtin[0] : handle == MPI_COMM_SELF ? &builtin[1] : NULL;
}

/* A live communicator, or MPI cannot be asked now. Calls no error handler. */
static bool alive(MPI_Comm handle)
{
    int result = MPI_UNEQUAL;
    if (!handle_is_comm(handle) || (builtin_of(handle) && !process_initialized()))
        return false;
    MPI_Comm self = self_comm_get();
    bool yes = self == MPI_COMM_NULL || pmpi.Comm_compare(self, handle, &result) == MPI_SUCCESS;
    self_comm_give();
    return yes;
}

/* ---- Communicators that go ---------------------------------------------------------------------------------------- */

/*
 * MPI deletes attributes of a freed communicator one by one. Callbacks of the program may make calls on it, before our
 * callback on one rank and after it on another. So ours only parks the state, which serves until the communicator is gone.
 * Its name tells it from a later one with the same handle: a new one has no name, or the program's.
 */
static const char going[] = "being freed: ";

/*
 * Most parked states where nobody knows which communicators are gone: handles do not outlive them, or another thread may
 * free one while we ask for its name. Programs free fewer at once.
 */
enum { PARKED = 4 };

static void mark_going(MPI_Comm handle)
{
    char name[sizeof going + MPI_MAX_OBJECT_NAME];
    int length;
    memcpy(name, going, sizeof going);
    pmpi.Comm_get_name(handle, name + sizeof going - 1, &length);
    name[MPI_MAX_OBJECT_NAME - 1] = 0;
    pmpi.Comm_set_name(handle, name);
}

static bool is_going(MPI_Comm handle)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    pmpi.Comm_get_name(handle, name, &length);
    return strncmp(name, going, sizeof going - 1) == 0;
}

static void tear_down(struct comm *c)
{
    if (!c)
        return;
    memo_free(&c->memo);
    private_comm_leave(c);
    for (int source = 0; source < SOURCES; source++) {
        places_free(c->locality.places[source]);
        places_free(c->locality.node_places[source]);
    }
    own_memory_free(c->locality.nodes);
    own_memory_free(c->exact.own);
    history_free(c->known.history);
    if (!c->channel.progress) /* left by longjmp(): the watcher still reads `recorded` */
        free(c->record.world);
    state_free(c);
}

static void tear_down_gone(void)
{
    MPI_Comm gone;
    /* alive() would take a lock, whose holder may wait for this thread to leave MPI. */
    const bool asks = handles_outlive && process.self_comm != MPI_COMM_NULL;
    for (unsigned round = state_round(); asks && state_next(round, &gone);)
        if (!alive(gone) || (!process_threaded() && !is_going(gone))) /* a new communicator may have the handle */
            tear_down(state_unpark(gone, round));
    if (!handles_outlive || process_threaded())
        tear_down(state_overdue(PARKED));
}

static int on_delete(MPI_Comm handle, int k, void *value, void *extra)
{
    (void)k;
    (void)extra;
    tear_down_gone();
    mark_going(handle);
    state_park(value);
    return MPI_SUCCESS;
}

/* Or NULL. Frees an old state whose handle a new communicator has. */
static struct comm *going_state(MPI_Comm handle)
{
    struct comm *c = state_parked(handle);
    if (c && !is_going(handle)) {
        tear_down(state_unpark(handle, 0));
        c = NULL;
    }
    return c;
}

bool comm_open(void)
{
    /* Not copied: a duplicate has its own message space, and state. */
    return pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL) == MPI_SUCCESS;
}

void comm_finalizes(void)
{
    tear_down_gone();
    private_comms_end_idle();
}

void comm_forget(void)
{
    private_comms_forget();
    for (struct comm *c; (c = state_overdue(0));)
        tear_down(c);
    states_forget();
    key = MPI_KEYVAL_INVALID;
}

/* ---- The state of a communicator ---------------------------------------------------------------------------------- */

static struct comm *known(MPI_Comm handle)
{
    struct comm **place = builtin_of(handle), *c = NULL;
    int found = 0;
    if (place)
        return *place;
    if (key != MPI_KEYVAL_INVALID)
        pmpi.Comm_get_attr(handle, key, &c, &found);
    return found ? c : state_loose(handle);
}

/* False: no keyval or memory. */
static bool attach(struct comm *c)
{
    struct comm **place = builtin_of(c->user);
    if (place) {
        *place = c;
        return true;
    }
    if (key == MPI_KEYVAL_INVALID)
        return false;
    MPI_Errhandler before = pmpi_hush(c->user);
    bool attached = pmpi.Comm_set_attr(c->user, key, c) == MPI_SUCCESS;
    pmpi_unhush(c->user, before);
    return attached;
}

static void draft(struct comm *c, MPI_Comm handle)
{
    static _Atomic uint64_t machines;
    int inter = 0;
    c->user = handle;
    c->known.choices = &choices_of_process;
    c->known.machine.id = ++machines;
    c->channel.mpi = &pmpi.wire;
    c->channel.comm = MPI_COMM_NULL;
    pmpi.Comm_test_inter(handle, &inter);
    pmpi.Comm_size(handle, &c->ranks);
    pmpi.Comm_rank(handle, &c->rank);
    if (inter)
        c->known.barred = REASON_INTERCOMM;
}

static bool must_agree(struct comm *c)
{
    return !c->known.barred && c->ranks > 1 && !agreed_before(c);
}

static void join(struct comm *c, bool must, enum cannot cannot)
{
    struct known *k = &c->known;
    if (k->barred || c->ranks == 1)
        return;
    if (must)
        agree(c, cannot);
    k->barred = c->locality.info->barred;
    k->rules = c->locality.info->rules;
    k->machine.oversubscribed = c->locality.info->oversubscribed;
    k->machine.one_node = group_info_near(c->locality.info, c->user);
    k->machine.natives = pmpi.natives;
    k->machine.algorithms = c->locality.info->algorithms;
    if (k->rules) {
        rules_from(k->rules, c->ranks, algorithms_any(&k->machine.algorithms), k->ruled_from);
        k->machine.ruled_from = k->ruled_from;
    }
}

/* A rank without memory takes part all the same, on its stack, and says so. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wframe-larger-than="
__attribute__((noinline)) static void join_without_state(MPI_Comm handle, comm_question *valid, const struct call *call)
{
    struct comm c;
    memset(&c, 0, sizeof c);
    draft(&c, handle);
    if (must_agree(&c) && (!valid || valid(&c, call)))
        join(&c, true, CANNOT_MEMORY);
}
#pragma GCC diagnostic pop

/* Unless that is collective and the call is invalid here. */
static struct comm *comm_new(MPI_Comm handle, comm_question *valid, const struct call *call)
{
    struct comm *c = state_new();
    if (!c) {
        join_without_state(handle, valid, call);
        return NULL;
    }
    draft(c, handle);
    const bool must = must_agree(c);
    if (must && valid && !valid(c, call)) {
        state_free(c);
        return NULL;
    }
    if (!attach(c))
        state_loosen(c);
    join(c, must, process.cannot);
    return c;
}

static struct comm *comm_found(MPI_Comm handle, comm_question *valid, const struct call *call)
{
    if (!alive(handle))
        return NULL;
    struct comm *c = going_state(handle);
    if (c)
        return c;
    c = known(handle);
    if (!c)
        c = comm_new(handle, valid, call);
    if (c)
        state_enter(c);
    return c;
}

HOT struct comm *comm_of(MPI_Comm handle, comm_question *valid, const struct call *call)
{
    struct comm *c = state_entered(handle);
    if (!c) {
        const int saved = errno;
        c = comm_found(handle, valid, call);
        errno = saved;
    }
    return c;
}

HOT bool comm_stands(const struct comm *c, MPI_Comm handle, int error)
{
    return error == MPI_SUCCESS || state_entered(handle) == c || !handles_outlive ||
           (alive(handle) && (known(handle) == c || state_parked(handle) == c));
}
