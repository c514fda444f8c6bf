/* SPDX-License-Identifier: BSD-2-Clause */
/* What we keep for each communicator; see comm.h. */
#include "agree.h"
#include "handles.h"
#include "probe.h"
#include "trunk.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int key = MPI_KEYVAL_INVALID;                     /* of the attribute that holds a struct comm */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list; never held across an MPI call */
static struct comm *list;

/*
 * States by handle, so that a call finds its own without asking MPI, and without a lock. As long as a communicator lives, its
 * entry stays where it is; who has found a handle may read the state beside it. An entry is one of the WAYS behind a hash of
 * the handle; where these are taken, MPI is asked.
 */
enum { ENTRIES = 1 << 12, WAYS = 4 }; /* twice as many as MPICH has communicators */
static struct entry {
    _Atomic MPI_Comm handle;
    struct comm *_Atomic comm; /* NULL: free */
} table[ENTRIES];

static struct entry *entry_of(MPI_Comm handle, unsigned way)
{
    return &table[(((uint32_t)handle * 0x9e3779b9u >> 20) + way) % ENTRIES];
}

static struct comm *entered(MPI_Comm handle)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct entry *e = entry_of(handle, way);
        if (atomic_load_explicit(&e->handle, memory_order_acquire) == handle)
            return atomic_load_explicit(&e->comm, memory_order_relaxed);
    }
    return NULL;
}

/* Not a loose state: nobody would take it out. */
static void enter(struct comm *c)
{
    bool done = c->loose;
    pthread_mutex_lock(&lock);
    for (unsigned way = 0; way < WAYS && !done; way++) {
        struct entry *e = entry_of(c->user, way);
        done = !e->comm;
        if (done) {
            e->comm = c;
            atomic_store_explicit(&e->handle, c->user, memory_order_release);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* The lock is held. */
static void take_out(const struct comm *c)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct entry *e = entry_of(c->user, way);
        if (e->comm == c) {
            e->comm = NULL;
            e->handle = 0; /* none of MPI's */
        }
    }
}

/*
 * Where the states of communicators come from if there is no memory: a rank without a state would miss what the others do
 * together. Those in use have a link; protected by the lock.
 */
static struct comm reserve[64];

static struct comm *comm_alloc(const struct comm *draft)
{
    struct comm *c = calloc(1, sizeof *c);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; !c && i < sizeof reserve / sizeof reserve[0]; i++)
        if (!reserve[i].link)
            c = &reserve[i];
    if (c) {
        *c = *draft;
        c->next = list;
        c->link = &list;
        if (list)
            list->link = &c->next;
        list = c;
    }
    pthread_mutex_unlock(&lock);
    return c;
}

static void comm_free(struct comm *c)
{
    bool reserved = c >= reserve && c < reserve + sizeof reserve / sizeof reserve[0];
    pthread_mutex_lock(&lock);
    take_out(c);
    *c->link = c->next;
    if (c->next)
        c->next->link = c->link;
    c->link = NULL;
    pthread_mutex_unlock(&lock);
    if (!reserved)
        free(c);
}

void comm_forget_operations(struct comm *c)
{
    for (int i = 0; i < OPERATIONS; i++)
        typemap_free(c->operations[i].map);
    memset(c->operations, 0, sizeof c->operations);
}

static int on_delete(MPI_Comm handle, int k, void *value, void *state)
{
    struct comm *c = value;
    (void)handle;
    (void)k;
    (void)state;
    comm_forget_operations(c);
    trunk_leave(c);
    for (int source = 0; source < SOURCES; source++)
        places_free(c->nodes.places[source]);
    free(c->ledger);
    free(c->world);
    comm_free(c);
    return MPI_SUCCESS;
}

bool comm_open(void)
{
    /* No copy: a duplicate of a communicator has its own message space and gets its own state. */
    return pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL) == MPI_SUCCESS;
}

