/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Group info: what a group of processes has found out together, once. Every communicator inside the group inherits it.
 *
 * All ranks of a communicator inherit, or none. Two communicators that share two processes have their collective calls in
 * the same order on both processes, else the program could deadlock. With MPI_THREAD_MULTIPLE that order is not fixed
 * between threads, and sessions of MPI may begin and end in another order on another rank. Then the ranks ask each other, by
 * its id, whether they have the same group info.
 *
 * Group info stays until the process ends: callbacks in MPI_Finalize may still make calls.
 */
#ifndef PLEACH_GROUP_INFO_H
#define PLEACH_GROUP_INFO_H

#include "infer.h"
#include "pmpi.h"
#include "rules.h"

/* The measured figures of the machine; fields as in struct machine. */
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
    uint64_t id;               /* > 0, unique; the same on all processes */
    int *node;                 /* of each rank; nodes are numbered by their lowest ranks; undefined if barred */
    int (*path)[PLACES_DEPTH]; /* of each rank, as for places_of(): named places, then the node; undefined if barred */
    const struct rules *rules; /* or NULL */
    struct rules *own_rules;   /* the same, if this group info owns them; NULL in a copy, whose original owns them */
    const char *rules_file;    /* the file of the rules, on the rank that has read it; else NULL */
    char *own_rules_file;      /* likewise */
    struct measured machine;
    struct survey *survey;   /* of the nodes, by their numbers; NULL: not measured. See infer.h */
    double ahead;            /* as in struct locality; of this process */
    struct group_info *next; /* older */
};

/* A communicator's group info, and what follows from it. */
struct locality {
    const struct group_info *info;  /* shared by its ranks; NULL for intercommunicators and single ranks */
    struct places *places[SOURCES]; /* the machine points to them; the measured ones are NULL if they equal the sure ones */
    double ahead;   /* seconds, when measured: this process's clock minus that of one rank, the same rank for all */
    uint64_t group; /* as inherited_group() gives it; set once the nodes are settled */
};

/* New group info, all zero, with room for node[] and path[] of so many ranks. NULL: no memory. */
struct group_info *group_info_new(int ranks);

/* An id that no other process gives. The lowest rank makes it for all. */
uint64_t group_info_new_id(int world_rank);

/* A copy for a communicator inside found's group. NULL: no memory. */
struct group_info *group_info_copy(const struct group_info *found, MPI_Comm comm, int ranks);

/* The rank in found's group of each rank of a communicator inside it; to be freed. NULL: no memory. */
int *group_info_ranks(const struct group_info *found, MPI_Comm comm, int ranks);

/* Lets communicators inside comm inherit it. The caller no longer frees it. */
void group_info_remember(struct group_info *found, MPI_Comm comm);

/* All group info that this process remembers, the latest first. */
const struct group_info *group_info_latest(void);

/* Are all processes of the inner group in the outer one? */
bool group_within(MPI_Group inner, MPI_Group outer);

/* The latest group info of a group that encloses comm; `measured`: the latest with figures. NULL: there is none. */
const struct group_info *group_info_about(MPI_Comm comm, bool measured);

void group_info_free(struct group_info *found);

#endif
