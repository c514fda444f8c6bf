/* SPDX-License-Identifier: BSD-2-Clause */
/* See nodes.h. */
#include "nodes.h"

#include "clocks.h"
#include "launcher.h"
#include "layout.h"
#include "learned.h"
#include "own_memory.h"
#include "private_comm.h"
#include "process.h"
#include "quota.h"
#include "sharing.h"
#include "small_stack.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Rounded up. All ranks of the node may use the cores of each, as many at once as their control group allows. Ranks outside
 * c count, too, as the launcher tells them: they also spin.
 */
static int ranks_per_core(MPI_Comm node)
{
    union {
        cpu_set_t set;
        uint64_t word[sizeof(cpu_set_t) / sizeof(uint64_t)];
    } cores;
    int ranks;

    CPU_ZERO(&cores.set);
    if (sched_getaffinity(0, sizeof cores.set, &cores.set) != 0)
        memset(&cores.set, 0xff, sizeof cores.set); /* more cores than the set holds are enough */
    pmpi.Comm_size(node, &ranks);
    words_united(node, cores.word, (int)(sizeof cores.word / sizeof cores.word[0]));
    const int quota = quota_cores(), online = (int)sysconf(_SC_NPROCESSORS_ONLN);
    const int64_t of_comm = ceil_div(ranks, quota_of_cores(quota, CPU_COUNT(&cores.set))),
                  of_job = ceil_div(launcher_node_ranks(), quota_of_cores(quota, online));
    return (int)(of_comm > of_job ? of_comm : of_job);
}

/* By MPI; FOUND_PARTS: the launcher has started more ranks on this host than MPI finds on its node. */
enum finding { FOUND_NOTHING, FOUND_PARTS, FOUND_NODE };

static enum finding found_by(MPI_Comm node, const struct comm *c)
{
    int ranks;
    pmpi.Comm_size(node, &ranks);
    return process.settings.shared > 0 && launcher_node_ranks() > ranks && comm_of_all(c) ? FOUND_PARTS : FOUND_NODE;
}

/*
 * Collective over c, which has all ranks of the job. One node of those under one kernel, if the launcher has started just
 * them on each one's host and they can share memory: a kernel alone is no host, as containers may stand for hosts. Replaces
 * *node. `host`: memory for a row of each rank.
 */
static void join_hosts(const struct comm *c, int (*host)[PLACES_DEPTH], MPI_Comm *node)
{
    const uint64_t kernel = clocks_kernel();
    const int own[PLACES_DEPTH] = {(int)kernel, (int)(kernel >> 32), launcher_node_ranks()};
    int first = 0, ranks = 0;
    bool all = kernel != 0;
    MPI_Comm joined;

    pmpi.Allgather(own, PLACES_DEPTH, MPI_INT, host[0], PLACES_DEPTH, MPI_INT, c->user);
    for (int r = c->ranks - 1; r >= 0; r--)
        if (host[r][0] == own[0] && host[r][1] == own[1]) {
            first = r;
            ranks++;
            all = all && host[r][2] == own[2];
        }
    const bool joins = all && ranks == own[2];
    const int error = split_ranks(c->user, joins ? first : c->ranks, c->rank, &joined);
    const bool split = pmpi_agreed(c->user, error == MPI_SUCCESS, MPI_MIN);
    if (split && joins && sharing_works(joined)) {
        MPI_Comm parts = *node;
        *node = joined;
        joined = parts;
    }
    if (error == MPI_SUCCESS)
        pmpi.Comm_free(&joined);
}

