/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI_ functions that programs call. */
#include "interpose.h"

#include "caller.h"
#include "hot.h"
#include "library.h"
#include "served.h"

#include <string.h>

#define DEFINE_FORM(name, large, collective, n, in, out, ...)                                                               \
    int name(P##n(argument)) EXPORT("MPI_" #name) HOT;                                                                      \
    int name(P##n(argument))                                                                                                \
    {                                                                                                                       \
        const struct call c = {collective, large, (const void *)(in), (void *)(out), __VA_ARGS__};                          \
        return intercept(&c, __builtin_return_address(0));                                                                  \
    }

#define DEFINE(name, fortran, ...)                                                                                          \
    DEFINE_FORM(name, false, __VA_ARGS__)                                                                                   \
    DEFINE_FORM(name##_c, true, __VA_ARGS__)

SERVED(DEFINE)

/* A function of MPI, which may have fewer arguments. */
typedef int function(argument, argument, argument, argument);

/*
 * Passes the arguments to MPI's function `name`. It initializes MPI, or opens so many sessions (-1: it closes one). Another
 * tool behind us may have MPI_Init, too, so of that one we call the next.
 */
static int begin(const char *name, int sessions, const argument a[4], void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller);
    function *f = stand_in ? stand_in : (function *)caller_next(sessions ? name : name + strlen("P"), caller);
    if (!f)
        return MPI_ERR_INTERN;
    if (sessions && !stand_in)
        library_sessions(sessions);
    const int error = f(a[0], a[1], a[2], a[3]);
    if (sessions && !stand_in && error != MPI_SUCCESS)
        library_sessions(-sessions);
    else if (sessions >= 0 && !stand_in && error == MPI_SUCCESS)
        library_initialized(caller);
    return error;
}

#define BEGIN(name, n, sessions)                                                                                            \
    int name(P##n(argument)) EXPORT("MPI_" #name);                                                                          \
    int name(P##n(argument))                                                                                                \
    {                                                                                                                       \
        return begin("PMPI_" #name, sessions, (const argument[4]){A##n}, __builtin_return_address(0));                      \
    }
#define INITIALIZER(name, fortran, n, m) BEGIN(name, n, 0)

INITIALIZERS(INITIALIZER)
SESSIONS(BEGIN)
