/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A private communicator with scratch memory and, on each node, a segment (sharing.c). Communicators of the same ranks in
 * the same order share all of these.
 *
 * MPI has about 2048 context ids in all, and a program may need nearly all of them. So Pleach cannot have a private
 * communicator for each communicator that engines serve. It cannot free the idle ones either, because freeing is collective,
 * and their ranks make no call together.
 *
 * The calls on a private communicator come in the same order on all of its ranks, although they belong to several
 * communicators of the program. If two ranks take part in the same two collective calls, both make them in the same order.
 * Otherwise the program could deadlock, as MPI allows any collective call to wait for all ranks. A call is over on a rank
 * when its messages are complete, and no message overtakes another one of the same sender. So no call receives a message of
 * another call, provided that a call ends only after it has received all its messages and uses no scratch memory any more.
 *
 * With several threads, the calls have no common order. If a process may call MPI from several threads, communicators
 * therefore do not share: each has a private communicator of its own, and BUDGET limits their number. The same holds for
 * sessions outside of MPI_Init and MPI_Finalize.
 *
 * Before the ranks of a communicator join a private communicator, they compare which one each of them knows. They may know
 * different ones: MPI deletes the attributes of a freed communicator when its last request is complete, which happens at a
 * different time on each rank. In that case the ranks make a new private communicator.
 */
#include "private_comm.h"

#include "hot.h"
#include "process.h"
#include "sharing.h"
#include "small_stack.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    BUDGET = 64,     /* most private communicators; by hand: few of MPI's context ids, yet enough for most programs */
    KEPT = 8 << 20,  /* bytes of scratch memory that stay: the blocks of any message fit, copies of large messages do not */
    ALIGNMENT = 4096 /* bytes: a page */
};

struct memory {
    char *start;
    int64_t bytes;
    bool mapped; /* by mmap(), not allocated */
};

struct private_comm {
    MPI_Comm comm;        /* private */
    uint64_t id;          /* unique, the same on all ranks; 0: nobody may join, as a message may be left in it */
    int rank, ranks;      /* rank of the calling process; size */
    struct channel *ring; /* a channel of those that use it now; they form a ring; NULL: there is none */
    bool pinned;          /* it stays although nobody uses it, as this rank has told the others that it may join */
    uint64_t joined;      /* number of communicators that have joined so far; the same on all ranks */
    struct memory kept;   /* stays between calls; at most KEPT bytes */
    struct memory large;  /* replaces `kept` for a call that needs more */
    int64_t promised;     /* bytes that all ranks have in `kept`, as they have agreed; the same on all ranks */
    struct shared shared;
    struct walk *walk; /* of the call that runs */
    struct private_comm *next;
};

/* Protects list, number and walked; never held across an MPI call. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct private_comm *list;
static int number; /* of private communicators, in the list or in the making */

/* ---- The private communicator ------------------------------------------------------------------------------------- */

/*
 * Each private communicator has one of these for the call that runs: a small stack has no room for it, and a call that has
 * begun on other ranks must not lack memory here.
 */
static struct walk walks[BUDGET];
static bool walked[BUDGET];

static struct walk *take_walk(void)
{
    int i = 0;
    while (walked[i])
        i++;
    walked[i] = true;
    return &walks[i];
}

/* Returns NULL if there are BUDGET private communicators already, or if memory is short. */
static struct private_comm *private_comm_new(const struct comm *c)
{
    struct private_comm *t = NULL;
    pthread_mutex_lock(&lock);
    if (number < BUDGET)
        t = calloc(1, sizeof *t);
    number += t != NULL;
    if (t)
        *t = (struct private_comm){.comm = MPI_COMM_NULL, .rank = c->rank, .ranks = c->ranks, .walk = take_walk()};
    pthread_mutex_unlock(&lock);
    return t;
}

