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

/* The measured figures. The fields are those of struct machine. */
struct measured {
    bool noisy[LINKS];
    struct figures figures[LINKS];
    double native[COLLECTIVES][NATIVE_SIZES];
};

/* The last two numbers of a path: the rack, as the launcher tells it, and the node. */
enum { PATH_RACK = PLACES_DEPTH - 2, PATH_NODE };

struct group_info {
    MPI_Group group;              /* MPI_GROUP_NULL until group_info_remember() */
    enum reason barred;           /* why no engine may serve the group, or REASON_NONE */
    bool compared;                /* the ranks have compared their settings, which are equal and good */
    bool asked;                   /* ranks compare ids before they inherit it */
    int oversubscribed;           /* as in struct machine */
    bool measured;                /* `machine` is known */
    bool sites;                   /* outermost places are sites */
    bool places_broken;           /* the file of places cannot be read or has an error; a message has said so */
    struct algorithms algorithms; /* as in struct machine */
    int nodes;
    uint64_t id;               /* > 0, unique, the same on all processes */
    int *node;                 /* of each rank; nodes are numbered by their lowest ranks; undefined if barred */
    int *domain;               /* likewise, as in struct process; undefined if barred */
    int (*path)[PLACES_DEPTH]; /* of each rank, for places_of(); undefined if barred */
    const struct rules *rules; /* or NULL */
    struct rules *own_rules;   /* `rules`, if this group info owns them; else NULL */
    bool rules_read;           /* from the file, on this rank */
    struct measured machine;
    struct survey *survey; /* of the nodes; see infer.h; NULL in a copy, or if not measured */
    double ahead;          /* of this process, as in struct locality */
    struct group_info *next;
};

/* The group info of a communicator, and what follows. */
struct locality {
    const struct group_info *info;       /* NULL for intercommunicators and single ranks; the same on all ranks */
    const struct group_info *measured;   /* the one with the figures, or NULL; the same on all ranks */
    struct node_list *nodes;             /* numbered by their lowest ranks; set by nodes_settle() */
    struct places *places[SOURCES];      /* for the machine; SOURCE_MEASURED: NULL if equal to SOURCE_SURE */
    struct places *node_places[SOURCES]; /* likewise; or NULL */
    double ahead;   /* seconds by which this process's clock was ahead of one rank's, which is the same rank for all */
    uint64_t group; /* result of inherited_group(); set by nodes_settle() */
};

/* All zero, with room for `ranks` ranks in node[], domain[] and path[]. NULL if memory is short. */
struct group_info *group_info_new(int ranks);

/* A new id, unique among processes. The lowest rank makes it for all. */
uint64_t group_info_new_id(int world_rank);

/* A copy for a communicator inside the group of `found`. NULL if memory is short. */
struct group_info *group_info_copy(const struct group_info *found, MPI_Comm comm, int ranks);

/* For each rank of comm, its rank in the group, or MPI_UNDEFINED. The caller frees the array. NULL if memory is short. */
int *group_ranks(MPI_Group group, MPI_Comm comm, int ranks);

/* The same in MPI_COMM_WORLD; NULL, too, if that does not exist. */
int *world_ranks(MPI_Comm comm, int ranks);

/*
 * A number for the processes of comm and their order, the same on all ranks. 0 if not all are in MPI_COMM_WORLD, or if
 * memory is short on this rank.
 */
uint64_t world_group(MPI_Comm comm, int ranks);

/* Lets communicators inside comm inherit `found`, which the list owns from now on. */
void group_info_remember(struct group_info *found, MPI_Comm comm);

/* The list of what is remembered, latest first. */
const struct group_info *group_info_latest(void);

/* Are all processes of the inner group in the outer one? */
bool group_within(MPI_Group inner, MPI_Group outer);

/* Do all ranks of comm, which is inside the group of `found`, lie on one node? False if unknown. */
bool group_info_near(const struct group_info *found, MPI_Comm comm);

/* The latest whose group has all processes of comm; if `measured`, of those with figures. NULL if there is none. */
const struct group_info *group_info_about(MPI_Comm comm, bool measured);

/*
 * Has a group with both sides of the intercommunicator compared its settings, which then are equal and good? The same on all
 * ranks; false if ranks would have to ask each other.
 */
bool group_info_compared(MPI_Comm inter);

void group_info_free(struct group_info *found);

/* Frees all. Calls no MPI function, as MPI has ended or is about to. */
void group_info_forget(void);
