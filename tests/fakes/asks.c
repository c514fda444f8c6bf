/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload behind libpleach.so. It counts the calls of the PMPI functions below, which query a datatype or a
 * communicator or set an attribute of a datatype, and passes them on to MPI. The program turns reads the count, `asks`, and
 * those of queries for names and for the layout of datatypes, `names` and `layouts`.
 */
#include <dlfcn.h>
#include <mpi.h>

__attribute__((visibility("default"))) long asks, names, layouts;

/* Counts the call, and sets `real` to MPI's own function of this name. */
#define ASK(name)                                                                                                           \
    static __typeof__(&name) real;                                                                                          \
    if (!real)                                                                                                              \
        *(void **)&real = dlsym(RTLD_NEXT, #name);                                                                          \
    asks++

/* Pleach asks by reductions of nothing whether MPI accepts an operation with a datatype. */
int PMPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    ASK(PMPI_Reduce);
    asks -= count > 0;
    return real(in, out, count, type, op, root, comm);
}

int PMPI_Pack_size(int count, MPI_Datatype type, MPI_Comm comm, int *size)
{
    ASK(PMPI_Pack_size);
    return real(count, type, comm, size);
}

#if MPI_VERSION >= 4
int PMPI_Type_get_envelope_c(MPI_Datatype type, MPI_Count *integers, MPI_Count *addresses, MPI_Count *counts,
                             MPI_Count *types, int *combiner)
{
    ASK(PMPI_Type_get_envelope_c);
    return real(type, integers, addresses, counts, types, combiner);
}
#endif

int PMPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int types, int integer[], MPI_Aint address[],
                           MPI_Datatype inner[])
{
    ASK(PMPI_Type_get_contents);
    asks--;
    layouts++;
    return real(type, integers, addresses, types, integer, address, inner);
}

int PMPI_Type_get_true_extent_x(MPI_Datatype type, MPI_Count *low, MPI_Count *width)
{
    ASK(PMPI_Type_get_true_extent_x);
    asks--;
    layouts++;
    return real(type, low, width);
}

int PMPI_Type_size_x(MPI_Datatype type, MPI_Count *size)
{
    ASK(PMPI_Type_size_x);
    return real(type, size);
}

int PMPI_Type_get_attr(MPI_Datatype type, int key, void *value, int *found)
{
    ASK(PMPI_Type_get_attr);
    return real(type, key, value, found);
}

int PMPI_Type_set_attr(MPI_Datatype type, int key, void *value)
{
    ASK(PMPI_Type_set_attr);
    return real(type, key, value);
}

int PMPI_Comm_compare(MPI_Comm a, MPI_Comm b, int *result)
{
    ASK(PMPI_Comm_compare);
    return real(a, b, result);
}

int PMPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *found)
{
    ASK(PMPI_Comm_get_attr);
    return real(comm, key, value, found);
}

int PMPI_Comm_get_name(MPI_Comm comm, char *name, int *length)
{
    ASK(PMPI_Comm_get_name);
    asks--;
    names++;
    return real(comm, name, length);
}

int PMPI_Type_get_name(MPI_Datatype type, char *name, int *length)
{
    ASK(PMPI_Type_get_name);
    asks--;
    names++;
    return real(type, name, length);
}

int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    ASK(PMPI_Comm_size);
    return real(comm, size);
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    ASK(PMPI_Comm_rank);
    return real(comm, rank);
}
