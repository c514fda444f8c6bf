/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * chosen: shows which sort of algorithm serves a broadcast and sums of BYTES bytes. Rank LATE joins the broadcast only when
 * it hears that rank EARLY has left it, or after SECONDS. If rank EARLY needs nothing from rank LATE, as in some trees, the
 * broadcast "passes"; otherwise it "waits", as in algorithms that first give each rank a part of the message. The bits of a
 * sum, in a reduction, in an all-reduce and in a scan (on rank LATE), show in which order it was made.
 *     chosen BYTES SECONDS
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EARLY = 1, LATE = 3 };

static int rank;

static int hears(double seconds)
{
    int found = 0;
    const double end = MPI_Wtime() + seconds;
    while (!found && MPI_Wtime() < end)
        MPI_Iprobe(EARLY, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return found;
}

static void broadcast(int bytes, double seconds)
{
    char *data = calloc((size_t)bytes, 1);
    int heard = 0;
    MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); /* sets up what later broadcasts use, so all ranks wait */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == LATE)
        heard = hears(seconds);
    MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == EARLY)
        MPI_Send(NULL, 0, MPI_BYTE, LATE, 0, MPI_COMM_WORLD);
    if (rank == LATE) {
        MPI_Recv(NULL, 0, MPI_BYTE, EARLY, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&heard, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Recv(&heard, 1, MPI_INT, LATE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        puts(heard ? "bcast passes" : "bcast waits");
    }
    free(data);
}

static void put_bits(const char *what, int printer, const double *x, int count)
{
    uint64_t hash = 0, bits;
    for (int i = 0; i < count; i++) {
        memcpy(&bits, &x[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    if (rank == printer)
        printf("%s %016llx\n", what, (unsigned long long)hash);
}

static void sums(int bytes)
{
    const int count = bytes / (int)sizeof(double);
    double *in = calloc((size_t)count, sizeof *in), *out = calloc((size_t)count, sizeof *out);
    for (int i = 0; i < count; i++)
        in[i] = 1.0 / (1 + rank * 7 + i % 13);
    MPI_Reduce(in, out, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    put_bits("reduce", 0, out, count);
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    put_bits("allreduce", 0, out, count);
    MPI_Scan(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    put_bits("scan", LATE, out, count);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int bytes = argc > 2 ? atoi(argv[1]) : 1;
    broadcast(bytes, argc > 2 ? atof(argv[2]) : 0);
    sums(bytes);
    MPI_Finalize();
    return 0;
}
