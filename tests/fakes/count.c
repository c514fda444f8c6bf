/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload. It counts the calls of PMPI_Sendrecv in which a rank sends or receives 64 elements. At its end, the
 * rank prints "exchanges: N" on standard error. Messages that Pleach sends to measure the machine have other sizes.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static _Atomic long exchanges;

__attribute__((destructor)) static void tell(void)
{
    fprintf(stderr, "exchanges: %ld\n", exchanges);
}

int PMPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int room, MPI_Datatype in_type,
                  int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    static __typeof__(&PMPI_Sendrecv) real;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Sendrecv");
    exchanges += count == 64 || room == 64;
    return real(out, count, type, to, tag, in, room, in_type, from, in_tag, comm, status);
}
