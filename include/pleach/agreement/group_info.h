/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Group info: what a group of processes has found out together, once. Every communicator that lies inside the group inherits
 * it.
 *
 * Whether a communicator inherits is the same on all its ranks: collective calls on two communicators that share two
 * processes come in the same order on both, or the program could deadlock. With MPI_THREAD_MULTIPLE that order is not fixed
 * between threads, and sessions of MPI may begin and end in another order on another rank: then the ranks ask each other
 * whether they have found the same, by its id.
 *
 * They stay until the process ends: callbacks in MPI_Finalize may still make calls.
 */
#ifndef PLEACH_GROUP_INFO_H
#define PLEACH_GROUP_INFO_H

#include "infer.h"
#include "pmpi.h"
#include "rules.h"

/* What was measured of the machine; all as in struct machine. */
struct measured {
    bool noisy[LINKS];
    struct figures figures[LINKS];
    double native[COLLECTIVES][NATIVE_SIZES];
};

struct group_info {
    MPI_Group group;           /* the processes; MPI_GROUP_NULL until remembered */
    enum reason barred;        /* why no engine may serve them, or REASON_NONE */
    bool asked;                /* ranks ask each other before they inherit it */
    bool oversubscribed;       /* some node has more ranks than usable cores */
    bool measured;             /* is `machine` known? */
    bool sites;                /* the outermost places are sites, far from each other */
    int nodes;                 /* number of nodes */
    uint64_t id;               /* another for each, > 0; the same on all processes */
    int *node;                 /* of each rank; nodes are numbered by their lowest ranks; any where barred */
    int (*path)[PLACES_DEPTH]; /* of each rank, places as in places_of(): named ones, and the node; any where barred */
    const struct rules *rules; /* or NULL */
    struct rules *own_rules;   /* the same where they go with this one; a copy has them from an older one */
    const char *rules_file;    /* that they come from, on the rank that has read it; else NULL */
    char *own_rules_file;      /* the same, likewise */
    struct measured machine;
    struct survey *survey;   /* of the nodes, by their numbers; NULL: not measured. See infer.h */
    double ahead;            /* as in struct locality; this process's own */
    struct group_info *next; /* older */
};

/* What a communicator has of it. */
struct locality {
    const struct group_info *info;  /* that its ranks share; NULL for intercommunicators and single ranks */
    struct places *places[SOURCES]; /* the machine points to them; the measured ones are NULL where they are the sure ones */
    double ahead; /* seconds that this process's clock was ahead of the one of some rank, the same for all, when measured */
    uint64_t group; /* as of inherited_group(); once the nodes are settled */
};

/* A new one about a communicator, all zero, with room for node[] and path[] of so many ranks. NULL: no memory. */
struct group_info *group_info_new(int ranks);

/* An id that no other process gives: by the lowest rank for all. */
uint64_t group_info_new_id(int world_rank);

/* A copy about a communicator that lies inside found's group. NULL: no memory. */
struct group_info *group_info_copy(const struct group_info *found, MPI_Comm comm, int ranks);

/* The ranks in found's group of those of a communicator that lies inside it; to be freed. NULL: no memory. */
int *group_info_ranks(const struct group_info *found, MPI_Comm comm, int ranks);

/* Lets communicators inside comm inherit it. It is no more the caller's to free. */
void group_info_remember(struct group_info *found, MPI_Comm comm);

/* All that this process remembers, the latest first. */
const struct group_info *group_info_latest(void);

/* Are all processes of the inner group in the outer one? */
bool group_within(MPI_Group inner, MPI_Group outer);

/* The latest that is known of a group around comm, `measured` if that is asked for; NULL if nothing. */
const struct group_info *group_info_about(MPI_Comm comm, bool measured);

void group_info_free(struct group_info *found);

#endif
