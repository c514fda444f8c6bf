/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a group of processes has found out together, for all communicators inside it: all ranks of one inherit it, or none.
 * Usually without a message: two communicators with two common processes have their collective calls in one order there, or
 * the program could deadlock. Threads and sessions have no order: ranks first compare ids.
 *
 * Kept until the process ends, as callbacks in MPI_Finalize may make calls, or MPI begins anew.
 */
#pragma once

#include "infer.h"
#include "lanes.h"
#include "pmpi.h"
#include "rules.h"

/* As in struct machine. */
struct measured {
    bool noisy[LINKS];
    struct figures figures[LINKS];
    double native[COLLECTIVES][NATIVE_SIZES];
};

/* At the end of a path: rack, by the launcher; node. */
enum { PATH_RACK = PLACES_DEPTH - 2, PATH_NODE };

struct group_info {
    MPI_Group group; /* MPI_GROUP_NULL until group_info_remember() */
    enum reason barred;
    bool compared;       /* settings are equal and good */
    bool asked;          /* ranks compare ids before they inherit it */
    uint64_t algorithms; /* as in struct machine */
    int oversubscribed;  /* as in struct machine */
    bool measured;       /* `machine` is known */
    bool sites;          /* outermost places are sites */
    bool places_broken;  /* a bad file of places; a message has said so */
    int nodes;
    uint64_t id;               /* > 0, unique, the same on all processes */
    int *node;                 /* of each rank, by lowest ranks; undefined if barred */
    int (*path)[PLACES_DEPTH]; /* for places_of(): places or a rack, the node; undefined if barred */
    const struct rules *rules; /* or NULL */
    struct rules *own_rules;   /* equal to `rules` in their owner; or NULL */
    bool rules_read;           /* from the file, on this rank */
    struct measured machine;
    struct survey *survey; /* of the nodes; infer.h; or NULL */
    double ahead;
    struct group_info *next;
};

/* The group info of a communicator, and what follows. */
struct locality {
    const struct group_info *info;       /* or NULL; the same on all ranks */
    const struct group_info *measured;   /* has the figures; or NULL; the same on all ranks */
    struct node_list *nodes;             /* by lowest ranks; nodes_settle() */
    struct places *places[SOURCES];      /* for the machine; SOURCE_MEASURED: NULL if equal to SOURCE_SURE */
    struct places *node_places[SOURCES]; /* likewise; or NULL */
    double ahead;                        /* seconds of this clock ahead of one rank's, the same for all */
    uint64_t group;                      /* inherited_group(); nodes_settle() */
};

/* All zero, for `ranks` ranks. NULL: no memory. */
struct group_info *group_info_new(int ranks);

/* An id that no other process makes. The lowest rank makes it for all. */
uint64_t group_info_new_id(int world_rank);

/* For a communicator inside the group of `found`. NULL: no memory. */
struct group_info *group_info_copy(const struct group_info *found, MPI_Comm comm, int ranks);

/* The group's rank of each rank of comm, or MPI_UNDEFINED. For free(). NULL: no memory. */
int *group_ranks(MPI_Group group, MPI_Comm comm, int ranks);

/* The same in MPI_COMM_WORLD. NULL, too, if that does not exist. */
int *world_ranks(MPI_Comm comm, int ranks);

/* Identifies processes in their order, the same on all ranks. 0: not all in MPI_COMM_WORLD, or no memory here. */
uint64_t world_group(MPI_Comm comm, int ranks);

/* Communicators inside comm inherit `found` from now on. The list owns it. */
void group_info_remember(struct group_info *found, MPI_Comm comm);

/* The list of what is remembered, latest first. */
const struct group_info *group_info_latest(void);

bool group_within(MPI_Group inner, MPI_Group outer);

/* Is comm, inside the group of `found`, on one node? False if unknown. */
bool group_info_near(const struct group_info *found, MPI_Comm comm);

/* The latest with all of comm; `measured`: with figures. NULL: none. */
const struct group_info *group_info_about(MPI_Comm comm, bool measured);

/* Has a group of both sides equal and good settings? The same on all ranks; false if they would have to ask. */
bool group_info_compared(MPI_Comm inter);

void group_info_free(struct group_info *found);

/* Calls no MPI, which has ended or is about to. */
void group_info_forget(void);
