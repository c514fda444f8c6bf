/* SPDX-License-Identifier: BSD-2-Clause */
/* See fortran.h. */
#include "fortran.h"

#include "module.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct fortran fortran;

/*
 * Addresses of constants: [0] global or in the MPI library; [1] as the first caller's object sees it: plugins may have own
 * ones.
 */
static const void *bottom[2], *in_place[2];

/* dlsym() keeps an object loaded: a plugin with own addresses stays. */
static void find_object(const char *name, void *caller, const void *seen[2])
{
    void *object = module_of(caller);
    seen[0] = pmpi_symbol(name);
    seen[1] = object ? dlsym(object, name) : NULL;
    if (object)
        dlclose(object);
}

/* Compilers can have larger ones. */
static bool has_our_integers(void)
{
    MPI_Count size = 0;
    return pmpi.Type_size_x(MPI_INTEGER, &size) != MPI_SUCCESS || size == (MPI_Count)sizeof(int) || size <= 0;
}

bool fortran_find(void *caller)
{
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

/* gfortran's for arrays, from GCC 8 on. */
struct fortran_array {
    char *base;
    size_t offset, size; /* size: of an element */
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span; /* bytes of a `step` */
    struct {
        ptrdiff_t step, lower, upper;
    } dim[15];
};

/* Others have a version where gfortran has the upper half of a size or offset. */
bool fortran_knows(const void *descriptor)
{
    const struct fortran_array *a = descriptor;
    return !a || (a->version == 0 && a->size <= INT32_MAX && a->rank >= 0 && a->rank <= 15);
}

static ptrdiff_t extent_of(const struct fortran_array *a, int i)
{
    return a->dim[i].upper - a->dim[i].lower + 1;
}

static ptrdiff_t step_of(const struct fortran_array *a, int i)
{
    return a->dim[i].step * (a->span > 0 ? a->span : (ptrdiff_t)a->size);
}

/* 0: of assumed size, no section. */
static ptrdiff_t elements_of(const struct fortran_array *a)
{
    ptrdiff_t elements = 1;
    for (int i = 0; i < a->rank; i++)
        elements = extent_of(a, i) <= 0 ? 0 : elements * extent_of(a, i);
    return elements;
}

static bool is_section(const struct fortran_array *a)
{
    const int dimensions = elements_of(a) > 1 ? a->rank : 0;
    ptrdiff_t step = (ptrdiff_t)a->size;
    for (int i = 0; i < dimensions; i++) {
        if (extent_of(a, i) != 1 && step_of(a, i) != step)
            return true;
        step *= extent_of(a, i);
    }
    return false;
}

/* In order, to `flat` or `back`. */
static void copy_section(const struct fortran_array *a, char *flat, bool back)
{
    ptrdiff_t index[15] = {0}, left = elements_of(a);
    for (char *at = a->base; left > 0; left--, flat += a->size) {
        memcpy(back ? at : flat, back ? flat : at, a->size);
        for (int i = 0; i < a->rank; i++) {
            at += step_of(a, i);
            if (++index[i] < extent_of(a, i))
                break;
            at -= extent_of(a, i) * step_of(a, i);
            index[i] = 0;
        }
    }
}

static void *converted(void *address)
{
    for (int i = 0; address && i < 2; i++) {
        if (address == bottom[i])
            return MPI_BOTTOM;
        if (address == in_place[i])
            return MPI_IN_PLACE;
    }
    return address;
}

int fortran_take(struct fortran_buffer *b, void *given, bool described)
{
    const struct fortran_array *a = described ? given : NULL;
    *b = (struct fortran_buffer){.data = converted(a ? a->base : given)};
    if (!a || b->data != a->base || !is_section(a))
        return MPI_SUCCESS;
    b->data = malloc((size_t)elements_of(a) * a->size);
    if (!b->data)
        return MPI_ERR_NO_MEM;
    b->described = a;
    copy_section(a, b->data, false);
    return MPI_SUCCESS;
}

void fortran_give_back(struct fortran_buffer *b, bool result)
{
    if (!b->described)
        return;
    if (result)
        copy_section(b->described, b->data, true);
    free(b->data);
}
