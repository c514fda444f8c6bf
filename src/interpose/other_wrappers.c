/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libpleach-others.so: times the collectives that Pleach does not serve; see others.h. Only `pleach advise` preloads it,
 * beside libpleach.so. It passes all arguments unchanged. It is the same for all MPI libraries, as it knows only the names
 * of the functions, the numbers of their arguments, MPI_SUCCESS, and one number that is an error in each MPI.
 */
#include "others.h"

#include "caller.h"
#include "seconds.h"

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

/* Lists of parameters and arguments. A parameter is as wide as the widest type of an argument; see call.h. */
#define P1 argument a1
#define P2 P1, argument a2
#define P3 P2, argument a3
#define P4 P3, argument a4
#define P5 P4, argument a5
#define P6 P5, argument a6
#define P7 P6, argument a7
#define P8 P7, argument a8
#define P9 P8, argument a9
#define P10 P9, argument a10
#define A1 a1
#define A2 A1, a2
#define A3 A2, a3
#define A4 A3, a4
#define A5 A4, a5
#define A6 A5, a6
#define A7 A6, a7
#define A8 A7, a8
#define A9 A8, a9
#define A10 A9, a10

#define DEFINE_FORM(which, name, large, n)                                                                                  \
    int name(P##n) __asm__("MPI_" #name) __attribute__((visibility("default")));                                            \
    int name(P##n)                                                                                                          \
    {                                                                                                                       \
        static _Atomic(void *) known;                                                                                       \
        void *caller = __builtin_return_address(0), *stand_in = caller_stand_in("PMPI_" #name, caller);                     \
        void *f = stand_in ? stand_in : atomic_load(&known);                                                                \
        if (!f)                                                                                                             \
            atomic_store(&known, f = caller_next("PMPI_" #name, caller));                                                   \
        if (!f)                                                                                                             \
            return tell_other(which, large, NULL, 0, caller);                                                               \
        const double start = seconds_now();                                                                                 \
        const int error = ((int (*)(P##n))f)(A##n);                                                                         \
        if (!stand_in && error == MPI_SUCCESS)                                                                              \
            tell_other(which, large, (const argument[]){A##n}, seconds_now() - start, caller);                              \
        return error;                                                                                                       \
    }

#define DEFINE(name, n, ...)                                                                                                \
    DEFINE_FORM(OTHER_##name, name, false, n)                                                                               \
    DEFINE_FORM(OTHER_##name, name##_c, true, n)

OTHERS(DEFINE)
