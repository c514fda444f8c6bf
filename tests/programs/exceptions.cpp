/* SPDX-License-Identifier: BSD-2-Clause */
/* exceptions: C++ exceptions pass through functions that have made collective calls. */
#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

static void share(std::vector<long> &data, int root)
{
    MPI_Bcast(data.data(), static_cast<int>(data.size()), MPI_LONG, root, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < data.size(); i++)
        if (data[i] != static_cast<long>(i) + root)
            throw std::logic_error("wrong data");
    throw std::runtime_error(std::to_string(root));
}

int main(int argc, char **argv)
{
    int rank, size, caught = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int root = 0; root < size; root++) {
        std::vector<long> data(60007, -1);
        if (rank == root)
            for (std::size_t i = 0; i < data.size(); i++)
                data[i] = static_cast<long>(i) + root;
        try {
            share(data, root);
        } catch (const std::runtime_error &e) {
            caught += e.what() == std::to_string(root);
        }
    }
    if (caught != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    std::vector<double> halves(60007, 0.5);
    MPI_Allreduce(MPI_IN_PLACE, halves.data(), static_cast<int>(halves.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (halves != std::vector<double>(halves.size(), 0.5 * size))
        MPI_Abort(MPI_COMM_WORLD, 1);
    int sum = 0;
    MPI_Reduce(&caught, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        if (sum != size * size)
            MPI_Abort(MPI_COMM_WORLD, 1);
        std::puts("exceptions ok");
    }
    MPI_Finalize();
}
