/* SPDX-License-Identifier: BSD-2-Clause */
/* Recognizes the binary interface of an MPI library; see interface.h. The functions called here are alike in all of them. */
#include "interface.h"

#include <stddef.h>
#include <string.h>

/* The first name found in the version text counts. The standard ABI is recognized without a name. */
static const struct {
    const char *name; /* of the MPI library */
    const char *interface;
} known[] = {{"MPIwrapper", NULL}, /* has handles of its own, and adds the text of the library that it wraps */
             {"MPICH", "mpich"},
             {"MVAPICH", "mpich"},
             {"Intel(R) MPI", "mpich"},
             {"Open MPI", "openmpi"}};

/*
 * A library of MPI 5 may have the function in an interface of its own, too; only there are conversions of Fortran's handles
 * functions. A search for a name that is missing takes memory of the heap, so only MPI 5 is searched.
 */
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
