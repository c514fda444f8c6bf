/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Fortran names of MPI functions, for the library that needs them (include/pleach/mpi/fortran.h). Arguments come by
 * reference. The module mpi_f08 has names of its own for functions with the same arguments. There the last argument, ierror,
 * may be missing.
 *
 * gfortran and most other compilers append one underscore to mpi_x. MPI libraries export other spellings, too, but this file
 * does not: a C program may have a function of such a name (Rmpi, a package of R, has mpi_bcast), and a preloaded library
 * would hide it.
 */
#include "interpose.h"

#include "caller.h"
#include "fortran.h"
#include "library.h"

/* Can Pleach serve calls? If the MPI library's interface is not ours, calls go on to the MPI library's own function. */
static bool serves(void *caller)
{
    enum library_state state = library_reached();
    if (state == LIBRARY_NEW)
        state = library_start(state, NULL, caller);
    if (state == LIBRARY_NEW || state == LIBRARY_PASS)
        return false;
    return fortran_find(caller);
}

/* A call's arguments as the program passed them; NULL for arguments that the collective does not have. */
struct arguments {
    void *in, *out;
    const MPI_Fint *count, *type, *op, *root, *comm;
    MPI_Fint *error;
};

static void intercept_fortran(enum collective collective, const struct arguments *a, void *caller)
{
    if (!fortran.comm) { /* there is no MPI library in this process */
        if (a->error)
            *a->error = MPI_ERR_INTERN;
        return;
    }
    const struct call c = {collective,
                           false,
                           fortran_buffer(a->in),
                           fortran_buffer(a->out),
                           *a->count,
                           (argument)fortran.type(*a->type),
                           a->op ? (argument)fortran.op(*a->op) : 0,
                           a->root ? *a->root : 0,
                           (argument)fortran.comm(*a->comm)};
    int error = intercept(&c, caller);
    if (a->error)
        *a->error = error;
}

/* A function with eight arguments, the most that any of these functions has. */
typedef void function(const void *, const void *, const void *, const void *, const void *, const void *, const void *,
                      const void *);

/* Returns NULL if Pleach takes the call, else the function to call. `name` is the PMPI_ name, such as "pmpi_bcast_". */
static function *other(const char *name, void *caller)
{
    void *stand_in = caller_stand_in(name, caller);
    return (function *)(stand_in ? stand_in : serves(caller) ? NULL : caller_next(name + 1, caller));
}

#define EXPORT(name) __asm__(name) __attribute__((visibility("default")))

#define DEFINE_BCAST(id, name)                                                                                              \
    void bcast_##id(void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)         \
        EXPORT(name);                                                                                                       \
    void bcast_##id(void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)         \
    {                                                                                                                       \
        const struct arguments a = {NULL, buffer, count, type, NULL, root, comm, error};                                    \
        function *pass = other("p" name, __builtin_return_address(0));                                                      \
        if (pass)                                                                                                           \
            pass(buffer, count, type, root, comm, error, NULL, NULL);                                                       \
        else                                                                                                                \
            intercept_fortran(COLL_BCAST, &a, __builtin_return_address(0));                                                 \
    }

#define DEFINE_REDUCE(id, name)                                                                                             \
    void reduce_##id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm,    \
                     MPI_Fint *error) EXPORT(name);                                                                         \
    void reduce_##id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm,    \
                     MPI_Fint *error)                                                                                       \
    {                                                                                                                       \
        const struct arguments a = {in, out, count, type, op, root, comm, error};                                           \
        function *pass = other("p" name, __builtin_return_address(0));                                                      \
        if (pass)                                                                                                           \
            pass(in, out, count, type, op, root, comm, error);                                                              \
        else                                                                                                                \
            intercept_fortran(COLL_REDUCE, &a, __builtin_return_address(0));                                                \
    }

#define DEFINE_UNROOTED(id, name, collective)                                                                               \
    void id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error)            \
        EXPORT(name);                                                                                                       \
    void id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error)            \
    {                                                                                                                       \
        const struct arguments a = {in, out, count, type, op, NULL, comm, error};                                           \
        function *pass = other("p" name, __builtin_return_address(0));                                                      \
        if (pass)                                                                                                           \
            pass(in, out, count, type, op, comm, error, NULL);                                                              \
        else                                                                                                                \
            intercept_fortran(collective, &a, __builtin_return_address(0));                                                 \
    }

/* The names as compilers write them, and as the module mpi_f08 does. */
#define DEFINE(id, after)                                                                                                   \
    DEFINE_BCAST(id, "mpi_bcast" after)                                                                                     \
    DEFINE_REDUCE(id, "mpi_reduce" after)                                                                                   \
    DEFINE_UNROOTED(scan_##id, "mpi_scan" after, COLL_SCAN)                                                                 \
    DEFINE_UNROOTED(exscan_##id, "mpi_exscan" after, COLL_EXSCAN)                                                           \
    DEFINE_UNROOTED(allreduce_##id, "mpi_allreduce" after, COLL_ALLREDUCE)

DEFINE(compiled, "_")
DEFINE(f08, "_f08_")

/* Initializes MPI, by the function of this name without its first letter. `error`: the last of the arguments. */
static void initialize(const char *name, const void *a, const void *b, const void *c, MPI_Fint *error, void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller), *f = (function *)caller_next(name + 1, caller);
    if (stand_in)
        stand_in(a, b, c, NULL, NULL, NULL, NULL, NULL);
    else if (f) {
        f(a, b, c, NULL, NULL, NULL, NULL, NULL);
        library_initialized(caller);
    } else if (error)
        *error = MPI_ERR_INTERN;
}

#define DEFINE_INIT(id, after)                                                                                              \
    void init_##id(MPI_Fint *error) EXPORT("mpi_init" after);                                                               \
    void init_##id(MPI_Fint *error)                                                                                         \
    {                                                                                                                       \
        initialize("pmpi_init" after, error, NULL, NULL, error, __builtin_return_address(0));                               \
    }                                                                                                                       \
    void init_thread_##id(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) EXPORT("mpi_init_thread" after);         \
    void init_thread_##id(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)                                          \
    {                                                                                                                       \
        initialize("pmpi_init_thread" after, required, provided, error, error, __builtin_return_address(0));                \
    }

DEFINE_INIT(compiled, "_")
DEFINE_INIT(f08, "_f08_")
