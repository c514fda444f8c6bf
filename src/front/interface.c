/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that are alike in all interfaces. */
#include "interface.h"

#include <stddef.h>
#include <string.h>

/* The first in the version text; the standard ABI needs no name. */
static const struct {
    const char *name;
    const char *interface;
} known[] = {{"MPIwrapper", NULL}, /* has handles of its own, and the wrapped library's text */
             {"MPICH", "mpich"},
             {"MVAPICH", "mpich"},
             {"Intel(R) MPI", "mpich"},
             {"Open MPI", "openmpi"}};

/* Functions in the standard ABI alone. Only for MPI 5, as a search in vain takes memory of the heap. */
static int is_standard(void *(*find)(const char *name))
{
    typedef int version_of(int *, int *);
    int major = -1, minor = -1;
    version_of *mpi = (version_of *)find("PMPI_Get_version"), *abi = NULL;
    if (mpi && mpi(&major, &minor) == 0 && major >= 5)
        abi = (version_of *)find("PMPI_Abi_get_version");
    return abi && abi(&major, &minor) == 0 && major >= 1 && !find("PMPI_Comm_f2c");
}

const char *interface_of(void *(*find)(const char *name), char version[INTERFACE_TEXT])
{
    int length = 0;
    int (*ask)(char *, int *) = (int (*)(char *, int *))find("PMPI_Get_library_version");
    version[0] = 0;
    if (ask)
        ask(version, &length);
    if (is_standard(find))
        return "abi";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(version, known[i].name))
            return known[i].interface;
    return NULL;
}
