/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * taken: a program that is not linked with MPI. It opens the library and finds functions by dlsym(). With `alone', dlsym()
 * searches the library alone, and finds no preloaded function. With `all' it searches all loaded libraries, as MPI.jl of
 * Julia does.
 *     taken LIBRARY alone|all
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    enum { COUNT = 100003 };
    static int data[COUNT];
    const int alone = argc > 2 && strcmp(argv[2], "alone") == 0;
    void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW | (alone ? RTLD_LOCAL : RTLD_GLOBAL)) : NULL;
    void *from = alone ? library : RTLD_DEFAULT;
    if (!library) {
        fprintf(stderr, "taken: %s\n", dlerror());
        return 1;
    }
    int (*init)(int *, char ***) = (int (*)(int *, char ***))dlsym(from, "MPI_Init");
    int (*finalize)(void) = (int (*)(void))dlsym(from, "MPI_Finalize");
    void *bcast = dlsym(from, "MPI_Bcast"), *rank_of = dlsym(from, "MPI_Comm_rank");
    void *world = dlsym(library, "ompi_mpi_comm_world"), *type = dlsym(library, "ompi_mpi_int");
    int rank = -1;
    init(&argc, &argv);
    if (world) { /* Open MPI: handles are addresses */
        ((int (*)(void *, int *))rank_of)(world, &rank);
        data[COUNT - 1] = rank == 0 ? 5 : 0;
        ((int (*)(void *, int, void *, int, void *))bcast)(data, COUNT, type, 0, world);
    } else { /* MPICH: MPI_COMM_WORLD and MPI_INT */
        ((int (*)(int, int *))rank_of)(0x44000000, &rank);
        data[COUNT - 1] = rank == 0 ? 5 : 0;
        ((int (*)(void *, int, int, int, int))bcast)(data, COUNT, 0x4c000405, 0, 0x44000000);
    }
    if (rank == 0)
        puts("taken ok");
    finalize();
    return data[COUNT - 1] != 5;
}
