/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A private communicator with scratch memory and, on each node, a segment (sharing.c). Communicators of the same ranks in
 * the same order share all of these.
 *
 * MPI has about 2048 context ids in all, and a program may need nearly all of them. So Pleach cannot have a private
 * communicator for each communicator that engines serve. One that no communicator uses any more is idle: it waits for the
 * next communicator of its ranks, with its scratch memory and its segment. A process keeps at most IDLE of them.
 *
 * The calls on a private communicator come in the same order on all of its ranks, although they belong to several
 * communicators of the program. If two ranks take part in the same two collective calls, both make them in the same order.
 * Otherwise the program could deadlock, as MPI allows any collective call to wait for all ranks. A call is over on a rank
 * when its messages are complete, and no message overtakes another one of the same sender. So no call receives a message of
 * another call, provided that a call ends only after it has received all its messages and uses no scratch memory any more.
 *
 * With several threads, the calls have no common order. If a process may call MPI from several threads, its communicators
 * therefore join idle private communicators only, and BUDGET limits the number of all.
 *
 * The ranks of a communicator join a private communicator only if each of them offers the same one in the same state. Then
 * each has ended its last call there, whatever other ranks still did at that time. Offers may differ: MPI deletes the
 * attributes of a freed communicator when its last request is complete, which happens at a different time on each rank, and
 * each rank alone frees idle ones to get room. Then the ranks make a new private communicator, and nobody offers the others
 * again. With several threads, rank 0 names one of its idle ones before, as ranks have them in different order.
 */
#include "private_comm.h"

#include "carriers.h"
#include "hash.h"
#include "hold.h"
#include "hot.h"
#include "own_memory.h"
#include "process.h"
#include "sharing.h"
#include "small_stack.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    BUDGET = 64,     /* most private communicators; by hand */
    IDLE = 8,        /* .. that are idle */
    KEPT = 8 << 20,  /* bytes of scratch memory that stay, for the blocks of any message */
    ALIGNMENT = 4096 /* bytes: a page */
};

struct memory {
    char *start;
    int64_t bytes;
    bool mapped; /* not allocated */
    void *own;   /* own_memory(), or NULL */
};

struct private_comm {
    MPI_Comm comm;
    uint64_t id;          /* the same on all ranks; 0: nobody may join, as a message may be left */
    uint64_t group;       /* world_group() */
    struct channel *ring; /* the channels that use it now; or NULL */
    bool left;            /* a message may be */
    bool pinned;          /* this rank offers it now */
    uint64_t idle_since;  /* the later, the higher */
    uint64_t joined;      /* communicators so far; the same on all ranks */
    struct memory kept;   /* at most KEPT bytes */
    struct memory large;  /* for a call that needs more */
    int64_t promised;     /* bytes in `kept` on all ranks, as agreed */
    struct shared shared;
    struct carriers carriers;
    struct walk walk; /* too large for a small stack */
    bool used;        /* in the list, or in the making */
    struct private_comm *next;
};

/* Of these, and of `ring` to `idle_since`, `used` and `next`; never held across an MPI call. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct private_comm *list;
static struct private_comm comms[BUDGET]; /* all: a call begun on other ranks must not lack memory here */
static uint64_t idlings;

/* ---- The private communicator ------------------------------------------------------------------------------------- */

static void free_memory(struct memory *m)
{
    if (m->own)
        own_memory_free(m->own);
    else if (m->mapped)
        munmap(m->start, (size_t)m->bytes);
    else
        free(m->start);
    *m = (struct memory){0};
}

/* The caller holds the lock, and then ends it. */
static void unlist(struct private_comm *t)
{
    for (struct private_comm **link = &list; *link; link = &(*link)->next)
        if (*link == t) {
            *link = t->next;
            break;
        }
}

static void end(struct private_comm *t)
{
    if (t->comm != MPI_COMM_NULL && !t->left) { /* an MPI library may end the program otherwise */
        carriers_end(&t->carriers);
        pmpi.Comm_free(&t->comm);
    }
    free_memory(&t->large);
    free_memory(&t->kept);
    sharing_end(&t->shared);
    HOLD(lock);
    memset(t, 0, sizeof *t);
}

static void private_comm_free(struct private_comm *t)
{
    pthread_mutex_lock(&lock);
    unlist(t);
    pthread_mutex_unlock(&lock);
    end(t);
}

static bool is_idle(const struct private_comm *t)
{
    return !t->ring && !t->pinned;
}

