/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * traps: reductions of doubles that no float can hold, in a program that traps overflows and invalid operations. Pleach's
 * own arithmetic must not trap, nor set a flag that the program would find. Prints "traps ok".
 */
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 20011 };

int main(int argc, char **argv)
{
    static double in[COUNT], out[COUNT];
    int rank, ranks, errors = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < COUNT; i++)
        in[i] = i % 2 ? 1e300 : 1e-300;
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_INVALID | FE_OVERFLOW);
    MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(in, out, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    errors = fetestexcept(FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW) != 0;
    for (int i = 0; i < COUNT; i++)
        errors += !(out[i] > 0.99 * ranks * in[i] && out[i] < 1.01 * ranks * in[i]);
    fedisableexcept(FE_ALL_EXCEPT);
    MPI_Allreduce(MPI_IN_PLACE, &errors, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        puts(errors ? "traps failed" : "traps ok");
    MPI_Finalize();
    return errors != 0;
}
