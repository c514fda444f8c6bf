/* SPDX-License-Identifier: BSD-2-Clause */
/* Nodes and cores; see nodes.h. */
#include "nodes.h"

#include "layout.h"
#include "lore.h"
#include "process.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * More ranks than usable cores on this rank's node? Ranks that are bound to different cores may use all of these. Ranks
 * outside c count too, as far as the launcher tells how many it started here: they spin as well.
 */
static bool node_is_full(MPI_Comm node)
{
    cpu_set_t mine, all;
    const char *started = getenv("MPI_LOCALNRANKS");
    int ranks;

    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        memset(&mine, 0xff, sizeof mine); /* more cores than the set has room for: plenty */
    pmpi.Comm_size(node, &ranks);
    pmpi.Allreduce(&mine, &all, (int)sizeof mine, MPI_BYTE, MPI_BOR, node);
    return ranks > CPU_COUNT(&all) || (started && atol(started) > sysconf(_SC_NPROCESSORS_ONLN));
}

void nodes_find(struct comm *c, struct findings *found)
{
    MPI_Comm node;
    bool full = false;
    int number = c->rank; /* that of the node is its lowest rank's */
    MPI_Errhandler before = pmpi_hush(c->user);
    int error = pmpi.Comm_split_type(c->user, MPI_COMM_TYPE_SHARED, c->rank, MPI_INFO_NULL, &node);
    pmpi_unhush(c->user, before);

    if (error == MPI_SUCCESS) { /* else out of context ids: there will be none for an engine either */
        full = node_is_full(node);
        pmpi.Bcast(&number, 1, MPI_INT, 0, node);
        pmpi.Comm_free(&node);
    }
    found->oversubscribed = pmpi_agreed(c->user, full, MPI_MAX);
    pmpi.Allgather(&number, 1, MPI_INT, found->node, 1, MPI_INT, c->user);
}

bool nodes_numbers(struct comm *c, int *number)
{
    MPI_Group group;
    int *rank = malloc((size_t)c->ranks * sizeof *rank);
    for (int r = 0; rank && r < c->ranks; r++)
        rank[r] = r;
    if (!rank)
        return false;
    pmpi.Comm_group(c->user, &group);
    pmpi.Group_translate_ranks(group, c->ranks, rank, c->findings->group, number);
    pmpi.Group_free(&group);
    for (int r = 0; r < c->ranks; r++)
        number[r] = c->findings->node[number[r]];
    free(rank);
    return true;
}

/* Agrees on whether all ranks have memory for the order and for the ledger, and on what the ledger inherits. */
static bool settle(struct comm *c, bool have)
{
    enum { NO_MEMORY, NO_LEDGER, TAKEN, NOT_TAKEN, SAID };
    uint64_t said[SAID] = {[NO_MEMORY] = !have, [NO_LEDGER] = !c->ledger};
    c->group = lore_group(c);
    said[TAKEN] = c->ledger ? lore_take(c) : 0;
    said[NOT_TAKEN] = ~said[TAKEN];
    pmpi.Allreduce(MPI_IN_PLACE, said, SAID, MPI_UINT64_T, MPI_MAX, c->user);
    if (said[NO_LEDGER] || !c->ledger) { /* one comes with the other */
        free(c->ledger);
        c->ledger = NULL;
    } else if (said[TAKEN] != ~said[NOT_TAKEN])
        memset(c->ledger, 0, sizeof *c->ledger);
    return !said[NO_MEMORY];
}

bool nodes_settle(struct comm *c)
{
    struct nodes *n = &c->nodes;
    if (n->settled)
        return true;
    size_t p = (size_t)c->ranks;
    int *order = malloc(p * sizeof *order), *position = malloc(p * sizeof *position);
    bool have = order && position && nodes_numbers(c, position) && layout_of(position, c->ranks, &n->machine, order);
    for (int i = 0; have && i < c->ranks; i++) {
        assert(order[i] >= 0 && order[i] < c->ranks);
        position[order[i]] = i;
    }
    bool learns = strcmp(process.settings.learn, "off") != 0;
    c->ledger = learns ? calloc(1, sizeof *c->ledger) : NULL;
    n->settled = settle(c, have);
    if (!n->settled)
        c->barred = REASON_NO_MEMORY;
    if (n->settled && !n->machine.gathered) {
        n->order = order;
        n->position = position;
    } else {
        free(order);
        free(position);
    }
    return n->settled;
}

int nodes_rank_at(const struct comm *c, int position)
{
    return c->nodes.order ? c->nodes.order[position] : position;
}

int nodes_stretch(const struct comm *c, const int *node, int *first, int *end)
{
    const int mine = c->nodes.position ? c->nodes.position[c->rank] : c->rank;
    *first = mine;
    *end = mine + 1;
    while (*first > 0 && node[nodes_rank_at(c, *first - 1)] == node[c->rank])
        --*first;
    while (*end < c->ranks && node[nodes_rank_at(c, *end)] == node[c->rank])
        ++*end;
    return mine;
}
