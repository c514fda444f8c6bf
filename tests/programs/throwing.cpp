/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * throwing [COUNT]: on the root, an exception leaves a user-defined operation and the reduction that called it. With two
 * ranks and one block no message is pending then, so the program goes on, with equal calls on other data. In the end, an
 * exception leaves the error handler in an invalid call, and many short calls follow. Prints "throwing ok".
 */
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

static bool throws;

static void add(void *in, void *inout, int *count, MPI_Datatype *)
{
    if (throws)
        throw std::runtime_error("from an operation");
    for (int i = 0; i < *count; i++)
        static_cast<long *>(inout)[i] += static_cast<long *>(in)[i];
}

static void throw_error(MPI_Comm *, int *, ...)
{
    throw std::runtime_error("from an error handler");
}

int main(int argc, char **argv)
{
    const int count = argc > 1 ? std::atoi(argv[1]) : 20011, rounds = 3, short_count = 400;
    int rank, size, caught = 0;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op_create(add, 0, &op);
    std::vector<long> ones(count, 1), sums(count);
    for (int round = 0; round < rounds; round++) {
        throws = rank == 0;
        try {
            MPI_Reduce(ones.data(), sums.data(), count, MPI_LONG, op, 0, MPI_COMM_WORLD);
        } catch (const std::runtime_error &) {
            caught++;
        }
        throws = false;
        for (long next = 2; next < 5; next++) {
            std::vector<long> other(count, next);
            MPI_Reduce(other.data(), sums.data(), count, MPI_LONG, op, 0, MPI_COMM_WORLD);
            if (rank == 0 && sums != std::vector<long>(count, next * size))
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
        std::vector<double> numbers(short_count, 1), total(short_count);
        MPI_Reduce(numbers.data(), total.data(), short_count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0 && total != std::vector<double>(short_count, size))
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Allreduce(ones.data(), sums.data(), count, MPI_LONG, op, MPI_COMM_WORLD);
        if (sums != std::vector<long>(count, size))
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    double numbers[20] = {};
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(throw_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    try { /* an invalid call, which sends nothing */
        if (rank == 0)
            MPI_Allreduce(numbers, numbers + 10, 10, MPI_DOUBLE, MPI_BXOR, MPI_COMM_WORLD);
    } catch (const std::runtime_error &) {
        caught++;
    }
    for (int i = 0; i < 300; i++) { /* by now a node's ranks may share memory, if their numbers of calls are equal */
        int ten[10], sum[10];
        std::fill(ten, ten + 10, i);
        MPI_Allreduce(ten, sum, 10, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (sum[0] != i * size || sum[9] != i * size)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (caught != (rank == 0 ? rounds + 1 : 0))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&handler);
    MPI_Op_free(&op);
    MPI_Finalize();
    if (rank == 0)
        std::puts("throwing ok");
}
