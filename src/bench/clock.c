/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A clock for all ranks; see clock.h.
 *
 * A barrier before the call would not do: ranks leave it one after the other, and what the first have done before the last
 * has left is not timed. So all wait for the same moment, and start.
 *
 * Ranks under one kernel, whatever namespaces they are in, share its monotonic clock. The others ask rank 0 for the time
 * and take the answer that came back fastest; half of that round trip bounds the error.
 */
#include "clock.h"

#include "job.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

enum { QUESTIONS = 10 };

#define SPIN 100e-6    /* seconds before the start in which a rank no longer sleeps */
#define LEEWAY 0.1     /* of the time measured, by which starts may differ */
#define LONGEST 200e-3 /* wait for a start */

static double ahead; /* of rank 0's clock is this one */

static double own_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_now(void)
{
    return own_clock() - ahead;
}

/* A number for the kernel that this rank runs under; of no other rank if the kernel does not tell. */
static uint64_t kernel(const struct comm *c)
{
    char id[64] = "";
    uint64_t h = 14695981039346656037u; /* FNV-1a */
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
    bool told = f && fgets(id, sizeof id, f);
    if (f)
        fclose(f);
    for (const char *x = id; *x; x++)
        h = (h ^ (unsigned char)*x) * 1099511628211u;
    return told ? h : (uint64_t)c->rank;
}

/* Rank 0 tells the time as often as it is asked. */
static void answer(struct comm *c, int rank)
{
    for (int i = 0; i < QUESTIONS; i++) {
        PMPI_Recv(NULL, 0, MPI_BYTE, rank, 0, c->ours, MPI_STATUS_IGNORE);
        double now = own_clock();
        PMPI_Send(&now, 1, MPI_DOUBLE, rank, 0, c->ours);
    }
}

static double ask(struct comm *c)
{
    double fastest = 1e9, difference = 0, theirs = 0;
    for (int i = 0; i < QUESTIONS; i++) {
        double before = own_clock();
        PMPI_Send(NULL, 0, MPI_BYTE, 0, 0, c->ours);
        PMPI_Recv(&theirs, 1, MPI_DOUBLE, 0, 0, c->ours, MPI_STATUS_IGNORE);
        double after = own_clock();
        if (after - before < fastest) {
            fastest = after - before;
            difference = (before + after) / 2 - theirs;
        }
    }
    return difference;
}

void clock_agree(struct comm *c)
{
    static bool *other; /* which ranks have a clock of their own */
    if (!other) {
        uint64_t mine = kernel(c), first = mine;
        other = job_memory(NULL, c->ranks, sizeof *other);
        pmpi.Bcast(&first, 1, MPI_UINT64_T, 0, c->ours);
        bool differs = mine != first;
        pmpi.Allgather(&differs, 1, MPI_C_BOOL, other, 1, MPI_C_BOOL, c->ours);
        prctl(PR_SET_TIMERSLACK, 1); /* sleepers wake on time */
    }
    for (int r = 1; r < c->ranks; r++)
        if (other[r] && c->rank == 0)
            answer(c, r);
        else if (other[r] && c->rank == r)
            ahead = ask(c);
}

/* Sleeps, then spins, but lets others run: where ranks outnumber cores, they must not keep each other from starting. */
static void wait_until(double moment)
{
    double left = moment - SPIN - clock_now();
    if (left > 0)
        nanosleep(&(struct timespec){.tv_sec = (time_t)left, .tv_nsec = (long)(1e9 * (left - (double)(time_t)left))}, NULL);
    while (clock_now() < moment)
        sched_yield();
}

/* A start for all: when the last one is there, and the slowest knows of it. */
static void start_together(struct comm *c)
{
    static double lag; /* how late this rank knew, the last time */
    double mine[2] = {clock_now(), lag}, all[2];
    pmpi.Allreduce(mine, all, 2, MPI_DOUBLE, MPI_MAX, c->ours);
    lag = clock_now() - all[0];
    double wait = 2 * all[1] + SPIN;
    wait_until(all[0] + (wait < LONGEST ? wait : LONGEST));
}

double clock_time(struct comm *c, void (*work)(void *), void *with, int tries)
{
    double best = 0, spread = 0;
    for (int i = 0; i < tries; i++) {
        enum { LATEST_END, LATEST_START, EARLIEST_START };
        double mine[3], all[3];
        start_together(c);
        mine[LATEST_START] = clock_now();
        mine[EARLIEST_START] = -mine[LATEST_START];
        work(with);
        mine[LATEST_END] = clock_now();
        pmpi.Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, c->ours);
        double seconds = all[LATEST_END] - all[LATEST_START], apart = all[LATEST_START] + all[EARLIEST_START];
        if (i == 0 || apart < spread) {
            spread = apart;
            best = seconds;
        }
        if (apart <= LEEWAY * seconds)
            break;
    }
    return best;
}
