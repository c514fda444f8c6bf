/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Fortran names of MPI functions. Open MPI's Fortran functions call no MPI_ function that Pleach could intercept; those
 * of MPICH do. Arguments come by reference. The module mpi_f08 of Open MPI has names of its own for functions with the same
 * arguments. There the last argument, ierror, may be missing.
 *
 * gfortran and most other compilers append one underscore to mpi_x. MPI libraries export other spellings, too, but this file
 * does not: a C program may have a function of such a name (Rmpi, a package of R, has mpi_bcast), and a preloaded library
 * would hide it.
 */
#include "caller.h"
#include "front.h"
#include "module.h"
#include "served.h"

/* Returns NULL if Pleach has served the call, else the function to call; *next is where it is kept. */
static void *pass(const char *name, const struct fortran_call *c, void *_Atomic *next, void *caller)
{
    void *f = caller_known(caller) ? NULL : caller_stand_in(name, caller);
    if (f || front(caller)->fortran(c, caller))
        return f;
    if ((f = atomic_load_explicit(next, memory_order_relaxed)))
        return f;
    *next = f = caller_next(name + 1, caller);
    if (f)
        module_of(f); /* it stays loaded */
    else if (c->error)
        *c->error = FAILED;
    return f;
}

#define DEFINE_NAMED(id, name, collective, n, ...)                                                                          \
    void id(P##n(void *), int *error) EXPORT(name);                                                                         \
    void id(P##n(void *), int *error)                                                                                       \
    {                                                                                                                       \
        static void *_Atomic next;                                                                                          \
        const struct fortran_call c = {collective, __VA_ARGS__, error};                                                     \
        void *f = pass("p" name, &c, &next, __builtin_return_address(0));                                                   \
        if (f)                                                                                                              \
            ((void (*)(P##n(void *), int *))f)(A##n, error);                                                                \
    }

/* The names as compilers write them, and as the module mpi_f08 does. */
#define DEFINE(name, fortran, ...)                                                                                          \
    DEFINE_NAMED(fortran##_, "mpi_" #fortran "_", __VA_ARGS__)                                                              \
    DEFINE_NAMED(fortran##_f08_, "mpi_" #fortran "_f08_", __VA_ARGS__)

SERVED(DEFINE)

/* A function that may have fewer arguments. */
typedef void function(void *, void *, void *);

/* Initializes MPI, by the function of this name without its first letter. `error`: the last of the arguments. */
static void initialize(const char *name, void *const a[3], int *error, void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller), *f = (function *)caller_next(name + 1, caller);
    if (stand_in)
        stand_in(a[0], a[1], a[2]);
    else if (f) {
        f(a[0], a[1], a[2]);
        front(caller)->initialized();
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
