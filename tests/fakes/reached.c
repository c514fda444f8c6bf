/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload. When a native scan of 1024 bytes begins, the library makes the file that REACHED names. By then, a
 * program that measures scans from 16 bytes upwards has finished the first size. Pleach makes no scan of 1024 bytes when it
 * measures the figures of the machine.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int PMPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    static __typeof__(&PMPI_Scan) real;
    const char *name = getenv("REACHED");
    int size = 0;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Scan");
    PMPI_Type_size(type, &size);
    if (name && (long long)count * size == 1024)
        close(open(name, O_CREAT | O_WRONLY, 0600));
    return real(in, out, count, type, op, comm);
}