static void free_large(struct private_comm *t)
{
    if (t->large.mapped)
        munmap(t->large.start, (size_t)t->large.bytes);
    else
        free(t->large.start);
    t->large = (struct memory){0};
}

static void private_comm_free(struct private_comm *t)
{
    if (!t)
        return;
    pthread_mutex_lock(&lock);
    for (struct private_comm **link = &list; *link; link = &(*link)->next)
        if (*link == t) {
            *link = t->next;
            break;
        }
    walked[t->walk - walks] = false;
    number--;
    pthread_mutex_unlock(&lock);
    if (t->comm != MPI_COMM_NULL)
        pmpi.Comm_free(&t->comm);
    free_large(t);
    free(t->kept.start);
    sharing_end(&t->shared);
    free(t);
}

static void free_unused(struct private_comm *t)
{
    if (!t->ring && !t->pinned)
        private_comm_free(t);
}

/*
 * The latest private communicator of c's ranks that c may join, as far as this rank knows. The search takes no lock, because
 * it runs only if one thread at a time may call MPI.
 */
static struct private_comm *candidate(const struct comm *c)
{
    int result = MPI_UNEQUAL;
    if (process_threaded())
        return NULL;
    for (struct private_comm *t = list; t; t = t->next)
        if (t->id && t->rank == c->rank && t->ranks == c->ranks &&
            pmpi.Comm_compare(c->user, t->comm, &result) == MPI_SUCCESS && result == MPI_CONGRUENT)
            return t;
    return NULL;
}

/*
 * Collective. Splits c, because to duplicate c would run the application's attribute callbacks. Succeeds on all ranks or on
 * none.
 */
static bool split_comm(struct comm *c, struct private_comm *t, uint64_t id)
{
    MPI_Errhandler before = pmpi_hush(c->user);
    int error = split_ranks(c->user, 0, c->rank, &t->comm);
    pmpi_unhush(c->user, before);
    if (!pmpi_agreed(c->user, error == MPI_SUCCESS, MPI_MIN)) {
        if (error == MPI_SUCCESS)
            pmpi.Comm_free(&t->comm);
        t->comm = MPI_COMM_NULL;
        return false;
    }
    pmpi.Comm_set_errhandler(t->comm, MPI_ERRORS_RETURN);
    t->id = id;
    pthread_mutex_lock(&lock);
    t->next = list;
    list = t;
    pthread_mutex_unlock(&lock);
    return true;
}

/* Gives each communicator call numbers, and so tags, of its own, in case a program mixes up the order of its calls. */
static void join_private(struct comm *c, struct private_comm *t)
{
    struct channel *new = &c->channel;
    c->private_comm = t;
    new->comm = t->comm;
    new->walk = t->walk;
    new->calls = t->joined++ << CHANNEL_BITS;
    new->before = t->ring ? t->ring : new;
    new->next = t->ring ? t->ring->next : new;
    new->before->next = new->next->before = t->ring = new;
}

/*
 * Says that the ranks have come here in different calls. The call of some ranks was native on the others, so messages
 * between them would never arrive. If all ranks make native calls from now on, the MPI library finds the mismatch.
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

/*
 * Gives c's channel a private communicator, unless it has one. Returns false on all ranks if there is none for c, or if the
 * ranks do not make the same calls. Then no engine serves c any more.
 */
