/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lanes: any collective on nodes of several ranks, which share memory inside their node.
 *
 * J. L. Traeff, S. Hunold, "Decomposing MPI collectives for exploiting multi-lane communication", CLUSTER 2020
 * ("full-lane"); M. Bayatpour and others, "Scalable reduction collectives with data partitioning-based multi-leader design",
 * SC 2017.
 *
 * The message is cut into slices. A slice belongs to a lane, which has one rank on each node. In most calls, lane j has the
 * j-th rank of each node. A call is a sequence of calls of other engines, the stages (lanes.h): on nodes, through a segment;
 * then in each lane, by messages between nodes; then on nodes again. Each byte passes a network card once in each direction,
 * and all ranks of a node share the copying and folding. R is the root's node. In a reduction with several lanes, the lanes
 * on R begin with the rank after the root, so the root is in the last lane or in none:
 *
 *                 on nodes                      in lanes             on nodes
 *     bcast       R: from the root to the lane  bcast from R         bcast from the lane's rank, but not to the root
 *     reduce      reduce to the lane            reduce to R          R: the root gathers what the lanes' ranks have
 *     allreduce   reduce to the lane            allreduce            bcast from the lane's rank
 *     scan        all but the last: reduce      exscan               scan, where the first rank's operand has the prefix
 *                                                                    of the nodes before
 *
 * A chunk has one slice of each lane. A broadcast of many chunks does not scatter. Instead, the first stage is a broadcast
 * to all ranks of R, and the last one is for the other nodes. An exscan differs from a scan in the last stage only. A
 * reduction in the order of ranks has one lane. If a broadcast or a reduction has one lane, the lane's rank on R is the
 * root, so it needs no scattering or gathering. Reductions in order, and scans, need nodes of consecutive ranks.
 *
 * In a reduction or an all-reduce, the slices of a chunk share their stages on a node: first a reduce-scatter, in which the
 * rank of each lane gets its slice; at the end an allgather or, at R, a gather. But if operands keep the order of ranks,
 * each slice has its own stage in the first phase, in the descending order of lanes.
 *
 * Slices go through the phases in waves; doc/lanes says why. In all collectives but the broadcast a wave is a chunk. In a
 * reduction with L > 1 lanes and several chunks, the later phases come a chunk late. In a broadcast a wave is one slice, and
 * the last stage of a slice comes L - 1 waves late. If the root scatters, all stages from the lanes on come as late. With
 * L = 2 and slices 1, 0, 3, 2 (chunk by chunk, lanes descending), the stages on a node that is not the root's are:
 *
 *     wave     0          1                      2                      3                      4
 *              lane(1)    lane(0), spread(1)     lane(3), spread(0)     lane(2), spread(3)     spread(2)
 *
 * Invariants: on a node, each stage of a phase follows the one before it on all ranks. A rank is in one lane at most, so
 * KEPT has one slice of each chunk that is on its way: of two chunks if later phases come a chunk late, else of one.
 */
#include "lanes.h"

#include "engine.h"
#include "own_memory.h"

#include <assert.h>
#include <string.h>

struct node_list *node_list_new(const int *node, int ranks)
{
    int nodes = 0;
    for (int r = 0; r < ranks; r++)
        nodes = node[r] < nodes ? nodes : node[r] + 1;
    const size_t numbers = 3 * (size_t)ranks + 2 * (size_t)nodes + 1;
    struct node_list *l = own_memory(sizeof *l + sizeof *l->held + numbers * sizeof *l->rank);
    if (!l)
        return NULL;
    struct lane_held *held = (void *)(l + 1);
    int *memory = (void *)(held + 1);
    *held = (struct lane_held){.lanes = 0};
    *l = (struct node_list){.ranks = ranks, .nodes = nodes, .held = held, .rank = memory, .position = memory + ranks};
    l->node = l->position + ranks;
    l->first = l->node + ranks;
    l->lane = l->first + nodes + 1;
    memcpy(l->node, node, (size_t)ranks * sizeof *node);
    memset(l->first, 0, ((size_t)nodes + 1) * sizeof *l->first);
    for (int r = 0; r < ranks; r++)
        l->first[node[r] + 1]++;
    for (int n = 0; n < nodes; n++) {
        l->first[n + 1] += l->first[n];
        l->lane[n] = l->first[n]; /* the next position there */
    }
    for (int r = 0; r < ranks; r++) {
        l->position[r] = l->lane[node[r]]++;
        l->rank[l->position[r]] = r;
    }
    return l;
}

struct node_rank node_rank_of(const struct node_list *nodes, int rank)
{
    const int node = nodes->node[rank];
    return (struct node_rank){node, nodes->position[rank] - nodes->first[node]};
}

int node_list_rank(const struct node_list *nodes, int node, int index)
{
    assert(index < nodes->first[node + 1] - nodes->first[node]);
    return nodes->rank[nodes->first[node] + index];
}

bool lanes_one(enum collective c, bool ordered)
{
    return collective_prefix(c) || (ordered && collective_flow(c) == FLOW_ALL_TO_ONE);
}

