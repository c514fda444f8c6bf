/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hang: an erroneous program: rank 1 leaves a call out, and sleeps. All ranks end after two minutes.
 *     hang COUNT CALLS [usr1]    CALLS broadcasts of COUNT bytes on "turned", which has the ranks of MPI_COMM_WORLD from
 *                                the last to the first; rank 1 makes all but the last of them. With `usr1', the program
 *                                has a handler of its own, which says "usr1 was caught", and rank 1 reads from an empty
 *                                pipe: "a read was interrupted".
 */
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void caught(int number)
{
    static const char text[] = "usr1 was caught\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        abort();
}

static void await_interruption(void)
{
    int ends[2];
    char byte;
    if (pipe(ends) == 0 && read(ends[0], &byte, 1) < 0 && errno == EINTR)
        fputs("a read was interrupted\n", stderr);
}

int main(int argc, char **argv)
{
    int rank, count = argc > 2 ? atoi(argv[1]) : 0, calls = argc > 2 ? atoi(argv[2]) : 0;
    char *data = calloc((size_t)count + 1, 1);
    MPI_Comm turned;
    alarm(120);
    MPI_Init(&argc, &argv);
    /* Without SA_RESTART. MPICH replaces earlier handlers by its own one, which calls them, and which has SA_RESTART. */
    if (argc > 3)
        sigaction(SIGUSR1, &(struct sigaction){.sa_handler = caught}, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    MPI_Comm_set_name(turned, "turned");
    for (int i = 0; i < calls - (rank == 1); i++)
        MPI_Bcast(data, count, MPI_CHAR, 0, turned);
    fprintf(stderr, "rank %d made its calls\n", rank);
    if (argc > 3 && rank == 1)
        await_interruption();
    for (;;)
        sleep(1);
}
