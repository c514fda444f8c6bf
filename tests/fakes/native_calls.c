/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload behind Pleach. It tells operations of the program whether a native call of a collective runs them.
 */
#include "large.h"

#include <dlfcn.h>

static _Thread_local int depth;

int in_native_call(void);

int in_native_call(void)
{
    return depth > 0;
}

#define DEFINE(name, parameters, arguments)                                                                                 \
    int name parameters                                                                                                     \
    {                                                                                                                       \
        static __typeof__(&name) real;                                                                                      \
        if (!real)                                                                                                          \
            *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                      \
        depth++;                                                                                                            \
        const int error = real arguments;                                                                                   \
        depth--;                                                                                                            \
        return error;                                                                                                       \
    }
#define DEFINE_FORM(suffix, number)                                                                                         \
    DEFINE(PMPI_Reduce##suffix, (const void *a, void *b, number n, MPI_Datatype t, MPI_Op o, int r, MPI_Comm c),            \
           (a, b, n, t, o, r, c))                                                                                           \
    DEFINE(PMPI_Scan##suffix, (const void *a, void *b, number n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (a, b, n, t, o, c)) \
    DEFINE(PMPI_Exscan##suffix, (const void *a, void *b, number n, MPI_Datatype t, MPI_Op o, MPI_Comm c),                   \
           (a, b, n, t, o, c))                                                                                              \
    DEFINE(PMPI_Allreduce##suffix, (const void *a, void *b, number n, MPI_Datatype t, MPI_Op o, MPI_Comm c),                \
           (a, b, n, t, o, c))

DEFINE_FORM(, int)
#if MPI_VERSION >= 4
DEFINE_FORM(_c, MPI_Count)
#endif
