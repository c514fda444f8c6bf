/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tooled: makes a broadcast, sets MPICH's variable for the algorithm of broadcasts to `binomial' (1) through MPI_T, and
 * makes another broadcast. The variable must keep this value.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    static int data[20011];
    int level, index, count, value = 1, rank;
    MPI_T_cvar_handle variable;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &level);
    MPI_Bcast(data, 20011, MPI_INT, 0, MPI_COMM_WORLD);
    if (MPI_T_cvar_get_index("MPIR_CVAR_BCAST_INTRA_ALGORITHM", &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &variable, &count) != MPI_SUCCESS ||
        MPI_T_cvar_write(variable, &value) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(data, 20011, MPI_INT, 0, MPI_COMM_WORLD);
    value = 0;
    MPI_T_cvar_read(variable, &value);
    if (rank == 0)
        puts(value == 1 ? "tooled ok" : "tooled: the variable has lost its value");
    MPI_T_cvar_handle_free(&variable);
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
