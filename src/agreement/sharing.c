/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes segments; segment.h has their use. Budget and control groups must have room; a rank frees idle segments to get it.
 * The first rank makes a file in memory and sends its path; each rank opens it, allocates its own part and maps all. If that
 * fails on a rank, as in different containers or at a limit, all try the other way to make a file (sharedfile.h), or have
 * none.
 *
 * Then the ranks test the memory: each answers the first rank's random number in its own part, and reads all answers. A rank
 * that sees a copy of the memory fails. After it, all parts are allocated.
 *
 * A segment belongs to a private communicator and is shared with it. Calls there have one order on all ranks
 * (private_comm.c), and so have the segment's rounds.
 */
#include "sharing.h"

#include "cell.h"
#include "hash.h"
#include "launcher.h"
#include "own_memory.h"
#include "private_comm.h"
#include "process.h"
#include "quota.h"
#include "seconds.h"
#include "segment_figures.h"
#include "sharedfile.h"
#include "small_stack.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- The budget ---------------------------------------------------------------------------------------------------- */

static _Atomic int64_t booked; /* bytes of the node's budget, taken by this process */

static int64_t ranks_here(int ranks)
{
    const int64_t here = launcher_node_ranks_or_cores();
    return here > ranks ? here : ranks;
}

/* Of the node's budget: the same for all ranks of the job there. */
static int64_t own_share(int ranks)
{
    return process.settings.shared / ranks_here(ranks);
}

static int64_t cost_of(const struct segment *s)
{
    return ceil_div(s->bytes, s->ranks);
}

static void give_back(const struct segment *s)
{
    atomic_fetch_sub(&booked, cost_of(s));
}

/*
 * Bytes within this rank's control group, which may have all ranks of the node, and where the kernel kills one if they take
 * too much: at most half of what was left at first.
 */
static int64_t group_share(int ranks)
{
    const int64_t budget = process.settings.shared;
    return quota_memory(budget < INT64_MAX / 2 ? 2 * budget : INT64_MAX) / 2 / ranks_here(ranks);
}

static bool book(const struct segment *s, int64_t share)
{
    const int64_t cost = cost_of(s);
    do {
        if (atomic_fetch_add(&booked, cost) <= share - cost)
            return true;
        give_back(s);
    } while (cost <= share && private_comms_make_room());
    return false;
}

/* ---- Obstacles ----------------------------------------------------------------------------------------------------- */

enum obstacle {
    OBSTACLE_RANKS,
    OBSTACLE_NODES,
    OBSTACLE_MEMORY,
    OBSTACLE_GROUP,
    OBSTACLE_BUDGET,
    OBSTACLE_MAKE, /* with errno, as the next two */
    OBSTACLE_OPEN,
    OBSTACLE_MAP,
    OBSTACLE_VIEW
};

/* As a number > 0, larger for a lower rank. `error`: errno, if it says more. */
static uint64_t obstacle(enum obstacle what, enum shared_way way, int error)
{
    return (uint64_t)(INT_MAX - process.rank) << 32 | (uint64_t)what << 24 | (uint64_t)way << 16 | (uint64_t)error;
}

/* Collective. `mine`: or 0. That of the lowest rank with one, or 0. */
static uint64_t agreed_obstacle(MPI_Comm comm, uint64_t mine)
{
    words_largest(comm, &mine, 1);
    return mine;
}

static void put_obstacle(uint64_t o, char why[SHARING_WHY])
{
    static const char *const what[] = {
        [OBSTACLE_RANKS] = "is on a node of too many ranks",
        [OBSTACLE_NODES] = "has no communicator left for its node; let the program free some",
        [OBSTACLE_MEMORY] = "has no memory left; leave it more",
        [OBSTACLE_GROUP] = "is in a control group that may take little more memory; allow the job more",
        [OBSTACLE_BUDGET] = "would need more than its share of PLEACH_SHARED; raise PLEACH_SHARED",
        [OBSTACLE_MAKE] = "cannot make the file",
        [OBSTACLE_OPEN] = "cannot open the file",
        [OBSTACLE_MAP] = "cannot allocate the file's memory",
        [OBSTACLE_VIEW] = "sees other memory than the first rank; let all containers of a node share /dev/shm",
    };
    const int rank = INT_MAX - (int)(o >> 32), row = (int)(o >> 24 & 0xff), error = (int)(o & 0xffff);
    const enum shared_way way = (enum shared_way)(o >> 16 & 0xff);
    int used = snprintf(why, SHARING_WHY, "rank %d %s", rank, what[row]);
    if (error)
        snprintf(why + used, SHARING_WHY - (size_t)used, "%s: %s; %s", way == SHARED_NAMED ? " in /dev/shm" : "",
                 strerror(error), shared_remedy(way, error));
}

