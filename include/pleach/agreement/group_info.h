/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a group of processes has found out together, once. Communicators inside the group inherit it, on all of their ranks
 * or on none. Usually that needs no message: two communicators with two common processes have their collective calls in the
 * same order on both, or the program could deadlock. But with MPI_THREAD_MULTIPLE there is no order between threads, and
 * sessions may begin and end in any: there the ranks first compare ids.
 *
 * Kept until the process ends, as callbacks in MPI_Finalize may make calls, or until MPI begins anew.
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

/* The last entries of a path: the rack, as the launcher tells it, and the node. */
enum { PATH_RACK = PLACES_DEPTH - 2, PATH_NODE };

struct group_info {
    MPI_Group group;     /* MPI_GROUP_NULL until group_info_remember() */
    enum reason barred;  /* or REASON_NONE */
    bool compared;       /* the ranks have equal and good settings */
    bool asked;          /* ranks compare its id before they inherit it */
    uint64_t algorithms; /* as in struct machine */
    int oversubscribed;  /* likewise */
    bool measured;       /* `machine` is known */
    bool sites;          /* the outermost places are sites, far from each other */
    bool places_broken;  /* the file of places is bad, as a message has said */
    int nodes;
    uint64_t id;               /* > 0, unique, the same on all processes */
    int *node;                 /* of each rank, numbered by their lowest ranks; undefined if barred */
    int (*path)[PLACES_DEPTH]; /* of each rank, for places_of(): places or a rack, then the node; undefined if barred */
    const struct rules *rules; /* or NULL */
    struct rules *own_rules;   /* equal to `rules`, if they are its own; NULL in a copy */
    bool rules_read;           /* this rank has read their file */
    struct measured machine;
    struct survey *survey;   /* of the nodes, by number; NULL in a copy, or if not measured; infer.h */
    double ahead;            /* as in struct locality */
    struct group_info *next; /* older */
};

/* The group info of a communicator, and what follows. */
struct locality {
    const struct group_info *info;       /* NULL for intercommunicators and single ranks; the same on all ranks */
    const struct group_info *measured;   /* the one with the figures, or NULL; the same on all ranks */
    struct node_list *nodes;             /* numbered by their lowest ranks; by nodes_settle() */
    struct places *places[SOURCES];      /* for the machine; SOURCE_MEASURED: NULL if equal to SOURCE_SURE */
    struct places *node_places[SOURCES]; /* likewise; or NULL */
    double ahead;   /* seconds by which this process's clock is ahead of one rank's, the same rank for all */
    uint64_t group; /* of inherited_group(); by nodes_settle() */
};

/* All zero, with room for `ranks` ranks. NULL: no memory. */
struct group_info *group_info_new(int ranks);

/* One that no other process makes. The lowest rank makes it for all. */
uint64_t group_info_new_id(int world_rank);

/* For a communicator inside the group of `found`. NULL: no memory. */
struct group_info *group_info_copy(const struct group_info *found, MPI_Comm comm, int ranks);

/* The rank in the group of each rank of comm, or MPI_UNDEFINED. For free(). NULL: no memory. */
int *group_ranks(MPI_Group group, MPI_Comm comm, int ranks);

/* In MPI_COMM_WORLD. NULL, too, if that does not exist. */
int *world_ranks(MPI_Comm comm, int ranks);

/*
 * Identifies the processes of comm and their order, the same on all ranks. 0 if some are not in MPI_COMM_WORLD, if that does
 * not exist, or memory is short on this rank.
 */
uint64_t world_group(MPI_Comm comm, int ranks);

/* Communicators inside comm may inherit `found`, which the list owns from now on. */
void group_info_remember(struct group_info *found, MPI_Comm comm);

/* Of all that are remembered, latest first. */
const struct group_info *group_info_latest(void);

bool group_within(MPI_Group inner, MPI_Group outer);

/* Do all ranks of comm, inside the group of `found`, lie on one node? False if unknown. */
bool group_info_near(const struct group_info *found, MPI_Comm comm);

/* The latest whose group has all of comm; if `measured`, with figures. NULL: none. */
const struct group_info *group_info_about(MPI_Comm comm, bool measured);

/*
 * Has a group with both sides of an intercommunicator equal and good settings? The same on all ranks. False if they would
 * have to ask.
 */
bool group_info_compared(MPI_Comm inter);

void group_info_free(struct group_info *found);

/* MPI has ended, or is about to: calls no function of MPI. */
void group_info_forget(void);