static bool connect_ranks(struct comm *c)
{
    enum { ID, ID_NOT, NEW_ID, LOOSE, FULL, MADE, MADE_NOT, WORDS };
    if (c->private_comm || c->known.barred)
        return c->private_comm != NULL;
    struct private_comm *old = candidate(c), *fresh = private_comm_new(c);
    if (old)
        old->pinned = true;
    uint64_t most[WORDS] = {[ID] = old ? old->id : 0,  [NEW_ID] = c->rank == 0 ? group_info_new_id(process.rank) : 0,
                            [LOOSE] = c->listed.loose, /* a loose state would never leave the private communicator */
                            [FULL] = !fresh,           [MADE] = c->made,
                            [MADE_NOT] = ~c->made};
    most[ID_NOT] = ~most[ID];
    words_largest(c->user, most, WORDS);
    struct private_comm *t = NULL;
    const bool match = most[MADE] == ~most[MADE_NOT];
    if (!match)
        say_mismatch(c, most[MADE], ~most[MADE_NOT]);
    else if (!most[LOOSE] && most[ID] != 0 && most[ID] == ~most[ID_NOT])
        t = old;
    else if (!most[LOOSE] && !most[FULL] && fresh && split_comm(c, fresh, most[NEW_ID])) /* !FULL implies `fresh` */
        t = fresh;
    if (t != fresh)
        private_comm_free(fresh);
    if (t)
        join_private(c, t);
    else
        c->known.barred = match ? REASON_NO_CONTEXT : REASON_MISMATCH;
    if (old) {
        old->pinned = false;
        free_unused(old);
    }
    return t != NULL;
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
    t->ring = old->before != old ? old->before : NULL;
    old->before->next = old->next;
    old->next->before = old->before;
    free_unused(t);
}

void private_comms_forget(void)
{
    pthread_mutex_lock(&lock);
    for (struct private_comm *t = list; t; t = t->next) {
        t->comm = MPI_COMM_NULL;
        t->id = 0;
    }
    pthread_mutex_unlock(&lock);
}

/* ---- Scratch memory ----------------------------------------------------------------------------------------------- */

static bool hold(struct memory *m, int64_t bytes)
{
    void *more;
    if (bytes <= m->bytes)
        return true;
    const int saved = errno; /* of the application */
    const bool short_of = posix_memalign(&more, ALIGNMENT, (size_t)bytes) != 0;
    errno = saved;
    if (short_of)
        return false;
    free(m->start);
    *m = (struct memory){more, bytes, false};
    return true;
}

/*
 * Holds memory for one call. Data with gaps may span more memory than the machine has. Nobody touches the gaps, so the
 * kernel need not reserve memory for them.
 */
static bool hold_large(struct private_comm *t, int64_t bytes, bool gaps)
{
    const int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (bytes <= t->large.bytes)
        return true;
    free_large(t);
    if (hold(&t->large, bytes))
        return true;
    char *more = gaps ? mmap(NULL, (size_t)bytes, access, flags, -1, 0) : MAP_FAILED;
    if (more == MAP_FAILED)
        return false;
    t->large = (struct memory){more, bytes, true};
    return true;
}

/* Rounds up, so that a call that needs somewhat more does not allocate memory again. */
static int64_t rounded(int64_t bytes)
{
    int64_t more = ALIGNMENT;
    while (more < bytes)
        more *= 2;
    return more;
}

/* Holds `most` bytes: more than `alike` if the data of this rank have gaps. */
static bool hold_all(struct private_comm *t, int64_t alike, int64_t most)
{
    if (most <= KEPT)
        return hold(&t->kept, rounded(most));
    return (alike > KEPT || hold(&t->kept, rounded(alike))) && hold_large(t, most, most > alike);
}

/* Gets scratch memory. The ranks agree once on memory that stays, but at each call on memory that does not stay. */
HOT static bool get_scratch(struct comm *c, int64_t alike, int64_t mine)
{
    struct private_comm *t = c->private_comm;
    const int64_t most = mine > alike ? mine : alike;
    bool have = hold_all(t, alike, most);
    if (alike > t->promised) {
        if (!pmpi_agreed(t->comm, have, MPI_MIN)) {
            free_large(t);
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
    return c->private_comm && alike <= c->private_comm->promised && get_scratch(c, alike, mine);
}

HOT void comm_performed(struct comm *c, bool failed)
{
    if (failed)
        c->private_comm->id = 0;
    if (c->private_comm->large.start)
        free_large(c->private_comm);
}
