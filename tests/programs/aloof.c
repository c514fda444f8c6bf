/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * aloof: makes no call on MPI_COMM_WORLD that Pleach serves.
 *     aloof          a barrier; a child leaves by exit()
 *     aloof halves   a broadcast in each half of the ranks
 *     aloof others   a broadcast among all ranks but rank 0
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void cast(int color, int rank)
{
    MPI_Comm part;
    int number = rank;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &part);
    if (part == MPI_COMM_NULL)
        return;
    MPI_Bcast(&number, 1, MPI_INT, 0, part);
    MPI_Comm_free(&part);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *what = argc > 1 ? argv[1] : "";
    pid_t child = *what ? 0 : fork();
    if (!*what && child == 0)
        exit(0);
    if (child > 0)
        waitpid(child, NULL, 0);
    if (strcmp(what, "halves") == 0)
        cast(2 * rank < size, rank);
    if (strcmp(what, "others") == 0)
        cast(rank > 0 ? 0 : MPI_UNDEFINED, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
