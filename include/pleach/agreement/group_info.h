/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Group info is what a group of processes has found out together, once. Every communicator inside the group inherits it.
 *
 * Either all ranks of a communicator inherit the same group info, or none does. Usually no message is needed for this: two
 * communicators that share two processes have their collective calls in the same order on both processes, or else the
 * program could deadlock. So both processes have the same group info. There are two exceptions. With MPI_THREAD_MULTIPLE,
 * the order is not fixed between threads. Sessions of MPI may begin and end in a different order on each rank. In these
 * cases the ranks first compare the ids of their group infos by a message.
 *
 * A process keeps its group info until it ends, because callbacks in MPI_Finalize may still make calls, or until MPI begins
 * anew.
 */
#pragma once

#include "infer.h"
#include "lanes.h"
#include "pmpi.h"
#include "rules.h"

/* The measured figures of the machine. The fields are those of struct machine. */
struct measured {
    bool noisy[LINKS];
    struct figures figures[LINKS];
    double native[COLLECTIVES][NATIVE_SIZES];
};

/* A path ends with the number of the rack, as the launcher tells it, and with that of the node. */
enum { PATH_RACK = PLACES_DEPTH - 2, PATH_NODE };

struct group_info {
    MPI_Group group;     /* the processes; MPI_GROUP_NULL until group_info_remember() */
    enum reason barred;  /* why no engine may serve them, or REASON_NONE */
    bool compared;       /* the ranks have compared their settings, which are equal and good */
    bool asked;          /* ranks compare its id before they inherit it */
    uint64_t algorithms; /* as in struct machine */
    int oversubscribed;  /* as in struct machine */
    bool measured;       /* is `machine` known? */
    bool sites;          /* the outermost places are sites, which lie far from each other */
    bool places_broken;  /* the user's file of places cannot be read or has an error; a message has said so */
    int nodes;           /* number of nodes */
    uint64_t id;         /* > 0, unique; the same on all processes */
    int *node;           /* each rank's node; nodes are numbered by their lowest ranks; undefined if barred */
    int (*path)
        [PLACES_DEPTH]; /* each rank's path for places_of(): named places or a rack, then the node; undefined if barred */
    const struct rules *rules; /* or NULL */
    struct rules *own_rules;   /* equal to `rules` if this group info owns the rules; NULL in a copy */
    bool rules_read;           /* this rank has read the file of the rules */
    struct measured machine;
    struct survey *survey;   /* of the nodes, by their numbers; NULL if not measured, and in a copy; see infer.h */
    double ahead;            /* this process's `ahead`, as in struct locality */
    struct group_info *next; /* the next older group info */
};

/* A communicator's group info, and facts that follow from it. */
struct locality {
    const struct group_info *info;     /* the same on all ranks; NULL for intercommunicators and communicators of one rank */
    const struct group_info *measured; /* has the figures of the communicator; the same on all ranks; NULL: there are none */
    struct node_list *nodes;           /* the nodes, numbered by their lowest ranks; set by nodes_settle() */
    struct places *places[SOURCES];    /* the machine points to them; SOURCE_MEASURED: NULL if equal to SOURCE_SURE */
    struct places *node_places[SOURCES]; /* likewise; NULL: there are none */
    double ahead;   /* seconds by which this process's clock was ahead of one rank's clock; that rank is the same for all */
    uint64_t group; /* the result of inherited_group(); set by nodes_settle() */
};

/* Makes group info that is all zero, with room for `ranks` ranks in node[] and path[]. Returns NULL if memory is short. */
struct group_info *group_info_new(int ranks);

/* Makes an id that no other process makes. The lowest rank makes it for all ranks. */
uint64_t group_info_new_id(int world_rank);

/* Makes a copy for a communicator inside the group of `found`. Returns NULL if memory is short. */
struct group_info *group_info_copy(const struct group_info *found, MPI_Comm comm, int ranks);

/* For each rank of comm, its rank in the group, or MPI_UNDEFINED. The caller frees the array. NULL if memory is short. */
int *group_ranks(MPI_Group group, MPI_Comm comm, int ranks);

/* The same in MPI_COMM_WORLD. Returns NULL, too, if MPI_COMM_WORLD does not exist. */
int *world_ranks(MPI_Comm comm, int ranks);

/*
 * A number that identifies the processes of comm and their order, the same on all ranks. It is 0 if some of these processes
 * are not in MPI_COMM_WORLD, if MPI_COMM_WORLD does not exist now, or if memory is short on this rank.
 */
uint64_t world_group(MPI_Comm comm, int ranks);

/* Lets communicators inside comm inherit `found`. From then on the list owns `found`, and the caller must not free it. */
void group_info_remember(struct group_info *found, MPI_Comm comm);

/* The list of all group info that this process remembers, from the latest to the oldest. */
const struct group_info *group_info_latest(void);

/* Are all processes of the inner group in the outer one? */
bool group_within(MPI_Group inner, MPI_Group outer);

/* Do all ranks of comm lie on one node? They are in the group of `found`. False if its nodes are not known. */
bool group_info_near(const struct group_info *found, MPI_Comm comm);

/*
 * The latest group info whose group contains all processes of comm; if `measured`, the latest of these with measured
 * figures. Returns NULL if there is none.
 */
const struct group_info *group_info_about(MPI_Comm comm, bool measured);

/*
 * Has a group with all processes of both sides of an intercommunicator compared its settings? Then these are equal and good.
 * The same on all ranks. False if ranks would have to ask each other.
 */
bool group_info_compared(MPI_Comm inter);

void group_info_free(struct group_info *found);

/* Frees all remembered group info. MPI has ended, or is about to: calls no function of MPI. */
void group_info_forget(void);
