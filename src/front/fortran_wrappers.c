/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Fortran names of MPI functions. Open MPI's Fortran functions call no MPI_ function that Pleach could intercept; those
 * of MPICH do. Arguments come by reference. The module mpi_f08 of Open MPI has names of its own for functions with the same
 * arguments; from release 6 on, buffers are descriptors there. The last argument, ierror, may be missing.
 *
 * gfortran and most other compilers append one underscore to mpi_x. MPI libraries export other spellings, too, but this file
 * does not: a C program may have a function of such a name (Rmpi, a package of R, has mpi_bcast), and a preloaded library
 * would hide it.
 */
#include "caller.h"
#include "front.h"
#include "module.h"
#include "served.h"

#include <string.h>

/* MPI's own function; NULL: there is none. *next is where it is kept. */
static void *following(const char *name, void *_Atomic *next, void *caller)
{
    void *f = atomic_load_explicit(next, memory_order_relaxed);
    if (f)
        return f;
    *next = f = caller_next(name + strlen("p"), caller);
    if (f)
        module_of(f); /* it stays loaded */
    return f;
}

/* The function to call where no part serves calls from Fortran; else NULL. */
static void *passed(const char *name, void *_Atomic *next, void *caller)
{
    void *stand_in = caller_known(caller) ? NULL : caller_stand_in(name, caller);
    return stand_in ? stand_in : front(caller)->fortran ? NULL : following(name, next, caller);
}

/*
 * MPICH's function is called in the place of ours, by a jump, as it calls the C function, whose call site must not lie in
 * ours. So no variable has its address taken here.
 */
#define DEFINE_NAMED(id, name, described, large, collective, n, ...)                                                        \
    static __attribute__((noinline)) bool id##serve(P##n(void *), int *error, void *caller)                                 \
    {                                                                                                                       \
        const struct fortran_call c = {described, large, collective, __VA_ARGS__, error};                                   \
        return front(caller)->fortran(&c, caller);                                                                          \
    }                                                                                                                       \
    void id(P##n(void *), int *error) EXPORT(name);                                                                         \
    void id(P##n(void *), int *error)                                                                                       \
    {                                                                                                                       \
        static void *_Atomic next;                                                                                          \
        void *caller = __builtin_return_address(0), *f = passed("p" name, &next, caller);                                   \
        if (!f && id##serve(A##n, error, caller))                                                                           \
            return;                                                                                                         \
        if (!f)                                                                                                             \
            f = following("p" name, &next, caller);                                                                         \
        if (f)                                                                                                              \
            ((void (*)(P##n(void *), int *))f)(A##n, error);                                                                \
        else if (error)                                                                                                     \
            *error = FAILED;                                                                                                \
    }

/* The names as compilers write them, and as the module mpi_f08 does. */
#define DEFINE(name, fortran, ...)                                                                                          \
    DEFINE_NAMED(fortran##_, "mpi_" #fortran "_", false, false, __VA_ARGS__)                                                \
    DEFINE_NAMED(fortran##_f08_, "mpi_" #fortran "_f08_", false, false, __VA_ARGS__)                                        \
    DEFINE_NAMED(fortran##_f08ts_, "mpi_" #fortran "_f08ts_", true, false, __VA_ARGS__)                                     \
    DEFINE_NAMED(fortran##_c_f08ts_, "mpi_" #fortran "_c_f08ts_", true, true, __VA_ARGS__)

SERVED(DEFINE)

/* A function that may have fewer arguments. */
typedef void function(void *, void *, void *);

/* Initializes MPI, by the function of this name without its first letter. `error`: the last of the arguments. */
static void initialize(const char *name, void *const a[3], int *error, void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller), *f = (function *)caller_next(name + strlen("p"), caller);
    const struct part *p = front(caller); /* before MPI is initialized, as in wrappers.c */
    if (stand_in)
        stand_in(a[0], a[1], a[2]);
    else if (f) {
        f(a[0], a[1], a[2]);
        p->initialized();
    } else if (error)
        *error = FAILED;
}

#define DEFINE_INITIALIZER(id, name, n)                                                                                     \
    void id(P##n(void *)) EXPORT(name);                                                                                     \
    void id(P##n(void *))                                                                                                   \
    {                                                                                                                       \
        initialize("p" name, (void *const[3]){A##n}, a##n, __builtin_return_address(0));                                    \
    }
#define INITIALIZER(name, fortran, n, m)                                                                                    \
    DEFINE_INITIALIZER(fortran##_, "mpi_" #fortran "_", m)                                                                  \
    DEFINE_INITIALIZER(fortran##_f08_, "mpi_" #fortran "_f08_", m)

INITIALIZERS(INITIALIZER)
