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
#include "served.h"

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

/* Returns NULL if Pleach takes the call, else the function to call. `name` is the PMPI_ name, such as "pmpi_bcast_". */
static void *other(const char *name, void *caller)
{
    void *stand_in = caller_stand_in(name, caller);
    return stand_in ? stand_in : serves(caller) ? NULL : caller_next(name + 1, caller);
}

#define DEFINE_NAMED(id, name, collective, n, ...)                                                                          \
    void id(P##n(void *), MPI_Fint *error) EXPORT(name);                                                                    \
    void id(P##n(void *), MPI_Fint *error)                                                                                  \
    {                                                                                                                       \
        const struct arguments a = {__VA_ARGS__, error};                                                                    \
        void *caller = __builtin_return_address(0), *pass = other("p" name, caller);                                        \
        if (pass)                                                                                                           \
            ((void (*)(P##n(void *), MPI_Fint *))pass)(A##n, error);                                                        \
        else                                                                                                                \
            intercept_fortran(collective, &a, caller);                                                                      \
    }

/* The names as compilers write them, and as the module mpi_f08 does. */
#define DEFINE(name, fortran, ...)                                                                                          \
    DEFINE_NAMED(fortran##_, "mpi_" #fortran "_", __VA_ARGS__)                                                              \
    DEFINE_NAMED(fortran##_f08_, "mpi_" #fortran "_f08_", __VA_ARGS__)

SERVED(DEFINE)

/* A function that may have fewer arguments. */
typedef void function(void *, void *, void *);

/* Initializes MPI, by the function of this name without its first letter. `error`: the last of the arguments. */
static void initialize(const char *name, void *const a[3], MPI_Fint *error, void *caller)
{
    function *stand_in = (function *)caller_stand_in(name, caller), *f = (function *)caller_next(name + 1, caller);
    if (stand_in)
        stand_in(a[0], a[1], a[2]);
    else if (f) {
        f(a[0], a[1], a[2]);
        library_initialized(caller);
    } else if (error)
        *error = MPI_ERR_INTERN;
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
