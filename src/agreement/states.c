/* SPDX-License-Identifier: BSD-2-Clause */
/* See states.h. */
#include "states.h"

#include "hold.h"
#include "hot.h"
#include "own_memory.h"

#include <stdatomic.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all data here; never held across an MPI call */
static struct comm *list, *parked;
static unsigned rounds;

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* For ranks without memory, which would miss agreements. A state in use has a link. */
static struct comm reserve[64];

static void push(struct comm **head, struct comm *c)
{
    c->listed.next = *head;
    c->listed.link = head;
    if (c->listed.next)
        c->listed.next->listed.link = &c->listed.next;
    *head = c;
}

/* Then it links to itself, as it is in use. */
static void unlink_state(struct comm *c)
{
    *c->listed.link = c->listed.next;
    if (c->listed.next)
        c->listed.next->listed.link = c->listed.link;
    c->listed.next = NULL;
    c->listed.link = &c->listed.next;
}

struct comm *state_new(void)
{
    struct comm *c = own_memory(sizeof *c);
    HOLD(lock);
    for (size_t i = 0; !c && i < sizeof reserve / sizeof reserve[0]; i++)
        if (!reserve[i].listed.link)
            c = memset(&reserve[i], 0, sizeof reserve[i]);
    if (c)
        push(&list, c);
    return c;
}

void state_free(struct comm *c)
{
    bool reserved = c >= reserve && c < reserve + sizeof reserve / sizeof reserve[0];
    pthread_mutex_lock(&lock);
    unlink_state(c);
    c->listed.link = NULL;
    pthread_mutex_unlock(&lock);
    if (!reserved)
        own_memory_free(c);
}

static atomic_bool some_loose; /* most processes have none, and need no search */

void state_loosen(struct comm *c)
{
    HOLD(lock);
    some_loose = true;
    c->listed.loose = true;
}

struct comm *state_loose(MPI_Comm handle)
{
    if (!some_loose)
        return NULL;
    HOLD(lock);
    struct comm *c = list;
    while (c && !(c->listed.loose && c->user == handle))
        c = c->listed.next;
    return c;
}

/* ---- By handle ------------------------------------------------------------------------------------------------------- */

/*
 * Finds states without MPI and without a lock. An entry stays in place while its communicator lives, so a thread with the
 * handle may read it. It takes one of WAYS places from a hash of the handle on, or has none and its calls query MPI.
 */
enum { ENTRIES = 1 << 12, WAYS = 4 }; /* twice the communicators that some libraries allow */
static struct state_entry {
    _Atomic MPI_Comm handle;
    struct comm *_Atomic comm; /* NULL: free */
} table[ENTRIES];

static struct state_entry *entry_of(MPI_Comm handle, unsigned way)
{
    return &table[((unsigned)(HANDLE_HASH(handle) >> 52) + way) % ENTRIES];
}

HOT struct comm *state_entered(MPI_Comm handle)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct state_entry *e = entry_of(handle, way);
        if (atomic_load_explicit(&e->handle, memory_order_acquire) == handle)
            return atomic_load_explicit(&e->comm, memory_order_relaxed);
    }
    return NULL;
}

/* No callback would take it out. */
void state_enter(struct comm *c)
{
    bool done = c->listed.loose;
    HOLD(lock);
    for (unsigned way = 0; way < WAYS && !done; way++) {
        struct state_entry *e = entry_of(c->user, way);
        done = !e->comm;
        if (done) {
            e->comm = c;
            atomic_store_explicit(&e->handle, c->user, memory_order_release);
        }
    }
}

static void unlist(const struct comm *c)
{
    for (unsigned way = 0; way < WAYS; way++) {
        struct state_entry *e = entry_of(c->user, way);
        if (e->comm == c) {
            e->comm = NULL;
            e->handle = 0; /* no handle is 0 */
        }
    }
}

void states_forget(void)
{
    HOLD(lock);
    while (list) {
        unlist(list);
        unlink_state(list);
    }
}

/* ---- Parked ---------------------------------------------------------------------------------------------------------- */

void state_park(struct comm *c)
{
    HOLD(lock);
    unlist(c);
    unlink_state(c);
    push(&parked, c);
}

static struct comm *find_parked(MPI_Comm handle, unsigned round)
{
    struct comm *c = parked;
    while (c && !(c->user == handle && (round == 0 || c->listed.round == round)))
        c = c->listed.next;
    return c;
}

struct comm *state_parked(MPI_Comm handle)
{
    HOLD(lock);
    return find_parked(handle, 0);
}

struct comm *state_unpark(MPI_Comm handle, unsigned round)
{
    HOLD(lock);
    struct comm *c = find_parked(handle, round);
    if (c)
        unlink_state(c);
    return c;
}

struct comm *state_overdue(int most)
{
    int count = 0;
    HOLD(lock);
    struct comm *c = parked;
    for (; c && c->listed.next; c = c->listed.next)
        count++;
    if (count + 1 < most)
        c = NULL;
    if (c)
        unlink_state(c);
    return c;
}

unsigned state_round(void)
{
    HOLD(lock);
    rounds += rounds + 1 ? 1 : 2;
    return rounds;
}

bool state_next(unsigned round, MPI_Comm *handle)
{
    HOLD(lock);
    struct comm *c = parked;
    while (c && c->listed.round == round)
        c = c->listed.next;
    if (c) {
        c->listed.round = round;
        *handle = c->user;
    }
    return c != NULL;
}