/* The one idle longest, taken out, if more than `most` are; or NULL. */
static struct private_comm *unlist_idle(int most)
{
    struct private_comm *oldest = NULL;
    int idle = 0;
    HOLD(lock);
    for (struct private_comm *t = list; t; t = t->next)
        if (is_idle(t)) {
            oldest = !oldest || t->idle_since < oldest->idle_since ? t : oldest;
            idle++;
        }
    if (idle <= most)
        return NULL;
    unlist(oldest);
    return oldest;
}

bool private_comms_make_room(void)
{
    struct private_comm *t = unlist_idle(0);
    if (t)
        end(t);
    return t != NULL;
}

void private_comms_end_idle(void)
{
    for (struct private_comm *t; (t = unlist_idle(0));) {
        t->comm = MPI_COMM_NULL;
        end(t);
    }
}

/* NULL: BUDGET of them are not idle. */
static struct private_comm *private_comm_new(const struct comm *c)
{
    struct private_comm *t = NULL;
    do {
        HOLD(lock);
        for (int i = 0; i < BUDGET && !t; i++)
            if (!comms[i].used)
                t = &comms[i];
        if (t) {
            t->used = t->pinned = true;
            t->comm = MPI_COMM_NULL;
            t->group = c->locality.group;
        }
    } while (!t && private_comms_make_room());
    return t;
}

/*
 * After one may have become idle: frees it if nobody may join, or if its ranks got no segment; or another, if too many are
 * idle.
 */
static void free_unwanted(struct private_comm *t)
{
    pthread_mutex_lock(&lock);
    const bool idle = is_idle(t), goes = idle && (!t->id || (t->shared.tried && !t->shared.segment));
    if (idle)
        t->idle_since = ++idlings;
    if (goes)
        unlist(t);
    pthread_mutex_unlock(&lock);
    struct private_comm *surplus = goes ? t : unlist_idle(IDLE);
    if (surplus)
        end(surplus);
}

/* ---- Offers ---------------------------------------------------------------------------------------------------------- */

static void unpin(struct private_comm *t)
{
    HOLD(lock);
    t->pinned = false;
}

/*
 * Of those that c may join, with this id unless 0; or NULL. With several threads, that idle longest: others likely have it.
 */
static struct private_comm *pin(const struct comm *c, uint64_t id)
{
    struct private_comm *found = NULL;
    int result = MPI_UNEQUAL;
    if (c->locality.group == 0 || c->listed.loose) /* a loose state would never leave it */
        return NULL;
    pthread_mutex_lock(&lock);
    for (struct private_comm *t = list; t; t = t->next)
        if (t->id && (!id || t->id == id) && t->group == c->locality.group && (!c->locality.info->asked || is_idle(t)) &&
            (!found || t->idle_since < found->idle_since))
            found = t;
    if (found)
        found->pinned = true;
    pthread_mutex_unlock(&lock);
    if (found && (pmpi.Comm_compare(c->user, found->comm, &result) != MPI_SUCCESS || result != MPI_CONGRUENT)) {
        unpin(found);
        found = NULL;
    }
    return found;
}

/* Which one it is, what has happened in it, and that calls match: the same on all ranks that join. */
static uint64_t state_of(const struct comm *c, const struct private_comm *t)
{
    const struct segment *s = t ? t->shared.segment : NULL;
    uint64_t h = 0;
    if (t)
        h = hash_add(hash_add(hash_add(hash_add(t->id, c->known.made), t->joined), (uint64_t)t->promised), t->shared.tried);
    for (int a = 0; t && a < ALGORITHMS; a++)
        h = hash_add(h, (uint64_t)t->carriers.users[a]);
    if (s)
        h = hash_add(hash_add(h, (uint64_t)s->next), (uint64_t)s->operations);
    return h;
}

/* Collective. On all ranks or none. Duplicating would run the application's attribute callbacks. */
static bool split_comm(const struct comm *c, struct private_comm *t, uint64_t id)
{
    const int error = split_ranks(c->user, 0, c->rank, &t->comm);
    if (!pmpi_agreed(c->user, error == MPI_SUCCESS, MPI_MIN)) {
        if (error == MPI_SUCCESS)
            pmpi.Comm_free(&t->comm);
        t->comm = MPI_COMM_NULL;
        return false;
    }
    t->id = id;
    HOLD(lock);
    t->next = list;
    list = t;
    return true;
}

