/* SPDX-License-Identifier: BSD-2-Clause */
/* See group_info.h. */
#include "group_info.h"

#include "hash.h"
#include "hold.h"
#include "own_memory.h"
#include "process.h"
#include "seconds.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of its head; never held across an MPI call */
static struct group_info *list;

struct group_info *group_info_new(int ranks)
{
    struct group_info *found = own_memory(sizeof *found);
    if (found) {
        found->group = MPI_GROUP_NULL;
        found->node = own_memory((size_t)ranks * sizeof found->node[0]);
        found->domain = own_memory((size_t)ranks * sizeof found->domain[0]);
        found->path = own_memory((size_t)ranks * sizeof found->path[0]);
    }
    if (found && !(found->node && found->domain && found->path)) {
        group_info_free(found);
        found = NULL;
    }
    return found;
}

/* Jobs may have equal ranks, so time and process id count, too. */
uint64_t group_info_new_id(int world_rank)
{
    static _Atomic uint32_t number;
    double now = seconds_now();
    uint64_t bits, id;
    memcpy(&bits, &now, sizeof bits);
    id = mix64(mix64(((uint64_t)world_rank << 32 | ++number) ^ bits) + (uint64_t)getpid());
    id &= ABI_LARGEST_COMPARED;
    return id ? id : 1;
}

int *group_ranks(MPI_Group group, MPI_Comm comm, int ranks)
{
    MPI_Group inner;
    int *own = malloc(2 * (size_t)ranks * sizeof *own);
    if (!own)
        return NULL;
    int *in = own + ranks;
    for (int r = 0; r < ranks; r++)
        in[r] = r;
    pmpi.Comm_group(comm, &inner);
    pmpi.Group_translate_ranks(inner, ranks, in, group, own);
    pmpi.Group_free(&inner);
    return own;
}

int *world_ranks(MPI_Comm comm, int ranks)
{
    MPI_Group world;
    if (!process_initialized())
        return NULL;
    pmpi.Comm_group(MPI_COMM_WORLD, &world);
    int *rank = group_ranks(world, comm, ranks);
    pmpi.Group_free(&world);
    return rank;
}

uint64_t world_group(MPI_Comm comm, int ranks)
{
    int *rank = world_ranks(comm, ranks);
    uint64_t h = rank != NULL;
    for (int r = 0; r < ranks && h; r++)
        h = rank[r] == MPI_UNDEFINED ? 0 : hash_add(h, (uint64_t)rank[r]);
    free(rank);
    return h;
}

/* Rank r of `part` is rank[r] of `found`. number[]: scratch memory, found->nodes entries. */
static void copy_ranks(struct group_info *part, const struct group_info *found, const int *rank, int ranks, int *number)
{
    part->nodes = 0;
    for (int i = 0; i < found->nodes; i++)
        number[i] = -1;
    for (int r = 0; r < ranks; r++) {
        int *node = &number[found->node[rank[r]]];
        if (*node < 0)
            *node = part->nodes++;
        part->node[r] = *node;
        part->domain[r] = found->domain[rank[r]];
        memcpy(part->path[r], found->path[rank[r]], sizeof part->path[r]);
    }
}

struct group_info *group_info_copy(const struct group_info *found, MPI_Comm comm, int ranks)
{
    struct group_info *copy = group_info_new(ranks);
    int *rank = group_ranks(found->group, comm, ranks), *number = malloc((size_t)found->nodes * sizeof *number);
    if (copy && rank && number) {
        struct group_info own = *copy;
        *copy = *found;
        copy->group = MPI_GROUP_NULL;
        copy->node = own.node;
        copy->domain = own.domain;
        copy->path = own.path;
        copy->own_rules = NULL;
        copy->survey = NULL;
        copy_ranks(copy, found, rank, ranks, number);
    } else if (copy) {
        group_info_free(copy);
        copy = NULL;
    }
    free(number);
    free(rank);
    return copy;
}

const struct group_info *group_info_latest(void)
{
    HOLD(lock);
    return list;
}

void group_info_remember(struct group_info *found, MPI_Comm comm)
{
    pmpi.Comm_group(comm, &found->group);
    HOLD(lock);
    found->next = list;
    list = found;
}

enum { AT_ONCE = 64 }; /* ranks translated at a time, without memory */

/* The ranks in `outer` of `inner`'s ranks from `first` on. Returns their number. */
static int translate(MPI_Group inner, int first, MPI_Group outer, int there[AT_ONCE])
{
    int size, rank[AT_ONCE];
    pmpi.Group_size(inner, &size);
    const int n = size - first < AT_ONCE ? size - first : AT_ONCE;
    for (int i = 0; i < n; i++)
        rank[i] = first + i;
    if (n > 0)
        pmpi.Group_translate_ranks(inner, n, rank, outer, there);
    return n;
}

bool group_within(MPI_Group inner, MPI_Group outer)
{
    int there[AT_ONCE];
    bool within = true;
    for (int first = 0, n; within && (n = translate(inner, first, outer, there)) > 0; first += n)
        for (int i = 0; i < n; i++)
            within &= there[i] != MPI_UNDEFINED;
    return within;
}

bool group_info_near(const struct group_info *found, MPI_Comm comm)
{
    MPI_Group group;
    int there[AT_ONCE], node = -1;
    bool near = true;
    if (found->nodes < 2)
        return found->nodes == 1;
    pmpi.Comm_group(comm, &group);
    for (int first = 0, n; near && (n = translate(group, first, found->group, there)) > 0; first += n)
        for (int i = 0; i < n && near; i++) {
            node = node < 0 ? found->node[there[i]] : node;
            near = found->node[there[i]] == node;
        }
    pmpi.Group_free(&group);
    return near;
}

const struct group_info *group_info_about(MPI_Comm comm, bool measured)
{
    MPI_Group group;
    const struct group_info *found = group_info_latest();
    if (!found)
        return NULL;
    pmpi.Comm_group(comm, &group);
    while (found && ((measured && !found->measured) || !group_within(group, found->group)))
        found = found->next;
    pmpi.Group_free(&group);
    return found;
}

bool group_info_compared(MPI_Comm inter)
{
    MPI_Group side[2];
    const struct group_info *found = group_info_latest();
    pmpi.Comm_group(inter, &side[0]);
    pmpi.Comm_remote_group(inter, &side[1]);
    while (found && !(group_within(side[0], found->group) && group_within(side[1], found->group)))
        found = found->next;
    pmpi.Group_free(&side[0]);
    pmpi.Group_free(&side[1]);
    return found && found->compared && !found->asked && process_initialized();
}

void group_info_free(struct group_info *found)
{
    if (found->group != MPI_GROUP_NULL)
        pmpi.Group_free(&found->group);
    own_memory_free(found->node);
    own_memory_free(found->domain);
    own_memory_free(found->path);
    free(found->survey);
    free(found->own_rules);
    own_memory_free(found);
}

void group_info_forget(void)
{
    HOLD(lock);
    for (struct group_info *found; (found = list);) {
        list = found->next;
        found->group = MPI_GROUP_NULL;
        group_info_free(found);
    }
}
