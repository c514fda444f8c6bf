/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ahead: a root must not return from a broadcast before its receiver has begun, however small the blocks are. Rank 0 sends a
 * message after the broadcast. Rank 1 waits long enough for that message to arrive, and only then joins the broadcast.
 */
#include <mpi.h>
#include <stdio.h>

enum { BYTES = 256 << 10, LOOK_SECONDS = 1 };

static unsigned char data[BYTES];

static int look(void)
{
    int found = 0;
    double end = MPI_Wtime() + LOOK_SECONDS;
    while (!found && MPI_Wtime() < end)
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return found;
}

int main(int argc, char **argv)
{
    int rank, found = 0, wrong = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Bcast(data, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD); /* the ranks agree on settings in the first call */

    for (int i = 0; i < BYTES; i++)
        data[i] = rank == 0 ? (unsigned char)(i * 7 + i / 256) : 0;
    if (rank == 1)
        found = look();
    MPI_Bcast(data, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < BYTES; i++)
            wrong += data[i] != (unsigned char)(i * 7 + i / 256);
        if (found)
            printf("rank 0 had sent all before rank 1 began\n");
        puts(found || wrong ? "ahead failed" : "ahead ok");
    }
    MPI_Finalize();
    return found || wrong;
}
