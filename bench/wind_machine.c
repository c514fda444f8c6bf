/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds places by the names of hosts, and figures by exchanges; see wind_machine.h. */
#include "wind_machine.h"

#include "layout.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Bytes and repetitions of two exchanges; see src/measure/measure.c. Simulated clocks are exact, so any sizes will do. */
enum { SMALL = 4 << 10, LARGE = 128 << 10, REPEAT = 10 };

/* The numbers of a rank's path. */
enum { SITE, HOST, LEVELS };

/* Seconds within which all ranks learn the moment of the start. They are simulated, so a long time costs nothing. */
static const double SOON = 0.5;

void wind_start_together(void)
{
    double now = MPI_Wtime(), latest = now;
    MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    const double wait = latest + SOON - MPI_Wtime();
    const struct timespec pause = {.tv_nsec = (long)(wait * 1e9)};
    nanosleep(&pause, NULL);
}

double wind_seconds(double start, double end)
{
    double mine[2] = {-start, end}, all[2] = {0, 0};
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all[0] + all[1];
}

/* Collective: seconds of an MPI_Sendrecv that all ranks make at once. A rank without a peer passes MPI_PROC_NULL. */
static double exchange(int bytes, int to, int from)
{
    char *out = malloc(LARGE), *in = malloc(LARGE);
    wind_start_together();
    double start = MPI_Wtime();
    for (int i = 0; i < REPEAT && out && in; i++)
        MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double end = MPI_Wtime();
    free(out);
    free(in);
    return wind_seconds(start, end) / REPEAT;
}

/*
 * Collective: lays a line through the times of exchanges of two sizes. Returns its slope, in seconds per byte; *alpha is the
 * time of no bytes, in seconds.
 */
static double line(int to, int from, double *alpha)
{
    const double small = exchange(SMALL, to, from), large = exchange(LARGE, to, from);
    const double beta = (large - small) / (LARGE - SMALL);
    *alpha = small - beta * SMALL;
    return beta;
}

/* The figures of a ring through every `stride`-th of the positions first .. end-1. Each message waits for its receiver. */
static struct figures ring(const int *order, int first, int end, int stride, int mine)
{
    struct figures f = {.alpha = 0};
    int to = MPI_PROC_NULL, from = MPI_PROC_NULL;
    if (mine >= first && mine < end && (mine - first) % stride == 0) {
        to = order[mine + stride < end ? mine + stride : first];
        from = order[mine > first ? mine - stride : first + (end - first - 1) / stride * stride];
    }
    f.beta = line(to, from, &f.alpha);
    f.hop = f.gap = f.alpha;
    return f;
}

/*
 * Measures the reach (struct reach) between the first two parts of a place. The exchange of one pair of ranks sets
 * alpha and flow; the exchanges of all pairs at once set `up`.
 */
static struct reach reach_between(const struct places *t, const int *order, int row, int mine)
{
    const struct place *a = &t->place[places_part(row)], *b = &t->place[a->next];
    const int pairs = a->end - a->first < b->end - b->first ? a->end - a->first : b->end - b->first;
    struct reach r;
    for (int most = 1, k = 0; k < 2; k++, most = pairs) {
        int peer = MPI_PROC_NULL;
        double alpha;
        if (mine >= a->first && mine < a->first + most)
            peer = order[mine - a->first + b->first];
        else if (mine >= b->first && mine < b->first + most)
            peer = order[mine - b->first + a->first];
        const double beta = line(peer, peer, &alpha) / most;
        if (k == 0)
            r = (struct reach){.alpha = alpha, .flow = beta};
        r.up = beta;
    }
    return r;
}

/*
 * Returns the seconds after which a rank may send the next short message to a near rank, but at least alpha / 2: with a
 * smaller gap, ranks of a tree would have too many children for longer messages.
 */
static double gap(const int *order, int mine, double alpha)
{
    char byte = 0;
    wind_start_together();
    double start = MPI_Wtime();
    for (int i = 0; i < REPEAT && mine < 2; i++)
        if (mine == 0)
            MPI_Send(&byte, 1, MPI_CHAR, order[1], 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&byte, 1, MPI_CHAR, order[0], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const double seconds = wind_seconds(start, mine == 0 ? MPI_Wtime() : start) / REPEAT;
    return seconds > alpha / 2 ? seconds : alpha / 2;
}

/* Measures the reach of each level, in the first place of that level. */
static void measure_reach(const struct places *t, const int *order, int mine, struct reach *reach)
{
    for (int row = 0, level = 0; places_parts(t, row) > 0; row = places_part(row), level++)
        reach[level] = reach_between(t, order, row, mine);
}

/* Collects the paths of all ranks by a sum, as MPI_Allgather fails with some of SMPI's selections of algorithms. */
static bool where(int *path, int rank, int p)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length, *mine = &path[LEVELS * rank];
    MPI_Get_processor_name(name, &length);
    const bool good = sscanf(name, "s%d-h%d", &mine[SITE], &mine[HOST]) == LEVELS;
    MPI_Allreduce(MPI_IN_PLACE, path, LEVELS * p, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return good;
}

/* The positions 0 .. p-1 have the ranks site by site and host by host. */
static void measure(struct wind_machine *w, int p, int rank, int *order)
{
    struct machine *m = &w->machine;
    struct places *t = w->places;
    const int mine = t->position ? t->position[rank] : rank;
    const int first = mine - mine % m->node_ranks, end = first + m->node_ranks < p ? first + m->node_ranks : p;
    for (int i = 0; i < p; i++)
        order[i] = t->order ? t->order[i] : i;
    m->figures[LINK_NETWORK] = ring(order, 0, p, m->node_ranks, mine);
    m->figures[LINK_NODE] = m->node_ranks > 1 ? ring(order, first, end, 1, mine) : m->figures[LINK_NETWORK];
    if (places_differ(t)) {
        struct reach reach[PLACES_DEPTH + 1] = {{.alpha = 0}};
        measure_reach(t, order, mine, reach);
        layout_reach(m, t, reach);
        t->gap = gap(order, mine, reach[t->depth - 1].alpha);
    }
}

bool wind_machine_find(struct wind_machine *w)
{
    int rank, p;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    *w = (struct wind_machine){.machine = {.measured = true}};
    int *path = calloc(LEVELS * (size_t)p, sizeof *path), *node = malloc((size_t)p * sizeof *node);
    int *order = malloc((size_t)p * sizeof *order), *site = malloc((size_t)p * sizeof *site);
    bool sites = false, good = path && node && order && site && where(path, rank, p);
    for (int r = 0; good && r < p; r++) {
        node[r] = path[LEVELS * r + SITE] << 16 | path[LEVELS * r + HOST];
        site[r] = path[LEVELS * r + SITE];
        sites |= site[r] != site[0];
    }
    good = good && layout_of(node, p, &w->machine, order);
    if (good && (w->places = places_of(path, p, LEVELS, sites))) {
        measure(w, p, rank, order);
        w->machine.places[SOURCE_SURE] = w->machine.places[SOURCE_MEASURED] = w->places;
    }
    if (w->places && sites)
        w->site = site;
    else
        free(site);
    w->node = node;
    free(path);
    free(order);
    return w->places;
}

void wind_machine_free(struct wind_machine *w)
{
    places_free(w->places);
    free(w->node);
    free(w->site);
}
