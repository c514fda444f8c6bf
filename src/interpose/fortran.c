/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Fortran names of what programs call, for Open MPI alone: its own functions of these names call nothing that could be
 * intercepted behind them. Arguments come by reference and handles are numbers. The module mpi_f08 has names of its own,
 * with the same arguments, of which the last may be missing.
 *
 * Names are those that gfortran and its like write for mpi_x, with one underscore behind. Open MPI has other spellings, too;
 * they are names that a function of a C program may have (R's Rmpi has mpi_bcast), which a preload would hide.
 */
#include "interpose.h"

#include "caller.h"
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

/* What is found when the library has been: how handles are converted, and the addresses that stand for constants. */
static struct {
    MPI_Comm (*comm)(MPI_Fint);
    MPI_Datatype (*type)(MPI_Fint);
    MPI_Op (*op)(MPI_Fint);
    const void *bottom[2], *in_place[2]; /* what all see, and what the first caller does: a plugin has copies of its own */
} fortran;

static void find_object(const char *name, void *caller, const void *seen[2])
{
    void *object = caller_object(caller);
    seen[0] = pmpi_symbol(name);
    seen[1] = object ? dlsym(object, name) : NULL;
    if (object)
        dlclose(object);
}

static void find(void *caller)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static atomic_bool found;
    if (atomic_load_explicit(&found, memory_order_acquire))
        return;
    pthread_mutex_lock(&lock);
    if (!atomic_load(&found)) {
        fortran.comm = (__typeof__(fortran.comm))pmpi_symbol("PMPI_Comm_f2c");
        fortran.type = (__typeof__(fortran.type))pmpi_symbol("PMPI_Type_f2c");
        fortran.op = (__typeof__(fortran.op))pmpi_symbol("PMPI_Op_f2c");
        find_object("mpi_fortran_bottom_", caller, fortran.bottom);
        find_object("mpi_fortran_in_place_", caller, fortran.in_place);
        atomic_store_explicit(&found, true, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}

/* Can calls be taken? Not where the MPI library is another one: then they go on to whose they are. */
static bool serves(void *caller)
{
    enum library_state state = library_reached();
    if (state == LIBRARY_NEW)
        state = library_start(state, NULL, caller);
    if (state == LIBRARY_NEW || state == LIBRARY_PASS)
        return false;
    find(caller);
    return fortran.comm && fortran.type && fortran.op;
}

static void *buffer_of(void *address)
{
    for (int i = 0; address && i < 2; i++) {
        if (address == fortran.bottom[i])
            return MPI_BOTTOM;
        if (address == fortran.in_place[i])
            return MPI_IN_PLACE;
    }
    return address;
}

/* A call's arguments as they came; NULL where the collective has none. */
struct arguments {
    void *in, *out;
    const MPI_Fint *count, *type, *op, *root, *comm;
    MPI_Fint *error;
};

static void take(enum collective collective, const struct arguments *a, void *caller)
{
    if (!fortran.comm) { /* there is no MPI library in this process */
        if (a->error)
            *a->error = MPI_ERR_INTERN;
        return;
    }
    const struct call c = {collective,
                           false,
                           buffer_of(a->in),
                           buffer_of(a->out),
                           *a->count,
                           (argument)fortran.type(*a->type),
                           a->op ? (argument)fortran.op(*a->op) : 0,
                           a->root ? *a->root : 0,
                           (argument)fortran.comm(*a->comm)};
    int error = intercept(&c, caller);
    if (a->error)
        *a->error = error;
}

/* With as many arguments as any has. */
typedef void function(const void *, const void *, const void *, const void *, const void *, const void *, const void *,
                      const void *);

/* Whose a call is that is not taken; `name` is that of MPI's own function, such as "pmpi_bcast_". NULL: it is taken. */
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
            take(COLL_BCAST, &a, __builtin_return_address(0));                                                              \
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
            take(COLL_REDUCE, &a, __builtin_return_address(0));                                                             \
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
            take(collective, &a, __builtin_return_address(0));                                                              \
    }

/* As compilers write the names, and as the module mpi_f08 does. */
#define DEFINE(id, after)                                                                                                   \
    DEFINE_BCAST(id, "mpi_bcast" after)                                                                                     \
    DEFINE_REDUCE(id, "mpi_reduce" after)                                                                                   \
    DEFINE_UNROOTED(scan_##id, "mpi_scan" after, COLL_SCAN)                                                                 \
    DEFINE_UNROOTED(exscan_##id, "mpi_exscan" after, COLL_EXSCAN)                                                           \
    DEFINE_UNROOTED(allreduce_##id, "mpi_allreduce" after, COLL_ALLREDUCE)

DEFINE(compiled, "_")
DEFINE(f08, "_f08_")