static int node_ranks(const struct lanes *l, int node)
{
    return l->nodes->first[node + 1] - l->nodes->first[node];
}

/*
 * Of a broadcast with several lanes, whatever the root: ranks that name different roots meet in the same stages, and notice.
 */
static int first_member(const struct lanes *l, int node)
{
    if (!collective_rooted(l->collective) || node != l->root.node)
        return 0;
    return l->lanes == 1 ? l->root.index : collective_reduces(l->collective) ? l->root.index + 1 : 0;
}

int lanes_member(const struct lanes *l, int node, int lane)
{
    return (first_member(l, node) + lane) % node_ranks(l, node);
}

int lanes_lane(const struct lanes *l, struct node_rank self)
{
    const int ranks = node_ranks(l, self.node), lane = (self.index - first_member(l, self.node) + ranks) % ranks;
    return lane < l->lanes ? lane : NOBODY;
}

enum collective lanes_collective(enum collective whole, enum stage_phase phase)
{
    const enum data_flow flow = collective_flow(whole);
    switch (phase) {
    case STAGE_GATHER:
        return flow == FLOW_ONE_TO_ALL ? COLL_BCAST : COLL_REDUCE;
    case STAGE_LANE:
        return flow == FLOW_PREFIX ? COLL_EXSCAN : whole;
    case STAGE_SPREAD:
        return flow == FLOW_PREFIX ? whole : COLL_BCAST;
    default:
        return COLLECTIVES;
    }
}

/* To all ranks, or only to the lane's rank on each node. */
static bool ports_spread(enum collective whole)
{
    const enum data_flow flow = collective_flow(whole);
    return flow == FLOW_ONE_TO_ALL || flow == FLOW_ALL_TO_ALL;
}

bool lanes_planned(enum collective whole, int lanes, bool ports, enum stage_phase phase)
{
    const bool alone = lanes == 1 && lanes_readers(whole, phase, true) == READERS_ONE;
    const bool spread = ports && phase == STAGE_SPREAD && ports_spread(whole);
    return lanes_collective(whole, phase) != COLLECTIVES && !alone && !spread;
}

enum stage_group lanes_group(enum stage_phase phase)
{
    static const enum stage_group groups[STAGE_PHASES] = {[STAGE_GATHER] = GROUP_NODE,
                                                          [STAGE_LANE] = GROUP_LANE,
                                                          [STAGE_ADD] = GROUP_SELF,
                                                          [STAGE_SPREAD] = GROUP_NODE,
                                                          [STAGE_KEEP] = GROUP_SELF};
    return groups[phase];
}

bool lanes_parts(enum collective whole, bool ordered, enum stage_phase phase)
{
    const enum data_flow flow = collective_flow(whole);
    return (flow == FLOW_ALL_TO_ONE || flow == FLOW_ALL_TO_ALL) &&
           ((phase == STAGE_GATHER && !ordered) || phase == STAGE_SPREAD);
}

enum readers lanes_readers(enum collective whole, enum stage_phase phase, bool scatters)
{
    const enum data_flow flow = collective_flow(whole);
    if (flow == FLOW_ONE_TO_ALL && scatters)
        return phase == STAGE_GATHER ? READERS_ONE : phase == STAGE_SPREAD ? READERS_OTHERS : READERS_ALL;
    return flow == FLOW_ALL_TO_ONE && phase == STAGE_SPREAD ? READERS_ONE : READERS_ALL;
}

bool lanes_scatter(enum collective whole, int64_t lanes, int64_t slices)
{
    enum { CHUNKS = 8 };
    return collective_flow(whole) == FLOW_ONE_TO_ALL && (lanes == 1 || slices <= CHUNKS * lanes);
}

static int wave_slices(const struct lanes *l)
{
    return collective_flow(l->collective) == FLOW_ONE_TO_ALL ? 1 : l->lanes;
}

/* Slices by which a phase comes late: slice i goes through it when slice i + lag goes through the first. */
static int lag(const struct lanes *l, enum stage_phase phase)
{
    const enum data_flow flow = collective_flow(l->collective);
    if (flow == FLOW_ONE_TO_ALL)
        return (l->lanes - 1) * ((phase > STAGE_LANE) + (phase >= STAGE_LANE && l->scatters));
    return phase == STAGE_GATHER ? 0 : (lanes_kept(l) - 1) * l->lanes;
}

int lanes_kept(const struct lanes *l)
{
    return collective_flow(l->collective) == FLOW_ALL_TO_ONE && l->lanes > 1 && l->slices > l->lanes ? 2 : 1;
}

int64_t lanes_stages(const struct lanes *l)
{
    return (l->slices + lag(l, STAGE_PHASES)) * STAGE_PHASES;
}

/* They set root, from, to and, for calls with a root, readers. False: the rank has no part. */

/* For calls with a root, in stages that begin or end at the lane's rank. */
static bool rooted_stage(const struct lanes *l, struct node_rank self, int member, struct stage *s)
{
    s->root = s->phase == STAGE_LANE ? l->root.node : member;
    s->reader = l->root.index;
    return s->phase != STAGE_LANE || self.index == member;
}

