/* SPDX-License-Identifier: BSD-2-Clause */
/* libpleach-others.so, for `pleach advise`; see others.h. Passes arguments unchanged; alike for all MPI libraries. */
#include "others.h"

#include "caller.h"
#include "seconds.h"
#include "served.h"

#include <dlfcn.h>
#include <stdatomic.h>

static void tell_other(enum other which, bool large, const argument *arguments, double seconds, void *caller)
{
    static _Atomic(void *) known;
    void *f = atomic_load(&known);
    if (!f)
        atomic_store(&known, f = dlsym(RTLD_DEFAULT, OTHER_SYMBOL));
    if (f)
        ((pleach_other_fn *)f)(which, large, arguments, seconds, caller);
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
            return FAILED;                                                                                                  \
        const double start = seconds_now();                                                                                 \
        const int error = ((int (*)(P##n(argument)))f)(A##n);                                                               \
        if (!stand_in && error == 0)                                                                                        \
            tell_other(which, large, (const argument[]){A##n}, seconds_now() - start, caller);                              \
        return error;                                                                                                       \
    }

#define DEFINE(name, n, ...)                                                                                                \
    DEFINE_FORM(OTHER_##name, name, false, n)                                                                               \
    DEFINE_FORM(OTHER_##name, name##_c, true, n)

OTHERS(DEFINE)
