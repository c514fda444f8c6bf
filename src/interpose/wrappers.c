/* SPDX-License-Identifier: BSD-2-Clause */
/* The MPI_ functions that programs call. */
#include "interpose.h"

#include "caller.h"
#include "hot.h"
#include "library.h"

#include <stddef.h>

/* mpi.h declares these functions with narrower arguments. So we define them under our names and export them under MPI's. */
#define EXPORT(name) __asm__(#name) __attribute__((visibility("default")))

#define DEFINE_UNROOTED(name, exported, collective, is_large)                                                               \
    int name(const void *in, void *out, argument count, argument type, argument op, argument comm) EXPORT(exported) HOT;    \
    int name(const void *in, void *out, argument count, argument type, argument op, argument comm)                          \
    {                                                                                                                       \
        const struct call c = {collective, is_large, in, out, count, type, op, 0, comm};                                    \
        return intercept(&c, __builtin_return_address(0));                                                                  \
    }

#define DEFINE(suffix, is_large)                                                                                            \
    int bcast##suffix(void *buffer, argument count, argument type, argument root, argument comm)                            \
        EXPORT(MPI_Bcast##suffix) HOT;                                                                                      \
    int bcast##suffix(void *buffer, argument count, argument type, argument root, argument comm)                            \
    {                                                                                                                       \
        const struct call c = {COLL_BCAST, is_large, NULL, buffer, count, type, 0, root, comm};                             \
        return intercept(&c, __builtin_return_address(0));                                                                  \
    }                                                                                                                       \
    int reduce##suffix(const void *in, void *out, argument count, argument type, argument op, argument root, argument comm) \
        EXPORT(MPI_Reduce##suffix) HOT;                                                                                     \
    int reduce##suffix(const void *in, void *out, argument count, argument type, argument op, argument root, argument comm) \
    {                                                                                                                       \
        const struct call c = {COLL_REDUCE, is_large, in, out, count, type, op, root, comm};                                \
        return intercept(&c, __builtin_return_address(0));                                                                  \
    }                                                                                                                       \
    DEFINE_UNROOTED(scan##suffix, MPI_Scan##suffix, COLL_SCAN, is_large)                                                    \
    DEFINE_UNROOTED(exscan##suffix, MPI_Exscan##suffix, COLL_EXSCAN, is_large)                                              \
    DEFINE_UNROOTED(allreduce##suffix, MPI_Allreduce##suffix, COLL_ALLREDUCE, is_large)

DEFINE(, false)
DEFINE(_c, true)

/* A function of MPI, which may have fewer arguments. */
typedef int function(argument, argument, argument, argument);

/*
 * Initializes MPI, by the function of this name without its first letter: another tool behind us may have that one, too. If
 * MPI has begun, so has the library.
 */
static int initialize(const char *name, argument a, argument b, argument c, argument d, void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller), *f = (function *)caller_next(name + 1, caller);
    if (stand_in)
        return stand_in(a, b, c, d);
    const int error = f ? f(a, b, c, d) : MPI_ERR_INTERN;
    if (f && error == MPI_SUCCESS)
        library_initialized(caller);
    return error;
}

int init(argument argc, argument argv) EXPORT(MPI_Init);
int init(argument argc, argument argv)
{
    return initialize("PMPI_Init", argc, argv, 0, 0, __builtin_return_address(0));
}

int init_thread(argument argc, argument argv, argument required, argument provided) EXPORT(MPI_Init_thread);
int init_thread(argument argc, argument argv, argument required, argument provided)
{
    return initialize("PMPI_Init_thread", argc, argv, required, provided, __builtin_return_address(0));
}

/* Opens or closes a session: passes the arguments to MPI's function of this name. */
static int change_sessions(int more, const char *name, argument a, argument b, argument c, void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller), *f = (function *)caller_next(name, caller);
    if (stand_in)
        return stand_in(a, b, c, 0);
    if (!f)
        return MPI_ERR_INTERN;
    library_sessions(more);
    const int error = f(a, b, c, 0);
    if (error != MPI_SUCCESS)
        library_sessions(-more);
    else if (more > 0)
        library_initialized(caller);
    return error;
}

int session_init(argument info, argument handler, argument session) EXPORT(MPI_Session_init);
int session_init(argument info, argument handler, argument session)
{
    return change_sessions(1, "PMPI_Session_init", info, handler, session, __builtin_return_address(0));
}

int session_finalize(argument session) EXPORT(MPI_Session_finalize);
int session_finalize(argument session)
{
    return change_sessions(-1, "PMPI_Session_finalize", session, 0, 0, __builtin_return_address(0));
}