/* ---- One way to share ---------------------------------------------------------------------------------------------- */

struct proposal {
    struct shared_offer offer;
    uint64_t obstacle; /* 0: there is a file */
    uint64_t question;
};

static struct proposal propose(const struct segment *s, enum shared_way way, int *file)
{
    struct proposal p;
    memset(&p, 0, sizeof p); /* all bytes are sent */
    *file = shared_make(way, s->bytes, &p.offer);
    p.obstacle = *file >= 0 ? 0 : obstacle(OBSTACLE_MAKE, way, errno);
    p.question = shared_random();
    return p;
}

static char *map_part(const struct segment *s, int file)
{
    const int64_t part = SEGMENT_PAGE + s->rank * s->stride, from = s->rank == 0 ? 0 : part;
    return shared_map(file, s->bytes, from, part + s->stride - from);
}

static uint64_t answer_of(uint64_t question, int rank)
{
    return mix64(question + (uint64_t)rank + 1);
}

static void write_own(const struct segment *s, uint64_t question)
{
    if (s->rank == 0)
        atomic_store(&segment_head(s)->question, question);
    atomic_store(&segment_rank(s, s->rank)->answer, answer_of(question, s->rank));
}

static bool all_answer(const struct segment *s, uint64_t question)
{
    if (atomic_load(&segment_head(s)->question) != question)
        return false;
    for (int r = 0; r < s->ranks; r++)
        if (atomic_load(&segment_rank(s, r)->answer) != answer_of(question, r))
            return false;
    return true;
}

/* Collective. Sets s->memory and returns 0, or some rank's obstacle, on all ranks. */
static uint64_t share(struct segment *s, MPI_Comm comm, enum shared_way way)
{
    struct proposal p = {.obstacle = 0};
    int file = -1;
    if (s->rank == 0)
        p = propose(s, way, &file);
    pmpi.Bcast(&p, (int)sizeof p, MPI_BYTE, 0, comm);
    if (p.obstacle)
        return p.obstacle;
    if (s->rank != 0)
        file = shared_open(&p.offer);
    uint64_t met = agreed_obstacle(comm, file >= 0 ? 0 : obstacle(OBSTACLE_OPEN, way, errno));
    if (s->rank == 0) /* before allocating, which is long: the kernel may kill a rank meanwhile */
        shared_withdraw(&p.offer);
    s->memory = met ? NULL : map_part(s, file);
    const int error = errno;
    if (s->memory)
        write_own(s, p.question);
    if (!met)
        met = agreed_obstacle(comm, s->memory ? 0 : obstacle(OBSTACLE_MAP, way, error));
    if (!met)
        met = agreed_obstacle(comm, s->memory && all_answer(s, p.question) ? 0 : obstacle(OBSTACLE_VIEW, way, 0));
    if (file >= 0)
        close(file);
    if (met && s->memory) {
        munmap(s->memory, (size_t)s->bytes);
        s->memory = NULL;
    }
    return met;
}

static uint64_t share_somehow(struct segment *s, MPI_Comm comm)
{
    uint64_t met = 1;
    for (int way = 0; met && way < SHARED_WAYS; way++)
        met = share(s, comm, (enum shared_way)way);
    return met;
}

bool sharing_works(MPI_Comm comm)
{
    int rank, ranks;
    pmpi.Comm_rank(comm, &rank);
    pmpi.Comm_size(comm, &ranks);
    struct segment s = segment_of(rank, ranks, 1, SEGMENT_LEAST);
    if (share_somehow(&s, comm))
        return false;
    munmap(s.memory, (size_t)s.bytes);
    return true;
}

/* ---- A segment ----------------------------------------------------------------------------------------------------- */

/* With the ranks behind it: the segment may outlive c. */
static struct segment *segment_new(const struct comm *c, int rank, int ranks, int64_t cell)
{
    struct segment *s = own_memory(sizeof *s + (size_t)ranks * sizeof *s->member);
    if (!s)
        return NULL;
    *s = segment_of(rank, ranks, segment_group(ranks), cell);
    s->yields = s->known = c->known.machine.oversubscribed;
    if (!c->known.machine.one_node) {
        const struct node_list *l = c->locality.nodes;
        s->member = memcpy(s + 1, &l->rank[l->first[l->node[c->rank]]], (size_t)ranks * sizeof *s->member);
    }
    return s;
}