/* MPI_COMM_WORLD and MPI_COMM_SELF are never freed, but in MPI_Finalize, where callbacks may still call us: theirs stay. */
static struct comm *builtin[2];

static struct comm **builtin_of(MPI_Comm handle)
{
    return handle == MPI_COMM_WORLD ? &builtin[0] : handle == MPI_COMM_SELF ? &builtin[1] : NULL;
}

/* Is this the handle of a live communicator? Asked in a way that calls no error handler. */
static bool alive(MPI_Comm handle)
{
    int result = MPI_UNEQUAL;
    if (!handle_is_comm(handle) || (builtin_of(handle) && !process_initialized()))
        return false;
    MPI_Comm probe = probe_take();
    bool yes = probe == MPI_COMM_NULL || pmpi.Comm_compare(probe, handle, &result) == MPI_SUCCESS;
    probe_give();
    return yes;
}

/* A state that could not be hung on its communicator: it may stay too long, and has no private communicator. */
static struct comm *loose(MPI_Comm handle)
{
    pthread_mutex_lock(&lock);
    struct comm *c = list;
    while (c && !(c->loose && c->user == handle))
        c = c->next;
    pthread_mutex_unlock(&lock);
    return c;
}

/* The state of a live communicator, or NULL: it has none yet. */
static struct comm *known(MPI_Comm handle)
{
    struct comm **place = builtin_of(handle), *c = NULL;
    int found = 0;
    if (place)
        return *place;
    if (key != MPI_KEYVAL_INVALID)
        pmpi.Comm_get_attr(handle, key, &c, &found);
    return found ? c : loose(handle);
}

/* Remembers the state. False: it does not hang on its communicator, for want of memory. */
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

/* What a live communicator is. */
static struct comm draft_of(MPI_Comm handle)
{
    struct comm c = {.user = handle, .channel = {.mpi = &pmpi.wire, .comm = MPI_COMM_NULL}};
    int inter = 0;
    pmpi.Comm_test_inter(handle, &inter);
    pmpi.Comm_size(handle, &c.ranks);
    pmpi.Comm_rank(handle, &c.rank);
    if (inter)
        c.barred = REASON_INTERCOMM;
    return c;
}

/* Collective, where ranks have to agree. */
static void take_part(struct comm *c, enum cannot cannot)
{
    if (c->barred || c->ranks == 1)
        return;
    agree(c, cannot);
    c->barred = c->findings->barred;
    c->nodes.machine.oversubscribed = c->findings->oversubscribed;
}

/* A rank that has no memory for a state takes part, too, and says so. */
static struct comm *comm_new(struct comm *draft)
{
    struct comm *c = comm_alloc(draft);
    if (c)
        c->loose = !attach(c);
    take_part(c ? c : draft, c ? process.cannot : CANNOT_MEMORY);
    return c;
}

static struct comm *comm_found(MPI_Comm handle, comm_question *valid, const void *call)
{
    if (!alive(handle))
        return NULL;
    struct comm *c = known(handle);
    if (c)
        return c;
    struct comm draft = draft_of(handle);
    return valid && !valid(&draft, call) ? NULL : comm_new(&draft);
}

struct comm *comm_of(MPI_Comm handle, comm_question *valid, const void *call)
{
    struct comm *c = entered(handle);
    if (!c && (c = comm_found(handle, valid, call)))
        enter(c);
    return c;
}

int *comm_world_ranks(const struct comm *c)
{
    MPI_Group world, group;
    int *rank = process_initialized() ? malloc(2 * (size_t)c->ranks * sizeof *rank) : NULL;
    if (!rank)
        return NULL;
    int *own = rank + c->ranks;
    for (int r = 0; r < c->ranks; r++)
        own[r] = r;
    pmpi.Comm_group(c->user, &group);
    pmpi.Comm_group(MPI_COMM_WORLD, &world);
    pmpi.Group_translate_ranks(group, c->ranks, own, world, rank);
    pmpi.Group_free(&group);
    pmpi.Group_free(&world);
    return rank;
}
