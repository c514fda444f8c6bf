/* SPDX-License-Identifier: BSD-2-Clause */
/* See workshop.h. */
#include "workshop.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* never held across an MPI call */
static struct workshop workshop;
static int room;  /* in ranks */
static int users; /* trees of places that have reserved memory */

struct workshop *workshop_enter(void)
{
    pthread_mutex_lock(&lock);
    return &workshop;
}

void workshop_leave(void)
{
    pthread_mutex_unlock(&lock);
}

static void free_arrays(const struct workshop *w)
{
    free(w->pair.node);
    free(w->pair.order);
    free(w->pair.entry);
    free(w->pair.part);
    free(w->cache.tree.parent);
    free(w->cache.tree.value[0]);
}

static bool allocate(struct workshop *w, size_t p)
{
    struct tree_pair *b = &w->pair;
    struct tree *t = &w->cache.tree;
    int **const ints[] = {&t->parent, &t->child,    &t->next,     &t->order,   &t->served,
                          &t->when,   &t->spare[0], &t->spare[1], &t->spare[2]};
    enum { INTS = sizeof ints / sizeof ints[0] };
    b->node = malloc(p * sizeof *b->node);
    b->order = malloc(p * sizeof *b->order);
    b->entry = malloc((2 * p + TREE_PAIR_DEPTH) * sizeof *b->entry);
    b->part = malloc((p + TREE_PAIR_DEPTH) * sizeof *b->part);
    t->parent = malloc(INTS * p * sizeof *t->parent);
    t->value[0] = malloc(2 * p * sizeof *t->value[0]);
    if (!b->node || !b->order || !b->entry || !b->part || !t->parent || !t->value[0])
        return false;
    for (size_t i = 1; i < INTS; i++)
        *ints[i] = t->parent + i * p;
    t->value[1] = t->value[0] + p;
    return true;
}

bool workshop_reserve(int ranks)
{
    struct workshop *w = workshop_enter(), larger = {.pair.maker = NULL};
    const bool grows = ranks > room, made = !grows || allocate(&larger, (size_t)ranks);
    if (grows) {
        free_arrays(made ? w : &larger);
        if (made) {
            *w = larger;
            room = ranks;
        }
    }
    users += made;
    workshop_leave();
    return made;
}

void workshop_forget(void)
{
    struct workshop *w = workshop_enter();
    memset(w->pair.latest, 0, sizeof w->pair.latest);
    w->pair.places = w->cache.places = NULL;
    workshop_leave();
}

void workshop_release(void)
{
    workshop_forget();
    struct workshop *w = workshop_enter();
    assert(users > 0);
    if (--users == 0) {
        free_arrays(w);
        *w = (struct workshop){.pair.maker = NULL};
        room = 0;
    }
    workshop_leave();
}