static void segment_end(struct segment *s)
{
    munmap(s->memory, (size_t)s->bytes);
    give_back(s);
    own_memory_free(s);
}

/* Collective over a node: cells of `cell` bytes; or NULL on all, with some rank's obstacle. */
static struct segment *make_on_node(const struct comm *c, MPI_Comm node, int64_t cell, uint64_t *met)
{
    int rank, ranks;
    pmpi.Comm_rank(node, &rank);
    pmpi.Comm_size(node, &ranks);
    if (ranks >= SEGMENT_TURNS) {
        *met = agreed_obstacle(node, obstacle(OBSTACLE_RANKS, SHARED_WAYS, 0));
        return NULL;
    }
    struct segment *s = segment_new(c, rank, ranks, cell);
    const int64_t budget = own_share(ranks), group = group_share(ranks);
    const bool taken = s && book(s, budget < group ? budget : group);
    const enum obstacle what = !s ? OBSTACLE_MEMORY : budget <= group ? OBSTACLE_BUDGET : OBSTACLE_GROUP;
    *met = agreed_obstacle(node, taken ? 0 : obstacle(what, SHARED_WAYS, 0));
    if (taken && !*met) {
        *met = share_somehow(s, node);
        if (!*met)
            return s;
    }
    if (taken)
        give_back(s);
    own_memory_free(s);
    return NULL;
}

/* ---- Several nodes ------------------------------------------------------------------------------------------------- */

static struct segment *make_on_nodes(const struct comm *c, uint64_t *met)
{
    MPI_Comm comm = c->channel.comm, node = MPI_COMM_NULL;
    struct segment *s = NULL;
    const bool split = split_ranks(comm, c->locality.nodes->node[c->rank], c->rank, &node) == MPI_SUCCESS;
    *met = agreed_obstacle(comm, split ? 0 : obstacle(OBSTACLE_NODES, SHARED_WAYS, 0));
    if (!*met) {
        s = make_on_node(c, node, segment_cell_bytes(c->known.machine.node_ranks, c->known.machine.nodes), met);
    }
    if (split)
        pmpi.Comm_free(&node);
    *met = agreed_obstacle(comm, *met);
    if (*met && s) {
        segment_end(s);
        s = NULL;
    }
    return s;
}

static struct segment *make_near(const struct comm *c, uint64_t *met)
{
    const int64_t cell = segment_cell_within(c->ranks, c->known.machine.oversubscribed, own_share(c->ranks));
    return make_on_node(c, c->channel.comm, pmpi_agreed(c->channel.comm, (int)cell, MPI_MIN), met);
}

static void know_segment(struct comm *c)
{
    const struct segment *s = c->channel.segment;
    struct machine *m = &c->known.machine;
    m->cell = s->cell;
    m->segment = s->figures;
    m->segment_known = s->known;
    comm_knows_machine(c);
}

void sharing_measure(struct comm *c, char *buffers, struct limit *limit)
{
    struct segment *s = c->channel.segment;
    if (!s->known)
        segment_figures_measure(s, c->channel.comm, buffers, limit);
    know_segment(c);
}

bool sharing_make(struct comm *c, double *seconds, char why[SHARING_WHY])
{
    struct shared *shared = private_comm_shared(c);
    struct machine *m = &c->known.machine;
    *seconds = 0;
    *why = 0;
    if (!shared->tried && process.settings.shared > 0) {
        pmpi_agreed(c->channel.comm, true, MPI_MIN); /* now all are here */
        const double begin = seconds_now();
        uint64_t met;
        shared->segment = m->one_node ? make_near(c, &met) : make_on_nodes(c, &met);
        if (shared->segment && !shared->segment->known)
            segment_figures_recall(shared->segment, c->channel.comm);
        *seconds = seconds_now() - begin;
        if (met)
            put_obstacle(met, why);
        shared->tried = true;
    }
    c->channel.segment = shared->segment;
    c->channel.nodes = c->channel.segment && !m->one_node ? c->locality.nodes : NULL;
    m->shared_tried = true;
    if (c->channel.segment)
        know_segment(c);
    else
        comm_knows_machine(c);
    return c->channel.segment != NULL;
}

void sharing_end(struct shared *shared)
{
    if (shared->segment)
        segment_end(shared->segment);
}
