/* SPDX-License-Identifier: BSD-2-Clause */
/* fork: forks between collectives. Some children leave by exit(), which runs exit handlers; the others run a shell. */
#include "expect.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 70001, CHILDREN = 4 };

static void scan(int round)
{
    static int data[COUNT], sums[COUNT];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COUNT; i++)
        data[i] = i + round;
    MPI_Scan(data, sums, COUNT, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < COUNT; i++)
        if (sums[i] != (rank + 1) * (i + round))
            MPI_Abort(MPI_COMM_WORLD, 1);
}

static void child(int number)
{
    if (number % 2)
        exit(7);
    execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
    _exit(1);
}

int main(int argc, char **argv)
{
    int status;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    for (int i = 0; i < CHILDREN; i++) {
        scan(i);
        fflush(stdout);
        pid_t pid = fork();
        if (pid == 0)
            child(i + rank);
        if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 7) {
            fprintf(stderr, "fork: a child of rank %d ended with status %#x\n", rank, status);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    scan(CHILDREN);
    return end("fork");
}