/* With call numbers, and so tags, of its own, should a program mix up its calls. */
static void join_private(struct comm *c, struct private_comm *t)
{
    struct channel *new = &c->channel;
    c->private_comm = t;
    new->comm = t->comm;
    new->walk = &t->walk;
    new->calls = t->joined++ << CHANNEL_BITS;
    HOLD(lock);
    new->before = t->ring ? t->ring : new;
    new->next = t->ring ? t->ring->next : new;
    new->before->next = new->next->before = t->ring = new;
}

struct private_comm *private_comm_offer(const struct comm *c, uint64_t *state)
{
    struct private_comm *t = c->locality.info->asked ? NULL : pin(c, 0);
    *state = state_of(c, t);
    return t;
}

void private_comm_answer(struct comm *c, struct private_comm *offered, bool same)
{
    if (!offered)
        return;
    if (same)
        join_private(c, offered);
    else
        offered->id = 0;
    unpin(offered);
    free_unwanted(offered);
}

/* Collective. With several threads, rank 0 names the idle one to pin. */
static struct private_comm *pin_named(const struct comm *c)
{
    struct private_comm *t = c->rank == 0 ? pin(c, 0) : NULL;
    uint64_t id = t ? t->id : 0;
    pmpi.Bcast(&id, 1, MPI_UINT64_T, 0, c->user);
    return c->rank == 0 || id == 0 ? t : pin(c, id);
}

/*
 * The ranks come in different calls, so their messages would never arrive. By native calls from now on, the MPI library
 * finds the mismatch.
 */
static void say_mismatch(const struct comm *c, uint64_t most, uint64_t least)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    pmpi.Comm_get_name(c->user, name, &length);
    if (c->rank == 0)
        say("mismatch on %s (%d ranks): some ranks make call %llu while others make call %llu; every call there goes to "
            "the native MPI library",
            name[0] ? name : "a communicator", c->ranks, (unsigned long long)least + 1, (unsigned long long)most + 1);
}

/* Unless there is one. False on all ranks: none is left, or calls differ; no engine serves c any more. */
static bool connect_ranks(struct comm *c)
{
    enum { OFFER, OFFER_NOT, NEW_ID, LOOSE, FULL, MADE, MADE_NOT, WORDS };
    if (c->private_comm || c->known.barred)
        return c->private_comm != NULL;
    struct private_comm *old = c->locality.info->asked ? pin_named(c) : pin(c, 0), *fresh = private_comm_new(c);
    uint64_t most[WORDS] = {[OFFER] = state_of(c, old), [NEW_ID] = c->rank == 0 ? group_info_new_id(process.rank) : 0,
                            [LOOSE] = c->listed.loose,  [FULL] = !fresh,
                            [MADE] = c->known.made,     [MADE_NOT] = ~c->known.made};
    most[OFFER_NOT] = ~most[OFFER];
    words_largest(c->user, most, WORDS);
    const bool match = most[MADE] == ~most[MADE_NOT];
    private_comm_answer(c, old, most[OFFER] == ~most[OFFER_NOT]);
    if (!match)
        say_mismatch(c, most[MADE], ~most[MADE_NOT]);
    else if (!c->private_comm && !most[LOOSE] && !most[FULL] && fresh && split_comm(c, fresh, most[NEW_ID]))
        private_comm_answer(c, fresh, true); /* !FULL implies `fresh` */
    if (fresh && c->private_comm != fresh)
        private_comm_free(fresh);
    if (!c->private_comm)
        c->known.barred = match ? REASON_NO_CONTEXT : REASON_MISMATCH;
    return c->private_comm != NULL;
}

struct shared *private_comm_shared(const struct comm *c)
{
    return &c->private_comm->shared;
}

void private_comm_leave(struct comm *c)
{
    struct private_comm *t = c->private_comm;
    struct channel *old = &c->channel;
    if (!t)
        return;
    pthread_mutex_lock(&lock);
    t->ring = old->before != old ? old->before : NULL;
    old->before->next = old->next;
    old->next->before = old->before;
    pthread_mutex_unlock(&lock);
    free_unwanted(t);
}

/* ---- Carriers ------------------------------------------------------------------------------------------------------- */

