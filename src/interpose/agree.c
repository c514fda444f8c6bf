/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Agreement: all ranks compare their settings once, before anything is decided by them.
 *
 * It happens at the first intercepted call, of any size, on a communicator that does not lie inside one that has agreed.
 * Whether it does is the same on all its ranks: collective calls on two communicators that share two processes come in the
 * same order on both, or the program could deadlock. With MPI_THREAD_MULTIPLE that order is not fixed between threads, so
 * then every communicator agrees for itself.
 */
#include "agree.h"

#include "layout.h"
#include "process.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum { PATIENCE = 5 }; /* seconds until we say for what we wait */

/* Processes that have agreed, and what they know alike since then. */
struct agreed {
    MPI_Group group;
    struct standing standing;
    struct agreed *next; /* older */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list's head; never held across an MPI call */
static struct agreed *list;

static struct agreed *list_head(void)
{
    pthread_mutex_lock(&lock);
    struct agreed *head = list;
    pthread_mutex_unlock(&lock);
    return head;
}

/* Does c lie inside a communicator that has agreed? */
static bool inherited(struct comm *c)
{
    MPI_Group group, rest;
    int outside = 1;
    struct agreed *a = list_head();
    if (!a)
        return false;
    pmpi.Comm_group(c->user, &group);
    for (; a && outside; a = a->next) {
        pmpi.Group_difference(group, a->group, &rest);
        pmpi.Group_size(rest, &outside);
        if (rest != MPI_GROUP_EMPTY)
            pmpi.Group_free(&rest);
        if (outside == 0)
            c->standing = a->standing;
    }
    pmpi.Group_free(&group);
    return outside == 0;
}

static void remember(struct comm *c, struct agreed *a)
{
    a->standing = c->standing;
    pmpi.Comm_group(c->user, &a->group);
    pthread_mutex_lock(&lock);
    a->next = list;
    list = a;
    pthread_mutex_unlock(&lock);
}

void agree_close(void)
{
    struct agreed *a = list_head();
    list = NULL;
    while (a) {
        struct agreed *next = a->next;
        pmpi.Group_free(&a->group);
        free(a);
        a = next;
    }
}

/* An all-reduce that says for what it waits if that takes long: the library may be missing on some ranks. */
static void patient_max(struct comm *c, uint64_t *value, int count)
{
    MPI_Request request;
    struct timespec start, now;
    int done = 0;
    /* Some ranks speak, one after the other, so that one does even if rank 0 is among the missing. */
    bool speaks = c->rank < 3;

    pmpi.Iallreduce(MPI_IN_PLACE, value, count, MPI_UINT64_T, MPI_MAX, c->user, &request);
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (pmpi.Test(&request, &done, MPI_STATUS_IGNORE); !done; pmpi.Test(&request, &done, MPI_STATUS_IGNORE)) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (speaks && now.tv_sec - start.tv_sec >= PATIENCE * (c->rank + 1)) {
            say("rank %d has waited %d s for the first collective call of the other ranks; if this lasts, libpleach.so "
                "may not be preloaded on every rank, or the program relies on a call that does not wait for the others",
                process.rank, PATIENCE * (c->rank + 1));
            speaks = false;
        }
        sched_yield();
    }
}

/* Names the setting that differs, and a rank that has it otherwise than rank 0 of c. Collective. */
static void name_difference(struct comm *c, const bool *differs, const uint64_t *hash)
{
    struct {
        int rank; /* in MPI_COMM_WORLD */
        char value[4 * SETTING_TEXT];
    } first = {.rank = process.rank}, other;
    char name[SETTING_TEXT];
    int which = settings_difference(differs, name, sizeof name), lowest;
    uint64_t reference = hash[which];

    settings_agreed_value(&process.settings, which, first.value, sizeof first.value);
    other = first;
    pmpi.Bcast(&reference, 1, MPI_UINT64_T, 0, c->user);
    int candidate = reference == hash[which] ? INT_MAX : c->rank;
    pmpi.Allreduce(&candidate, &lowest, 1, MPI_INT, MPI_MIN, c->user);
    pmpi.Bcast(&other, (int)sizeof other, MPI_BYTE, lowest, c->user);
    if (c->rank != 0)
        return;
    if (which < settings_agreed_count() - 1)
        say("%s differs between ranks: rank %d has %.200s, rank %d has %.200s; every call goes to the native MPI "
            "library",
            name, first.rank, first.value, other.rank, other.value);
    else /* bad settings, of which one of the two may have none */
        say("rank %d: %s; every call goes to the native MPI library", other.value[0] ? other.rank : first.rank,
            other.value[0] ? other.value : first.value);
}

void agree(struct comm *c)
{
    const struct settings *s = &process.settings;
    int values = settings_agreed_count(), level = MPI_THREAD_SINGLE;
    uint64_t hash[SETTINGS_AGREED_MOST], most[2 * SETTINGS_AGREED_MOST + 2];

    if (inherited(c))
        return;
    struct agreed *memory = malloc(sizeof *memory);
    /* The largest of h and of ~h over all ranks tell whether all h are equal. */
    settings_hash(s, hash);
    for (int i = 0; i < values; i++) {
        most[2 * i] = hash[i];
        most[2 * i + 1] = ~hash[i];
    }
    pmpi.Query_thread(&level);
    most[2 * values] = level == MPI_THREAD_MULTIPLE || !memory; /* then nobody may remember */
    most[2 * values + 1] = s->bad[0] != 0;
    patient_max(c, most, 2 * values + 2);

    bool differs[SETTINGS_AGREED_MOST], any = false;
    for (int i = 0; i < values; i++)
        any |= differs[i] = most[2 * i] != ~most[2 * i + 1];
    if (any)
        name_difference(c, differs, hash);
    c->standing.barred = any ? REASON_MISMATCH : most[2 * values + 1] ? REASON_BAD_SETTING : REASON_NONE;
    /* A part of these ranks shares its nodes with the others, so that it inherits this, too. */
    if (!c->standing.barred && !s->disable)
        layout_find(c);
    if (most[2 * values] || !memory)
        free(memory);
    else
        remember(c, memory);
}
