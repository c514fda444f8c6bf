/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts arguments of calls from Fortran; see fortran.h. */
#include "fortran.h"

#include "module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

struct fortran fortran;

/*
 * The addresses that stand for constants. [0] is the address in the global scope, or else in the MPI library. [1] is the
 * address that the first caller's object sees: a plugin may have addresses of its own.
 */
static const void *bottom[2], *in_place[2];

/*
 * Finds both addresses. The loader keeps an object in which dlsym() has found a symbol. So a plugin in Fortran that has such
 * addresses of its own stays loaded.
 */
static void find_object(const char *name, void *caller, const void *seen[2])
{
    void *object = module_of(caller);
    seen[0] = pmpi_symbol(name);
    seen[1] = object ? dlsym(object, name) : NULL;
    if (object)
        dlclose(object);
}

/* Has an INTEGER of Fortran the size that we were built for? Compilers have options for larger ones. */
static bool has_our_integers(void)
{
    MPI_Count size = 0;
    return pmpi.Type_size_x(MPI_INTEGER, &size) != MPI_SUCCESS || size == (MPI_Count)sizeof(int) || size <= 0;
}

bool fortran_find(void *caller)
{
    if (!ABI_SERVES_FORTRAN)
        return false;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static atomic_bool found;
    if (!atomic_load_explicit(&found, memory_order_acquire)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&found)) {
            fortran.comm = (__typeof__(fortran.comm))pmpi_symbol("PMPI_Comm_f2c");
            fortran.type = (__typeof__(fortran.type))pmpi_symbol("PMPI_Type_f2c");
            fortran.op = (__typeof__(fortran.op))pmpi_symbol("PMPI_Op_f2c");
            if (!has_our_integers())
                fortran.comm = NULL;
            find_object("mpi_fortran_bottom_", caller, bottom);
            find_object("mpi_fortran_in_place_", caller, in_place);
            atomic_store_explicit(&found, true, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return fortran.comm && fortran.type && fortran.op;
}

void *fortran_buffer(void *address)
{
    for (int i = 0; address && i < 2; i++) {
        if (address == bottom[i])
            return MPI_BOTTOM;
        if (address == in_place[i])
            return MPI_IN_PLACE;
    }
    return address;
}
