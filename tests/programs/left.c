/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * left: rank 1 sends a large message to rank 0, and leaves MPI for two seconds. Prints "left ok" if rank 0 gets the message
 * meanwhile.
 */
#include "expect.h"

#include <unistd.h>

enum { BYTES = 256 << 10, SECONDS = 2 };

int main(int argc, char **argv)
{
    static char data[BYTES];
    MPI_Request request;
    int done = 0;
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    if (rank == 1) {
        MPI_Isend(data, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
        sleep(SECONDS);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(data, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
        const double end = PMPI_Wtime() + SECONDS / 2.;
        while (!done && PMPI_Wtime() < end)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        puts(done ? "left ok" : "left: not received");
        if (!done)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
