/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inter: makes an intercommunicator between the even ranks and the odd ones. On it the program makes an all-reduce of 1001
 * doubles, and a broadcast of 1003 bytes from the lowest even rank. The other even ranks pass a wrong count to the
 * broadcast, as MPI does not read it. Prints "inter ok".
 */
#include <mpi.h>
#include <stdio.h>

enum { NUMBERS = 1001, BYTES = 1003 };

int main(int argc, char **argv)
{
    static double in[NUMBERS], out[NUMBERS];
    static char text[BYTES];
    MPI_Comm half, inter;
    int rank, others;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int odd = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, odd ? 0 : 1, 1, &inter);
    MPI_Comm_remote_size(inter, &others);
    in[NUMBERS - 1] = 1;
    MPI_Allreduce(in, out, NUMBERS, MPI_DOUBLE, MPI_SUM, inter);
    text[BYTES - 1] = rank == 0;
    if (odd)
        MPI_Bcast(text, BYTES, MPI_CHAR, 0, inter);
    else
        MPI_Bcast(text, rank == 0 ? BYTES : 7, MPI_CHAR, rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    if (out[NUMBERS - 1] != others || (odd && text[BYTES - 1] != 1)) {
        fprintf(stderr, "rank %d: wrong\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    if (rank == 0)
        printf("inter ok\n");
    MPI_Finalize();
    return 0;
}
