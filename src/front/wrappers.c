/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI_ functions. */
#include "caller.h"
#include "front.h"
#include "hot.h"
#include "say.h"
#include "served.h"

#include <string.h>

static void tell_second(void)
{
    static atomic_flag told = ATOMIC_FLAG_INIT;
    if (caller_second_mpi() && !atomic_flag_test_and_set(&told) && is_speaker())
        say("this process has two MPI libraries; calls of the second one are passed through");
}

/* `name`: the PMPI_ name. */
HOT static int take(const struct call *c, const char *name, void *caller)
{
    void *stand_in = caller_known(caller) ? NULL : caller_stand_in(name, caller);
    if (!stand_in)
        return front(caller)->call(c, caller);
    tell_second();
    return native_call(stand_in, c);
}

#define DEFINE_FORM(name, large, collective, n, in, out, ...)                                                               \
    int name(P##n(argument)) EXPORT("MPI_" #name) HOT;                                                                      \
    int name(P##n(argument))                                                                                                \
    {                                                                                                                       \
        const struct call c = {collective, large, (const void *)(in), (void *)(out), __VA_ARGS__};                          \
        return take(&c, "PMPI_" #name, __builtin_return_address(0));                                                        \
    }

#define DEFINE(name, fortran, ...)                                                                                          \
    DEFINE_FORM(name, false, __VA_ARGS__)                                                                                   \
    DEFINE_FORM(name##_c, true, __VA_ARGS__)

SERVED(DEFINE)

typedef int function(argument, argument, argument, argument);

/*
 * MPI's function `name`, which initializes MPI or opens sessions (-1: closes one); of MPI_Init the next one, perhaps another
 * tool's.
 */
static int begin(const char *name, int sessions, const argument a[4], void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller);
    function *f = stand_in ? stand_in : (function *)caller_next(sessions ? name : name + strlen("P"), caller);
    if (!f)
        return FAILED;
    const struct part *p = stand_in ? &front_passes : front(caller); /* before MPI_Init makes MPI's library global */
    if (sessions)
        p->sessions(sessions);
    const int error = f(a[0], a[1], a[2], a[3]);
    if (sessions && error)
        p->sessions(-sessions);
    else if (sessions >= 0 && !error)
        p->initialized();
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

pleach_other_fn pleach_other EXPORT(OTHER_SYMBOL);

void pleach_other(enum other which, bool large, const argument *arguments, double seconds, void *caller)
{
    front(caller)->other(which, large, arguments, seconds);
}
