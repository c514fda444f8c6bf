/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ranks under one kernel share a clock. The first rank of each other node asks rank 0 several times, and takes the answer
 * with the shortest round trip, half of which bounds the error.
 */
#include "clocks.h"

#include "hash.h"
#include "seconds.h"

#include <sched.h>
#include <stdio.h>
#include <time.h>

/* For a node, and for all nodes together, which ask at least once. */
enum { QUESTIONS = 10, ALL_QUESTIONS = 500 };

/* Seconds of spinning at the end of a wait: a sleep ends late by less. */
static const double SPIN = 100e-6;

uint64_t clocks_kernel(void)
{
    char id[64] = "";
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    bool told = f && fgets(id, sizeof id, f);
    if (f)
        fclose(f);
    return told ? hash_text(id) : 0;
}

static void send_time(MPI_Comm comm, double what, int to)
{
    pmpi.wire.Sendrecv(&what, 1, MPI_DOUBLE, to, 0, NULL, 0, MPI_DOUBLE, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
}

static double receive_time(MPI_Comm comm, int from)
{
    double what = 0;
    pmpi.wire.Recv(&what, 1, MPI_DOUBLE, from, 0, comm, MPI_STATUS_IGNORE);
    return what;
}

/* Nodes ask one after the other, in the limited time of a measurement. */
static int questions(int nodes)
{
    const int share = ALL_QUESTIONS / nodes;
    return share < 1 ? 1 : share < QUESTIONS ? share : QUESTIONS;
}

static void answer(MPI_Comm comm, int most, int rank)
{
    bool wanted = receive_time(comm, rank) != 0;
    for (int i = 0; wanted && i < most; i++) {
        receive_time(comm, rank);
        send_time(comm, seconds_now(), rank);
    }
}

static double ask_ahead(MPI_Comm comm, int most, bool wanted)
{
    double fastest = 1e9, ahead = 0;
    send_time(comm, wanted, 0);
    for (int i = 0; wanted && i < most; i++) {
        double before = seconds_now();
        send_time(comm, 0, 0);
        double theirs = receive_time(comm, 0), after = seconds_now();
        if (after - before < fastest) {
            fastest = after - before;
            ahead = (before + after) / 2 - theirs;
        }
    }
    return ahead;
}

double clocks_ahead(const struct comm *c)
{
    const MPI_Comm comm = c->channel.comm;
    const struct node_list *nodes = c->locality.nodes;
    const struct node_rank own = node_rank_of(nodes, c->rank);
    const int most = questions(nodes->nodes), leader = node_list_rank(nodes, own.node, 0);
    const uint64_t mine = clocks_kernel();
    uint64_t first_kernel = mine;
    if (nodes->nodes == 1)
        return 0;
    pmpi.Bcast(&first_kernel, 1, MPI_UINT64_T, 0, comm);
    if (c->rank == 0) /* the first rank of node 0 */
        for (int n = 1; n < nodes->nodes; n++)
            answer(comm, most, node_list_rank(nodes, n, 0));
    if (own.node == 0)
        return 0;
    if (own.index > 0)
        return receive_time(comm, leader);
    const double ahead = ask_ahead(comm, most, !mine || mine != first_kernel);
    for (int i = nodes->first[own.node] + 1; i < nodes->first[own.node + 1]; i++)
        send_time(comm, ahead, nodes->rank[i]);
    return ahead;
}

/* Sleeps, then spins and yields, so that ranks on one core let each other start. */
void clocks_await(double ahead, double moment)
{
    const double left = moment + ahead - SPIN - seconds_now();
    const struct timespec nap = {.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - (double)(time_t)left))};
    if (left > 0)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL); /* unlike nanosleep(), this leaves errno alone */
    while (seconds_now() < moment + ahead)
        sched_yield();
}