static bool bcast_stage(const struct lanes *l, struct node_rank self, int member, struct stage *s)
{
    const bool here = self.node == l->root.node, takes = rooted_stage(l, self, member, s);
    s->to = BUFFER_OUT;
    switch (s->phase) {
    case STAGE_GATHER:
        s->root = l->root.index;
        s->reader = member;
        return here && !(l->scatters && member == l->root.index);
    case STAGE_SPREAD:
        s->readers = here ? s->readers : READERS_ALL;
        return l->scatters || !here;
    default:
        return takes;
    }
}

static bool reduce_stage(const struct lanes *l, struct node_rank self, int member, struct stage *s)
{
    const bool here = self.node == l->root.node;
    s->from = s->phase == STAGE_GATHER ? BUFFER_IN : BUFFER_KEPT;
    s->to = s->phase != STAGE_GATHER && here && self.index == l->root.index ? BUFFER_OUT : BUFFER_KEPT;
    const bool takes = rooted_stage(l, self, member, s);
    return s->phase == STAGE_SPREAD ? here && lanes_planned(l->collective, l->lanes, l->ports, s->phase) : takes;
}

static bool allreduce_stage(const struct lanes *l, struct node_rank self, int member, struct stage *s)
{
    (void)l;
    s->root = s->phase == STAGE_LANE ? 0 : member;
    s->from = s->phase == STAGE_GATHER ? BUFFER_IN : BUFFER_OUT;
    s->to = BUFFER_OUT;
    return s->phase != STAGE_LANE || self.index == member;
}

static bool scan_stage(const struct lanes *l, struct node_rank self, int member, struct stage *s)
{
    const bool leads = self.index == member, last = self.node == l->nodes->nodes - 1, follows = leads && self.node > 0;
    s->root = 0;
    s->from = BUFFER_IN;
    s->to = BUFFER_KEPT;
    switch (s->phase) {
    case STAGE_GATHER:
        s->root = member;
        return !last;
    case STAGE_LANE:
        s->from = last ? BUFFER_IN : BUFFER_KEPT;
        return leads;
    case STAGE_ADD:
        return follows;
    case STAGE_SPREAD:
        s->from = follows ? BUFFER_OUT : BUFFER_IN;
        s->to = BUFFER_OUT;
        return true;
    default:
        return follows && collective_traits[l->collective].exclusive;
    }
}

/* With ports, all ranks of a node have the stage between nodes. Its reader is the lane's rank. */
bool lanes_stage(const struct lanes *l, struct node_rank self, int64_t number, struct stage *s)
{
    static bool (*const stage_of[])(const struct lanes *, struct node_rank, int,
                                    struct stage *) = {[FLOW_ONE_TO_ALL] = bcast_stage,
                                                       [FLOW_ALL_TO_ONE] = reduce_stage,
                                                       [FLOW_ALL_TO_ALL] = allreduce_stage,
                                                       [FLOW_PREFIX] = scan_stage};
    const int slices = wave_slices(l);
    const int64_t wave = number / STAGE_PHASES / slices, rest = number % (STAGE_PHASES * (int64_t)slices);
    const enum stage_phase phase = (enum stage_phase)(rest / slices);
    const int64_t turn = wave * slices + rest % slices - lag(l, phase); /* of the slice, 0, 1, .. */
    if (turn < 0 || turn >= l->slices || (lanes_group(phase) == GROUP_SELF && !collective_prefix(l->collective)))
        return false;
    const bool parts = lanes_parts(l->collective, l->ordered, phase);
    if (parts && turn % l->lanes != 0)
        return false;
    const int lane = parts ? 0 : l->lanes - 1 - (int)(turn % l->lanes);
    *s = (struct stage){.phase = phase,
                        .slice = turn / l->lanes * l->lanes + lane,
                        .slices = parts ? l->lanes : 1,
                        .readers = lanes_readers(l->collective, phase, l->scatters)};
    const int member = lanes_member(l, self.node, lane);
    const bool takes = stage_of[collective_flow(l->collective)](l, self, member, s);
    if (!l->ports || phase != STAGE_LANE)
        return takes && !(l->ports && phase == STAGE_SPREAD && ports_spread(l->collective));
    s->readers = ports_spread(l->collective) ? READERS_ALL : READERS_ONE;
    s->reader = member;
    return true;
}

#define SERVICE                                                                                                             \
    {                                                                                                                       \
        .text.rounds = "those of its stages", .needs = NEED_LANES, .composed = true                                         \
    }

const struct engine engine_lanes = {
    .name = "lanes",
    .summary = "inside nodes through shared memory, between nodes by messages of several ranks of each node",
    .made_for = MADE_FOR_MANY_A_NODE,
    .serves = {[COLL_BCAST] = SERVICE,
               [COLL_REDUCE] = SERVICE,
               [COLL_SCAN] = SERVICE,
               [COLL_EXSCAN] = SERVICE,
               [COLL_ALLREDUCE] = SERVICE},
};
