/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lab_probe RATE: is the lab what it seems to be? `scripts/lab check` runs it, with one rank on each host; RATE is that of
 * the ports, in bytes a second. Exit status 1 if one of these is out of bounds:
 *
 *     one way        from the first rank to the last: the rate, less some headers
 *     both ways      both send at once: as much each way, on full-duplex links
 *     native scan    MPI_Scan of 1 MiB, in units of beta m: recursive doubling takes log2 p
 *     cores          were some idle meanwhile? Else they were measured, and not the links
 *     port           bytes counted at the first host's port: the messages did cross the network
 *
 * All clocks are one (CLOCK_MONOTONIC does not know namespaces), so rank 0 says when everybody starts, and a time is
 * latest end - latest start. After a barrier instead, those who leave it late would hide the work of the others.
 */
#include "seconds.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINK = 8 << 20, SCAN = 1 << 20, REPEATS = 5 };

static const double PAUSE_SECONDS = 0.05; /* by then all ranks know when to start, and the links are silent */

static char *out, *in;
static int rank, ranks;

static void one_way(void)
{
    if (rank == 0)
        PMPI_Send(out, LINK, MPI_BYTE, ranks - 1, 0, MPI_COMM_WORLD);
    else if (rank == ranks - 1)
        PMPI_Recv(in, LINK, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void both_ways(void)
{
    if (rank == 0 || rank == ranks - 1)
        PMPI_Sendrecv(out, LINK, MPI_BYTE, ranks - 1 - rank, 0, in, LINK, MPI_BYTE, ranks - 1 - rank, 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE);
}

static void scan(void)
{
    PMPI_Scan(out, in, SCAN / (int)sizeof(long), MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

static double timed(void (*work)(void))
{
    double start = seconds_now() + PAUSE_SECONDS, mine[2], latest[2];
    PMPI_Bcast(&start, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    struct timespec t = {.tv_sec = (time_t)start};
    t.tv_nsec = (long)((start - (double)t.tv_sec) * 1e9);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    mine[0] = seconds_now();
    work();
    mine[1] = seconds_now();
    PMPI_Allreduce(mine, latest, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return latest[1] - latest[0];
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(void (*work)(void))
{
    double seconds[REPEATS];
    work(); /* sets up connections */
    for (int i = 0; i < REPEATS; i++)
        seconds[i] = timed(work);
    qsort(seconds, REPEATS, sizeof seconds[0], by_value);
    return seconds[REPEATS / 2];
}

/* Time that all cores together have been busy and idle, since the machine started, in whatever unit. */
struct cores {
    double busy, idle;
};

static struct cores cores(void)
{
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, softirq = 0, steal = 0;
    FILE *f = fopen("/proc/stat", "r");
    if (!f ||
        fscanf(f, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system, &idle, &wait, &irq, &softirq, &steal) != 8)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fclose(f);
    return (struct cores){user + nice + system + irq + softirq + steal, idle + wait};
}

/* Bytes that have gone through this host's port, in and out. */
static double port(void)
{
    char line[512];
    double received = 0, sent = 0;
    FILE *f = fopen("/proc/net/dev", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, " eth0: %lf %*f %*f %*f %*f %*f %*f %*f %lf", &received, &sent) == 2)
            break;
    if (f)
        fclose(f);
    return received + sent;
}

static int bad;

static void verdict(int good, const char *what, const char *format, double value, double reference)
{
    char text[64];
    snprintf(text, sizeof text, format, value, reference);
    printf("%-12s %-44s %s\n", what, text, good ? "ok" : "OUT OF BOUNDS");
    bad |= !good;
}

int main(int argc, char **argv)
{
    double rate = argc > 1 ? atof(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    out = malloc(LINK);
    in = malloc(LINK);
    if (!out || !in || ranks < 2 || rate <= 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(out, 0, LINK);

    struct cores before = cores();
    double bytes = port();
    double one = LINK / median(one_way), both = LINK / median(both_ways);
    bytes = port() - bytes;
    double units = median(scan) * one / SCAN;
    struct cores after = cores();
    if (rank == 0) {
        double busy = after.busy - before.busy, idle = after.idle - before.idle, payload = 3.0 * LINK * (REPEATS + 1);
        int rounds = 0;
        while (1 << rounds < ranks)
            rounds++;
        verdict(one > 0.9 * rate && one < rate, "one way", "%.2f of %.2f Mbit/s", 8e-6 * one, 8e-6 * rate);
        verdict(both > 0.9 * rate && both < rate, "both ways", "%.2f of %.2f Mbit/s", 8e-6 * both, 8e-6 * rate);
        verdict(units > 0.9 * rounds && units < 1.3 * rounds, "native scan", "%.2f beta m, of %.0f", units, rounds);
        verdict(busy < 0.9 * (busy + idle), "cores", "%.0f %% busy", 100 * busy / (busy + idle), 0);
        verdict(bytes > payload, "port", "%.1f MB, of %.1f sent and received", bytes / 1e6, payload / 1e6);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return bad;
}
