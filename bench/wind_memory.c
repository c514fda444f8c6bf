/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory of simulated nodes; see wind_memory.h. SMPI's ranks are threads of one process; one rank runs at a time.
 * The linker directs calls of memcpy() and sched_yield() in this program to the functions below (--wrap). So copies that the
 * library's own executor makes take simulated time, and a rank that waits in the executor lets other ranks run.
 */
#include "wind_memory.h"

#include "cell.h"
#include "lanes.h"

#include <mpi.h>
#include <sched.h>
#include <smpi/smpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST_COPY = 256 }; /* bytes; shorter copies are of the executor's own data */

/*
 * Seconds between two looks of a waiting rank: LOOK at first. With each look they grow by a tenth, until they reach LONGEST.
 * Otherwise the looks of many ranks would take hours.
 */
static const double LOOK = 0.2e-6, LONGEST = 4e-6;

static const double TRIAL = 1e6; /* bytes that each rank loads and stores in measure(), all ranks at once */

static int working; /* ranks between wind_memory_begin() and wind_memory_end() */
static bool copies;
static double *look; /* by rank: the seconds until the rank's next look */

void *__real_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
int __wrap_sched_yield(void);

void *__wrap_memcpy(void *to, const void *from, size_t bytes)
{
    const bool charged = working > 0 && bytes >= LEAST_COPY;
    if (charged)
        wind_memory_work(2.0 * (double)bytes);
    return charged && !copies ? to : __real_memcpy(to, from, bytes);
}

static double *own_look(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return &look[rank];
}

int __wrap_sched_yield(void)
{
    double *mine = own_look();
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * *mine)}, NULL);
    *mine = *mine < LONGEST ? *mine * 1.1 : LONGEST;
    return 0;
}

void wind_memory_work(double bytes)
{
    if (working == 0)
        return;
    smpi_execute_flops(bytes);
    *own_look() = LOOK;
}

void wind_memory_begin(bool real)
{
    copies = real;
    working += look != NULL;
}

void wind_memory_end(void)
{
    working -= look != NULL;
}

/* Measures the figures of a segment: all ranks of all nodes work at once. */
static struct segment_figures measure(void)
{
    wind_start_together();
    const double start = MPI_Wtime();
    smpi_execute_flops(TRIAL);
    const double byte = wind_seconds(start, MPI_Wtime()) / TRIAL;
    return (struct segment_figures){
        .wait = LOOK, .copy = 2 * byte, .stream = 2 * byte, .spread = 2 * byte, .fold = 3 * byte};
}

/* Makes the segment of a node, which is ordinary memory here. */
static struct segment *make(const struct node_list *l, int rank, int64_t cell, MPI_Comm node)
{
    struct segment *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    const struct node_rank self = node_rank_of(l, rank);
    const int first = l->first[self.node], ranks = l->first[self.node + 1] - first;
    *s = segment_of(self.index, ranks, segment_group(ranks), cell);
    s->member = &l->rank[first];
    s->yields = true;
    if (s->rank == 0)
        s->memory = calloc(1, (size_t)s->bytes);
    MPI_Bcast(&s->memory, sizeof s->memory, MPI_BYTE, 0, node);
    if (s->memory)
        return s;
    free(s);
    return NULL;
}

bool wind_memory_open(struct wind_machine *w, struct channel *channel)
{
    struct machine *m = &w->machine;
    int rank, p;
    MPI_Comm node;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    look = look ? look : calloc((size_t)p, sizeof *look);
    if (!look)
        return false;
    look[rank] = LOOK;
    const struct node_list *l = node_list_new(w->node, p); /* it lives as long as the process, as the segments do */
    MPI_Comm_split(MPI_COMM_WORLD, w->node[rank], rank, &node);
    m->cell = segment_cell_bytes(m->node_ranks, m->nodes);
    m->shared_tried = true;
    m->one_node = m->nodes == 1;
    channel->segment = l ? make(l, rank, m->cell, node) : NULL;
    channel->nodes = m->one_node ? NULL : l;
    MPI_Comm_free(&node);
    m->segment = measure();
    m->figures[LINK_NODE].gamma = m->figures[LINK_NETWORK].gamma = m->segment.fold;
    return channel->segment;
}
