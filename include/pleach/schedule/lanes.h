/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The composition of the engines `lanes` and `multiport`: a call as a sequence of stages; see lanes.c. Pure, and the same on
 * all ranks.
 *
 * A stage is a call of one of the five collectives on a slice of the message, or on one slice of each lane, among the ranks
 * of one node or among the ranks of one lane, which has a rank on each node; or it is work of one rank alone. Stages have
 * numbers, and every rank performs its stages in the order of their numbers. So a call is free of deadlock: take the
 * unfinished stage with the least number; all of its ranks have finished everything before it, so all of them have begun it.
 */
#pragma once

#include "schedule.h"

/* A rank by its node, and its number among the ranks of that node. */
struct node_rank {
    int node, index;
};

/* Whose lane a list of nodes holds, with the nodes in their own order; lanes 0: unknown. See struct lanes. */
struct lane_held {
    int lanes, ports, lane; /* lane: with ports, the port */
    enum collective collective;
    struct node_rank root;
};

static inline bool lane_held_same(const struct lane_held *a, const struct lane_held *b)
{
    return a->lanes == b->lanes && a->ports == b->ports && a->lane == b->lane && a->collective == b->collective &&
           a->root.node == b->root.node && a->root.index == b->root.index;
}

/* The nodes of a communicator's ranks. Positions number the ranks node by node; on a node, ranks ascend. */
struct node_list {
    int ranks, nodes;
    int *first;    /* first[n] .. first[n + 1] - 1 are the positions of node n; nodes + 1 numbers */
    int *rank;     /* the rank at each position */
    int *position; /* of each rank */
    int *node;     /* of each rank */
    int *lane;     /* memory for `nodes` numbers, the ranks of a lane; the call that runs sets them, as `held` says */
    struct lane_held *held;
};

/*
 * Makes the list. node[r] is the number of rank r's node; the numbers are 0, 1, .. without a gap. The caller frees the list
 * with own_memory_free(). Returns NULL if memory is short.
 */
struct node_list *node_list_new(const int *node, int ranks);

/* What all ranks know of a composed call. */
struct lanes {
    enum collective collective;
    bool ordered;
    struct node_rank root; /* of a rooted collective */
    int lanes;             /* >= 1; at most as many as the smallest node has ranks */
    int64_t slices;        /* a multiple of `lanes`; slice i of the message belongs to lane i % lanes and chunk i / lanes */
    int ports;             /* k: between nodes, the first k ranks of each node exchange messages; 0: ranks of lanes do */
    bool scatters;         /* a broadcast: the root scatters slices to the ranks of lanes on its node; see lanes_scatter() */
    const struct node_list *nodes;
};

/* The group of ranks that perform a stage. With ports, all ranks of all nodes perform the stages of GROUP_LANE. */
enum stage_group { GROUP_NODE, GROUP_LANE, GROUP_SELF };

/*
 * The memory of a stage's slice. KEPT keeps slices of the rank's lane from one stage to the next (lanes_kept()). IN, OUT and
 * KEPT of a rank are never used by two stages at once.
 */
enum stage_buffer { BUFFER_IN, BUFFER_OUT, BUFFER_KEPT };

/*
 * The phases of a slice. Stages of one phase have the same sort of group and the same collective on all ranks. A stage of a
 * phase with parts has all slices of a chunk, one of each lane. Each slice is a part (struct shape), whose root is the rank
 * of its lane.
 */
enum stage_phase {
    STAGE_GATHER, /* on nodes: towards the lanes' ranks; a broadcast: from the root, on its node */
    STAGE_LANE,   /* between nodes */
    STAGE_ADD,    /* a lane's rank alone: OUT = KEPT (+) IN, where KEPT is the prefix of the nodes before */
    STAGE_SPREAD, /* on nodes: from the lanes' ranks; a reduction: towards the root */
    STAGE_KEEP,   /* a lane's rank alone: OUT = KEPT, the exclusive prefix of a node's first rank */
    STAGE_PHASES
};

struct stage {
    enum stage_phase phase; /* lanes_group() and lanes_collective() follow from it */
    int root;               /* a rank's number on its node, or a node's number; if there are parts, the first part's root */
    enum readers readers;   /* of a broadcast; with ports, of each stage between nodes */
    int reader;             /* the rank that `readers` names, alone or as the exception: its number on its node */
    int64_t slice;          /* the first slice */
    int slices;             /* 1; as many as there are lanes if the phase has parts */
    enum stage_buffer from, to; /* IN and OUT of the stage; a broadcast has `to` alone */
};

/*
 * Does the root of the call scatter? It does in a broadcast of few chunks: then the lanes begin early. All ranks of the
 * root's node take part in its stages in turn, so with many chunks the scattering of a chunk delays earlier ones. With one
 * lane, the answer is yes in all broadcasts, but there is nothing to scatter.
 */
bool lanes_scatter(enum collective whole, int64_t lanes, int64_t slices);

int64_t lanes_stages(const struct lanes *l);

/* Sets *s to the rank's part in stage `number`. Returns false if the rank has no part in it. */
bool lanes_stage(const struct lanes *l, struct node_rank self, int64_t number, struct stage *s);

/* The collective of the stages of a phase, on nodes or between them; COLLECTIVES if each stage is work of one rank alone. */
enum collective lanes_collective(enum collective whole, enum stage_phase phase);

/*
 * Does the phase have stages that several ranks perform together? With one lane, a broadcast has none in STAGE_GATHER, and a
 * reduction none in STAGE_SPREAD: the root of the call is in the lane. With ports, the stage between nodes gives the result
 * of a broadcast or an all-reduce to all ranks.
 */
bool lanes_planned(enum collective whole, int lanes, bool ports, enum stage_phase phase);

enum stage_group lanes_group(enum stage_phase phase);

/* Does the phase have parts? With one lane, parts make no difference. */
bool lanes_parts(enum collective whole, bool ordered, enum stage_phase phase);

/*
 * The readers of the phase's broadcasts; lanes_scatter() gives `scatters`. On a node without the root of the call,
 * READERS_ALL take the place of READERS_OTHERS.
 */
enum readers lanes_readers(enum collective whole, enum stage_phase phase, bool scatters);

/* The number of slices for which KEPT has room: the slice of chunk c lies at index c % lanes_kept(). */
int lanes_kept(const struct lanes *l);

/* The number of a lane's rank on a node, and the lane of a rank; NOBODY: the rank is in no lane. */
int lanes_member(const struct lanes *l, int node, int lane);
int lanes_lane(const struct lanes *l, struct node_rank self);

/* Must a call have a single lane, so that its operands keep the order of ranks? */
bool lanes_one(enum collective c, bool ordered);

struct node_rank node_rank_of(const struct node_list *nodes, int rank);

/* The rank of a node with that number. */
int node_list_rank(const struct node_list *nodes, int node, int index);
