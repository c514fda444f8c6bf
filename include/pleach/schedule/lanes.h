/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The composition of the engines `lanes` and `multiport`: a call as a sequence of stages; see lanes.c. Pure, and the same on
 * all ranks.
 *
 * A stage is a call of a collective on a slice of the message, or on one slice of each lane, among the ranks of a node or of
 * a lane, which has a rank on each node; or it is work of one rank alone. A rank performs its stages in the order of their
 * numbers. So no call deadlocks (doc/lanes).
 */
#pragma once

#include "schedule.h"

/* A rank by its node, and its number there. */
struct node_rank {
    int node, index;
};

/* Whose lane a list of nodes holds; lanes 0: unknown. */
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

/* The nodes of a communicator's ranks. Positions number the ranks node by node, ascending on a node. */
struct node_list {
    int ranks, nodes;
    int *first;    /* first[n] .. first[n + 1] - 1 are the positions of node n */
    int *rank;     /* the rank at each position */
    int *position; /* of each rank */
    int *node;     /* of each rank */
    int *lane;     /* nodes numbers: the ranks of the lane that `held` says; set by the call that runs */
    struct lane_held *held;
};

/*
 * node[r] is rank r's node: 0, 1, .. without a gap. The caller frees the list with own_memory_free(). NULL if memory is
 * short.
 */
struct node_list *node_list_new(const int *node, int ranks);

struct lanes {
    enum collective collective;
    bool ordered;
    struct node_rank root;
    int lanes;      /* at most the ranks of the smallest node */
    int64_t slices; /* a multiple of `lanes`; slice i belongs to lane i % lanes and chunk i / lanes */
    int ports;      /* k: the first k ranks of each node exchange messages; 0: ranks of lanes do */
    bool scatters;  /* see lanes_scatter() */
    const struct node_list *nodes;
};

/* The ranks of a stage. With ports, all ranks of all nodes perform those of GROUP_LANE. */
enum stage_group { GROUP_NODE, GROUP_LANE, GROUP_SELF };

/*
 * The memory of a stage's slice. KEPT keeps slices of the rank's lane between stages; see lanes_kept(). No two stages use a
 * rank's buffers at once.
 */
enum stage_buffer { BUFFER_IN, BUFFER_OUT, BUFFER_KEPT };

/*
 * The phases of a slice. Stages of a phase have one sort of group and one collective on all ranks. If the phase has parts, a
 * stage has all slices of a chunk; each is a part (struct shape), whose root is the rank of its lane.
 */
enum stage_phase {
    STAGE_GATHER, /* on nodes: towards the lanes' ranks; a broadcast: from the root, on its node */
    STAGE_LANE,
    STAGE_ADD,    /* a lane's rank alone: OUT = KEPT (+) IN, where KEPT is the prefix of the nodes before */
    STAGE_SPREAD, /* on nodes: from the lanes' ranks; a reduction: towards the root */
    STAGE_KEEP,   /* a lane's rank alone: OUT = KEPT, the exclusive prefix of a node's first rank */
    STAGE_PHASES
};

struct stage {
    enum stage_phase phase;
    int root;             /* a number on the node, or a node's; with parts, the first part's root */
    enum readers readers; /* of a broadcast; with ports, of each stage between nodes */
    int reader;           /* that `readers` names: a number on the node */
    int64_t slice;
    int slices;                 /* 1; with parts, one for each lane */
    enum stage_buffer from, to; /* a broadcast has `to` alone */
};

/*
 * Does the root of a broadcast scatter slices to the ranks of lanes on its node? It does if there are few chunks
 * (doc/lanes).
 */
bool lanes_scatter(enum collective whole, int64_t lanes, int64_t slices);

int64_t lanes_stages(const struct lanes *l);

/* Sets *s to the rank's part in the stage. Returns false if it has none. */
bool lanes_stage(const struct lanes *l, struct node_rank self, int64_t number, struct stage *s);

/* Of the phase's stages; COLLECTIVES: work of one rank alone. */
enum collective lanes_collective(enum collective whole, enum stage_phase phase);

/*
 * Does the phase have stages that several ranks perform together? With one lane, the root of a broadcast or reduction is in
 * the lane. With ports, the stage between nodes gives the result to all ranks.
 */
bool lanes_planned(enum collective whole, int lanes, bool ports, enum stage_phase phase);

enum stage_group lanes_group(enum stage_phase phase);

bool lanes_parts(enum collective whole, bool ordered, enum stage_phase phase);

/*
 * Of the phase's broadcasts; lanes_scatter() gives `scatters`. On a node without the root, READERS_ALL replace
 * READERS_OTHERS.
 */
enum readers lanes_readers(enum collective whole, enum stage_phase phase, bool scatters);

/* Slices for which KEPT has room: chunk c lies at index c % lanes_kept(). */
int lanes_kept(const struct lanes *l);

/* The number of a lane's rank on a node; the lane of a rank, or NOBODY. */
int lanes_member(const struct lanes *l, int node, int lane);
int lanes_lane(const struct lanes *l, struct node_rank self);

/* Must there be a single lane, so that operands keep the order of ranks? */
bool lanes_one(enum collective c, bool ordered);

struct node_rank node_rank_of(const struct node_list *nodes, int rank);

int node_list_rank(const struct node_list *nodes, int node, int index);