bool comm_carry(struct comm *c, enum algorithm a)
{
    const bool carried = carriers_take(&c->private_comm->carriers, a, c->private_comm->comm);
    c->known.carriers |= (uint32_t)carried << a;
    for (int i = 0; i < COLLECTIVES && !carried; i++)
        c->known.machine.algorithms.of[i] &= ~(UINT32_C(1) << a);
    if (!carried)
        comm_knows_machine(c);
    return carried;
}

MPI_Comm comm_carrier(const struct comm *c, enum algorithm a)
{
    assert(!c->known.machine.algorithms.carried || c->known.carriers >> a & 1);
    return c->known.machine.algorithms.carried ? c->private_comm->carriers.comm[a] : c->user;
}

void comm_carries_less(struct comm *c)
{
    uint32_t go = c->known.carriers ? c->known.carriers & ~known_needs_algorithms(&c->known, &process.settings) : 0;
    c->known.carriers &= ~go;
    for (; go; go &= go - 1)
        carriers_leave(&c->private_comm->carriers, (enum algorithm)__builtin_ctz(go));
}

/* ---- The end ---------------------------------------------------------------------------------------------------------- */

void private_comms_forget(void)
{
    pthread_mutex_lock(&lock);
    for (struct private_comm *t = list; t; t = t->next) {
        t->comm = MPI_COMM_NULL;
        t->id = 0;
    }
    pthread_mutex_unlock(&lock);
    private_comms_end_idle();
}

/* ---- Scratch memory ----------------------------------------------------------------------------------------------- */

static bool hold_kept(struct memory *m, int64_t bytes)
{
    char *own = bytes > m->bytes ? own_memory((size_t)bytes + ALIGNMENT) : NULL;
    if (!own)
        return bytes <= m->bytes;
    free_memory(m);
    *m = (struct memory){.start = own + ALIGNMENT - (uintptr_t)own % ALIGNMENT, .bytes = bytes, .own = own};
    return true;
}

/* For one call. Gaps may span more than the machine's memory; the kernel reserves none for them. */
static bool hold_large(struct memory *m, int64_t bytes, bool gaps)
{
    const int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *more;
    if (bytes <= m->bytes)
        return true;
    free_memory(m);
    const int saved = errno;
    const bool short_of = posix_memalign(&more, ALIGNMENT, (size_t)bytes) != 0;
    if (short_of)
        more = gaps ? mmap(NULL, (size_t)bytes, access, flags, -1, 0) : MAP_FAILED;
    errno = saved;
    if (more == MAP_FAILED)
        return false;
    *m = (struct memory){.start = more, .bytes = bytes, .mapped = short_of};
    return true;
}

static int64_t rounded(int64_t bytes)
{
    int64_t more = ALIGNMENT;
    while (more < bytes)
        more *= 2;
    return more;
}

/* More than `alike` if data have gaps. */
static bool hold_all(struct private_comm *t, int64_t alike, int64_t most)
{
    if (most <= KEPT)
        return hold_kept(&t->kept, rounded(most));
    return (alike > KEPT || hold_kept(&t->kept, rounded(alike))) && hold_large(&t->large, most, most > alike);
}

/* The ranks agree once on memory that stays, else at each call. */
HOT static bool get_scratch(struct comm *c, int64_t alike, int64_t mine)
{
    struct private_comm *t = c->private_comm;
    const int64_t most = mine > alike ? mine : alike;
    bool have = hold_all(t, alike, most);
    if (alike > t->promised) {
        if (!pmpi_agreed(t->comm, have, MPI_MIN)) {
            free_memory(&t->large);
            return false;
        }
        if (alike <= KEPT)
            t->promised = rounded(alike);
    }
    const struct memory *m = t->large.bytes >= most ? &t->large : &t->kept;
    c->channel.scratch = m->start;
    c->channel.bytes = m->bytes;
    return true;
}

enum reason comm_acquire(struct comm *c, int64_t alike, int64_t mine)
{
    if (!connect_ranks(c))
        return c->known.barred;
    return get_scratch(c, alike, mine) ? REASON_NONE : REASON_NO_MEMORY;
}

HOT bool comm_acquire_quietly(struct comm *c, int64_t alike, int64_t mine)
{
    return c->private_comm && alike <= c->private_comm->promised &&
           ((alike == 0 && mine == 0) || get_scratch(c, alike, mine));
}

HOT void comm_performed(struct comm *c, bool failed)
{
    if (failed) {
        c->private_comm->id = 0;
        c->private_comm->left = true;
    }
    if (c->private_comm->large.start)
        free_memory(&c->private_comm->large);
}
