/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes memory that the ranks of a node share. See sharing.h, and segment.h for the use of this memory.
 *
 * Ranks make a segment only if the budget and their control groups have room for it. To get room, a rank frees segments that
 * wait for another communicator (private_comm.c). The first rank makes a file in memory
 * and sends the other ranks its path. Each rank opens the file, allocates its own part and maps the whole file. This may
 * fail on some ranks: the system forbids such files, or the ranks are in different containers although MPI finds them on one
 * node, or /dev/shm or a process has reached a limit. Then all ranks learn of the failure and try the other way to make such
 * a file (sharedfile.h). If that fails, too, they have no segment.
 *
 * Finally the ranks test the memory. The first rank writes a random number, the question. Each rank writes an answer to it
 * into its own part, and reads the answers of all ranks. The test fails if a rank sees only a copy of the memory. After the
 * test, all ranks have allocated their parts.
 *
 * A segment belongs to a private communicator, and communicators that share the private communicator share the segment.
 * Their calls have one order on all ranks (private_comm.c), so the rounds of the segment have one order, too.
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

static _Atomic int64_t booked; /* bytes of the node's budget that this process has taken */

/* The number of ranks of the job on this node, as far as it is known, and at least `ranks`. */
static int64_t ranks_here(int ranks)
{
    const int64_t here = launcher_node_ranks_or_cores();
    return here > ranks ? here : ranks;
}

/* This process's share of the node's budget. All ranks of the job on the node have equal shares. */
static int64_t own_share(int ranks)
{
    return process.settings.shared / ranks_here(ranks);
}

/* The bytes of a segment, divided by the number of its ranks. */
static int64_t cost_of(const struct segment *s)
{
    return ceil_div(s->bytes, s->ranks);
}

static void give_back(const struct segment *s)
{
    atomic_fetch_sub(&booked, cost_of(s));
}

/*
 * What the control group of this rank lets it take in all. All ranks of the node may be in the group, and the kernel kills a
 * process of a group that takes too much. So they take at most half of what was left when this process first asked.
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

/* What may keep a rank from sharing memory. */
enum obstacle {
    OBSTACLE_RANKS,
    OBSTACLE_NODES,
    OBSTACLE_MEMORY,
    OBSTACLE_GROUP,
    OBSTACLE_BUDGET,
    OBSTACLE_MAKE, /* here and in the next two rows, an errno says more */
    OBSTACLE_OPEN,
    OBSTACLE_MAP,
    OBSTACLE_VIEW
};

/*
 * An obstacle of this rank as one number: > 0, and the larger the lower the rank. `error`: errno in this way to share, if it
 * says more.
 */
static uint64_t obstacle(enum obstacle what, enum shared_way way, int error)
{
    return (uint64_t)(INT_MAX - process.rank) << 32 | (uint64_t)what << 24 | (uint64_t)way << 16 | (uint64_t)error;
}

/* Collective. `mine`: 0, or an obstacle of this rank. Returns that of the lowest rank that has one, or 0, on all ranks. */
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

/* The message of the first rank. */
struct proposal {
    struct shared_offer offer;
    uint64_t obstacle; /* 0 if the rank has a file to offer */
    uint64_t question;
};

static struct proposal propose(const struct segment *s, enum shared_way way, int *file)
{
    struct proposal p;
    memset(&p, 0, sizeof p); /* all bytes are sent, so none may be undefined */
    *file = shared_make(way, s->bytes, &p.offer);
    p.obstacle = *file >= 0 ? 0 : obstacle(OBSTACLE_MAKE, way, errno);
    p.question = shared_random();
    return p;
}

/* Maps the file and allocates this rank's part. The first rank's part also has the head of the segment. */
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

/* Collective. Sets s->memory on all ranks and returns 0, or returns an obstacle of some rank on all ranks. */
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
    if (s->rank == 0) /* before memory is allocated, as that takes long, and the kernel may kill a rank meanwhile */
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

/* Collective. Tries one way to share after the other. Returns 0, or the obstacle in the last way. */
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

/* Makes the struct, with the ranks of its parts behind it, as the segment may outlive c. */
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

/*
 * Collective over the ranks of a node. Returns a segment with cells of `cell` bytes on all of them, or returns NULL on all
 * and sets *met to an obstacle of some rank.
 */
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
    if (taken && !*met) { /* no obstacle implies `taken` */
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

/* Collective. Makes a segment on each of several nodes, or on none; see make_on_node(). */
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

/* Collective over ranks of one node. Makes a segment on all of them, or on none. */
static struct segment *make_near(const struct comm *c, uint64_t *met)
{
    const int64_t cell = segment_cell_within(c->ranks, c->known.machine.oversubscribed, own_share(c->ranks));
    return make_on_node(c, c->channel.comm, pmpi_agreed(c->channel.comm, (int)cell, MPI_MIN), met);
}

/* Gives the machine of c what is known of its segment. */
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
        pmpi_agreed(c->channel.comm, true, MPI_MIN); /* then all ranks are here */
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
