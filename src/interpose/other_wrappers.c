/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libpleach-others.so: times the collectives that Pleach does not serve; see others.h. Only `pleach advise` preloads it,
 * beside libpleach.so. It passes all arguments unchanged. It is the same for all MPI libraries, as it knows only the names
 * of the functions, the numbers of their arguments, MPI_SUCCESS, and one number that is an error in each MPI.
 */
#include "others.h"

#include "caller.h"
#include "seconds.h"
#include "served.h"

#include <dlfcn.h>
#include <stdatomic.h>

enum { FAILED = 16 }; /* the result without libpleach.so; in some MPIs MPI_ERR_INTERN, in others MPI_ERR_OTHER */

/* Does what pleach_other_fn says. */
static int tell_other(enum other which, bool large, const argument *arguments, double seconds, void *caller)
{
    static _Atomic(void *) known;
    void *f = atomic_load(&known);
    if (!f)
        atomic_store(&known, f = dlsym(RTLD_DEFAULT, OTHER_SYMBOL));
    return f ? ((pleach_other_fn *)f)(which, large, arguments, seconds, caller) : FAILED;
}

#define DEFINE_FORM(which, name, large, n)                                                                                  \
    int name(P##n(argument)) EXPORT("MPI_" #name);                                                                          \
    int name(P##n(argument))                                                                                                \
    {                                                                                                                       \
        static _Atomic(void *) known;                                                                                       \
        void *caller = __builtin_return_address(0), *stand_in = caller_stand_in("PMPI_" #name, caller);                     \
        void *f = stand_in ? stand_in : atomic_load(&known);                                                                \
        if (!f)                                                                                                             \
            atomic_store(&known, f = caller_next("PMPI_" #name, caller));                                                   \
        if (!f)                                                                                                             \
            return tell_other(which, large, NULL, 0, caller);                                                               \
        const double start = seconds_now();                                                                                 \
        const int error = ((int (*)(P##n(argument)))f)(A##n);                                                               \
        if (!stand_in && error == MPI_SUCCESS)                                                                              \
            tell_other(which, large, (const argument[]){A##n}, seconds_now() - start, caller);                              \
        return error;                                                                                                       \
    }

#define DEFINE(name, n, ...)                                                                                                \
    DEFINE_FORM(OTHER_##name, name, false, n)                                                                               \
    DEFINE_FORM(OTHER_##name, name##_c, true, n)

OTHERS(DEFINE)
