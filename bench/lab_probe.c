/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * lab_probe RATE [UPLINK SITES DELAY] measures whether the lab is as fast as it should be. `scripts/lab check` runs it, with
 * one rank on each host. RATE is the rate of the ports and UPLINK that of the uplinks, in bytes per second. DELAY is the
 * time, in nanoseconds, by which the way from one site to another delays a message; with one site, from one host to another.
 * Exit status 1 if one of these is out of bounds:
 *
 *     one way        from the first rank of the first site to its last: almost the rate
 *     both ways      these two ranks send at once: almost the rate in each direction, as links are full-duplex
 *     native scan    if there is one site, MPI_Scan of 1 MiB in units of beta m: recursive doubling takes log2 p, and as
 *                    many delays
 *     uplink         the ranks of the first site and those of the last send to each other: almost the uplink's rate
 *     inside         round trip of a byte between two ranks of one of several sites; it has no bounds
 *     between        round trip of a byte between two sites or, with a delay, two hosts: twice the delay, or little more
 *     cores          the part of their time in which cores were busy; if hardly any was idle, the times are not those of the
 *                    links
 *     port           bytes that the first host's port has counted: if they are fewer than rank 0 has sent and received,
 *                    messages did not cross the network
 *
 * All hosts have the same clock (CLOCK_MONOTONIC does not know namespaces). So rank 0 names the moment at which all ranks
 * start, and a time is latest end - latest start. If a barrier started the ranks, ranks that leave it late would hide work
 * of the others.
 */
#include "seconds.h"
#include "units.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINK = 8 << 20, SCAN = 1 << 20, REPEATS = 5, TRIPS = 50 };

static const double PAUSE_SECONDS = 0.05; /* at the end of this pause, all ranks know the start, and the links are silent */

static char *out, *in;
static int rank, ranks, sites = 1, site_ranks;

static void one_way(void)
{
    if (rank == 0)
        PMPI_Send(out, LINK, MPI_BYTE, site_ranks - 1, 0, MPI_COMM_WORLD);
    else if (rank == site_ranks - 1)
        PMPI_Recv(in, LINK, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange(int bytes, int peer)
{
    PMPI_Sendrecv(out, bytes, MPI_BYTE, peer, 0, in, bytes, MPI_BYTE, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void both_ways(void)
{
    if (rank == 0 || rank == site_ranks - 1)
        exchange(LINK, site_ranks - 1 - rank);
}

static void uplink(void)
{
    if (rank < site_ranks)
        exchange(LINK / site_ranks, rank + ranks - site_ranks);
    else if (rank >= ranks - site_ranks)
        exchange(LINK / site_ranks, rank - (ranks - site_ranks));
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

static double median(void (*work)(void))
{
    double seconds[REPEATS];
    work(); /* sets up connections */
    for (int i = 0; i < REPEATS; i++)
        seconds[i] = timed(work);
    qsort(seconds, REPEATS, sizeof seconds[0], ascending_numbers);
    return seconds[REPEATS / 2];
}

/* The least seconds that a byte takes from rank 0 to that rank and back; rank 0 alone knows them. */
static double round_trip(int there)
{
    double least = 1;
    for (int i = 0; i < TRIPS; i++) {
        double start = seconds_now();
        if (rank == 0)
            PMPI_Send(out, 1, MPI_BYTE, there, 0, MPI_COMM_WORLD);
        if (rank == 0 || rank == there)
            PMPI_Recv(in, 1, MPI_BYTE, there - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == there)
            PMPI_Send(out, 1, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        double seconds = seconds_now() - start;
        least = seconds < least ? seconds : least;
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    return least;
}

/* The time for which all cores together have been busy and idle since the machine started. The unit does not matter. */
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

/* The bytes that have passed this host's port, in and out. */
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

/* The bytes of all messages that rank 0 has sent and received in check_port() and check_sites(). */
static double payload;

static void check_port(double rate)
{
    double one = LINK / median(one_way), both = LINK / median(both_ways);
    payload += 3.0 * LINK * (REPEATS + 1);
    if (rank == 0) {
        verdict(one > 0.9 * rate && one < rate, "one way", "%.2f of %.2f Mbit/s", 8e-6 * one, 8e-6 * rate);
        verdict(both > 0.9 * rate && both < rate, "both ways", "%.2f of %.2f Mbit/s", 8e-6 * both, 8e-6 * rate);
    }
}

static void check_scan(double rate, double delay)
{
    double units = median(scan) * rate / SCAN;
    int rounds = 0;
    while (1 << rounds < ranks)
        rounds++;
    const double least = rounds * (1 + delay * rate / SCAN);
    if (rank == 0)
        verdict(units > 0.9 * least && units < 1.3 * least, "native scan", "%.2f beta m, of %.0f", units, least);
}

static void check_between(double delay)
{
    const double between = round_trip(ranks - 1);
    if (rank == 0)
        verdict(between >= 2 * delay && between < 2 * delay + 0.001, "between", "%.3f ms there and back, of %.3f",
                1e3 * between, 2e3 * delay);
}

static void check_sites(double rate, double delay)
{
    double up = LINK / median(uplink);
    double inside = site_ranks > 1 ? round_trip(1) : 0;
    payload += 2.0 * (LINK / site_ranks) * (REPEATS + 1);
    if (rank == 0) {
        verdict(up > 0.9 * rate && up < rate, "uplink", "%.2f of %.2f Mbit/s", 8e-6 * up, 8e-6 * rate);
        if (site_ranks > 1)
            verdict(1, "inside", "%.3f ms there and back", 1e3 * inside, 0);
    }
    check_between(delay);
}

int main(int argc, char **argv)
{
    const double rate = argc > 1 ? atof(argv[1]) : 0, delay = argc > 4 ? 1e-9 * atof(argv[4]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 4)
        sites = atoi(argv[3]);
    site_ranks = sites > 0 ? ranks / sites : 0;
    out = malloc(LINK);
    in = malloc(LINK);
    if (!out || !in || ranks < 2 || rate <= 0 || site_ranks == 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(out, 0, LINK);

    struct cores before = cores();
    double bytes = port();
    if (site_ranks > 1)
        check_port(rate);
    if (sites > 1)
        check_sites(atof(argv[2]), delay);
    else if (delay > 0)
        check_between(delay);
    bytes = port() - bytes;
    if (sites == 1)
        check_scan(rate, delay);
    struct cores after = cores();
    if (rank == 0) {
        double busy = after.busy - before.busy, idle = after.idle - before.idle;
        verdict(busy < 0.9 * (busy + idle), "cores", "%.0f %% busy", 100 * busy / (busy + idle), 0);
        verdict(bytes > payload, "port", "%.1f MB, of %.1f sent and received", bytes / 1e6, payload / 1e6);
    }
    free(out);
    free(in);
    MPI_Finalize();
    return bad;
}