void nodes_find(struct comm *c, struct group_info *found)
{
    MPI_Comm node;
    const bool none = settings_places_none(&process.settings), racks = settings_places_measured(&process.settings);
    int crowd = 1, own[PLACES_DEPTH] = {process.domain, [PATH_RACK] = racks ? launcher_rack() : 0, [PATH_NODE] = c->rank};
    const int error = split_nodes(c->user, c->rank, &node);

    const int all = pmpi_agreed(c->user, error == MPI_SUCCESS ? (int)found_by(node, c) : FOUND_NOTHING, MPI_MIN);
    if (all == FOUND_PARTS)
        join_hosts(c, found->path, &node);
    if (all != FOUND_NOTHING) { /* else there is no context id left, nor for engines */
        crowd = ranks_per_core(node);
        pmpi.Bcast(&own[PATH_NODE], 1, MPI_INT, 0, node); /* its lowest rank, for the moment */
    }
    if (error == MPI_SUCCESS)
        pmpi.Comm_free(&node);
    crowd = pmpi_agreed(c->user, crowd, MPI_MAX);
    found->oversubscribed = crowd > 1 ? crowd : 0;
    for (int r = 0; r < c->ranks; r++) /* a node for each rank, should MPI fail */
        found->path[r][PATH_NODE] = r;
    pmpi.Allgather(own, PLACES_DEPTH, MPI_INT, found->path[0], PLACES_DEPTH, MPI_INT, c->user);
    for (int r = 0; r < c->ranks; r++) {
        int *number = &found->path[r][PATH_NODE], *domain = &found->path[r][0]; /* travels where paths have 0 */
        found->domain[r] = *domain;
        *domain = 0;
        found->node[r] = *number == r ? found->nodes++ : found->node[*number];
        *number = none ? 0 : found->node[r];
    }
}

/* One message: memory for places and history, the learned rules, and a private communicator to take over. */
static bool settle_memory(struct comm *c, bool have)
{
    enum { NO_MEMORY, NO_HISTORY, TAKEN, NOT_TAKEN, OFFER, NOT_OFFER, SAID };
    uint64_t said[SAID] = {[NO_MEMORY] = !have, [NO_HISTORY] = !c->known.history};
    c->locality.group = world_group(c->user, c->ranks);
    said[TAKEN] = c->known.history ? learned_start(c->locality.group, c->known.history) : 0;
    struct private_comm *offered = private_comm_offer(c, &said[OFFER]);
    said[NOT_TAKEN] = ~said[TAKEN];
    said[NOT_OFFER] = ~said[OFFER];
    words_largest(c->user, said, SAID);
    private_comm_answer(c, offered, said[OFFER] == ~said[NOT_OFFER]);
    if (said[NO_HISTORY] || !c->known.history) { /* a rank without it has said so */
        history_free(c->known.history);
        c->known.history = NULL;
    } else if (said[TAKEN] != ~said[NOT_TAKEN])
        history_clear(c->known.history);
    return !said[NO_MEMORY];
}

static bool sites_apart(const struct group_info *own, int ranks)
{
    bool apart = false;
    for (int r = 1; r < ranks; r++)
        apart |= own->path[r][0] != own->path[0][0];
    return own->sites && apart;
}

static bool lay_out(struct comm *c)
{
    struct group_info *own = group_info_copy(c->locality.info, c->user, c->ranks);
    int *order = malloc((size_t)c->ranks * sizeof *order);
    bool good = own && order && layout_of(own->node, c->ranks, &c->known.machine, order);
    struct places *places = good ? places_of(own->path[0], c->ranks, PLACES_DEPTH, sites_apart(own, c->ranks)) : NULL;
    c->locality.nodes = good ? node_list_new(own->node, c->ranks) : NULL;
    if (good)
        c->known.machine.domain = layout_domain(own->node, own->domain, c->ranks, order);
    if (places)
        good = places_of_nodes(places, own->node, c->known.machine.nodes, &c->locality.node_places[SOURCE_SURE]);
    c->locality.places[SOURCE_SURE] = places;
    free(order);
    if (own)
        group_info_free(own);
    return good && places && c->locality.nodes;
}

bool nodes_settle(struct comm *c)
{
    struct known *k = &c->known;
    if (k->settled)
        return true;
    bool have = lay_out(c);
    c->known.history = settings_learns(&process.settings) ? own_memory(sizeof *c->known.history) : NULL;
    k->settled = settle_memory(c, have);
    k->machine.one_node = k->machine.nodes == 1;
    if (!k->settled) {
        c->known.barred = REASON_NO_MEMORY;
        places_free(c->locality.places[SOURCE_SURE]);
        places_free(c->locality.node_places[SOURCE_SURE]);
        c->locality.places[SOURCE_SURE] = c->locality.node_places[SOURCE_SURE] = NULL;
    }
    for (int source = 0; source < SOURCES; source++) {
        k->machine.places[source] = c->locality.places[SOURCE_SURE];
        k->machine.node_places[source] = c->locality.node_places[SOURCE_SURE];
    }
    comm_knows_machine(c);
    return k->settled;
}
