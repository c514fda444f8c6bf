/* SPDX-License-Identifier: BSD-2-Clause */
/* What groups of processes know alike; see findings.h. */
#include "findings.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list's head; never held across an MPI call */
static struct findings *list;

struct findings *findings_new(int ranks)
{
    struct findings *k = calloc(1, sizeof *k);
    if (k && !(k->node = malloc((size_t)ranks * sizeof k->node[0]))) {
        free(k);
        return NULL;
    }
    if (k)
        k->group = MPI_GROUP_NULL;
    return k;
}

uint64_t findings_new_id(int world_rank)
{
    static _Atomic uint32_t number;
    return ((uint64_t)world_rank + 1) << 32 | ++number;
}

struct findings *findings_copy(const struct findings *k, int ranks)
{
    struct findings *copy = findings_new(ranks);
    if (copy) {
        int *node = copy->node;
        *copy = *k;
        copy->group = MPI_GROUP_NULL;
        copy->node = node;
        copy->own_rules = NULL;
    }
    return copy;
}

static struct findings *list_head(void)
{
    pthread_mutex_lock(&lock);
    struct findings *head = list;
    pthread_mutex_unlock(&lock);
    return head;
}

void findings_remember(struct findings *k, MPI_Comm comm)
{
    pmpi.Comm_group(comm, &k->group);
    pthread_mutex_lock(&lock);
    k->next = list;
    list = k;
    pthread_mutex_unlock(&lock);
}

struct findings *findings_about(MPI_Comm comm, bool measured)
{
    MPI_Group group, rest;
    struct findings *k = list_head();
    int outside = 1;
    if (!k)
        return NULL;
    pmpi.Comm_group(comm, &group);
    for (; k; k = k->next) {
        if (measured && !k->measured)
            continue;
        pmpi.Group_difference(group, k->group, &rest);
        pmpi.Group_size(rest, &outside);
        if (rest != MPI_GROUP_EMPTY)
            pmpi.Group_free(&rest);
        if (outside == 0)
            break;
    }
    pmpi.Group_free(&group);
    return k;
}

void findings_free(struct findings *k)
{
    if (k->group != MPI_GROUP_NULL)
        pmpi.Group_free(&k->group);
    free(k->node);
    free(k->own_rules);
    free(k);
}

void findings_close(void)
{
    struct findings *k = list_head();
    list = NULL;
    while (k) {
        struct findings *next = k->next;
        findings_free(k);
        k = next;
    }
}
