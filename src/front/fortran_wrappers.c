/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fortran's names of MPI functions: Open MPI's call no MPI_ function, MPICH's do. Arguments come by reference, ierror may be
 * missing. Open MPI's mpi_f08 has names of its own; from release 6 on, buffers are descriptors there.
 *
 * Only the spelling mpi_x_, of most compilers: C programs may have functions of other spellings, as Rmpi has mpi_bcast,
 * which we would hide.
 */
#include "caller.h"
#include "front.h"
#include "module.h"
#include "served.h"

#include <string.h>

static void *following(const char *name, void *_Atomic *next, void *caller)
{
    void *f = atomic_load_explicit(next, memory_order_relaxed);
    if (f)
        return f;
    *next = f = caller_next(name + strlen("p"), caller);
    if (f)
        module_of(f);
    return f;
}

/* Where no part serves Fortran; else NULL. */
static void *passed(const char *name, void *_Atomic *next, void *caller)
{
    void *stand_in = caller_known(caller) ? NULL : caller_stand_in(name, caller);
    return stand_in ? stand_in : front(caller)->fortran ? NULL : following(name, next, caller);
}

/* A jump to MPICH's function, whose call site must not lie in ours: no variable's address is taken. */
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

#define DEFINE(name, fortran, ...)                                                                                          \
    DEFINE_NAMED(fortran##_, "mpi_" #fortran "_", false, false, __VA_ARGS__)                                                \
    DEFINE_NAMED(fortran##_f08_, "mpi_" #fortran "_f08_", false, false, __VA_ARGS__)                                        \
    DEFINE_NAMED(fortran##_f08ts_, "mpi_" #fortran "_f08ts_", true, false, __VA_ARGS__)                                     \
    DEFINE_NAMED(fortran##_c_f08ts_, "mpi_" #fortran "_c_f08ts_", true, true, __VA_ARGS__)

SERVED(DEFINE)

typedef void function(void *, void *, void *);

/* MPI's function of this name without its first letter. `error`: the last argument. */
static void initialize(const char *name, void *const a[3], int *error, void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller), *f = (function *)caller_next(name + strlen("p"), caller);
    const struct part *p = front(caller); /* before MPI is initialized; see wrappers.c */
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
