/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Fortran names of what programs call, for Open MPI alone: its own functions of these names call nothing that could be
 * intercepted behind them. Arguments come by reference and handles are numbers. The module mpi_f08 has names of its own, with
 * the same arguments, of which the last may be missing.
 */
#include "interpose.h"

#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

/* What is found when the library has been: how handles are converted, and the addresses that stand for constants. */
static struct {
    MPI_Comm (*comm)(MPI_Fint);
    MPI_Datatype (*type)(MPI_Fint);
    MPI_Op (*op)(MPI_Fint);
    const void *bottom[4], *in_place[4]; /* by the names that compilers give to common blocks */
} fortran;

static void find(void)
{
    static const char *const bottom[] = {"mpi_fortran_bottom_", "mpi_fortran_bottom", "mpi_fortran_bottom__",
                                         "MPI_FORTRAN_BOTTOM"};
    static const char *const in_place[] = {"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__",
                                           "MPI_FORTRAN_IN_PLACE"};
    fortran.comm = (__typeof__(fortran.comm))pmpi_symbol("PMPI_Comm_f2c");
    fortran.type = (__typeof__(fortran.type))pmpi_symbol("PMPI_Type_f2c");
    fortran.op = (__typeof__(fortran.op))pmpi_symbol("PMPI_Op_f2c");
    for (int i = 0; i < 4; i++) {
        fortran.bottom[i] = pmpi_symbol(bottom[i]);
        fortran.in_place[i] = pmpi_symbol(in_place[i]);
    }
}

/* Can calls be taken? Not where the MPI library is another one: then they go on to whose they are. */
static bool serves(void *caller)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    enum stage stage = library_reached();
    if (stage == STAGE_NEW)
        stage = library_start(stage, NULL, caller);
    if (stage == STAGE_NEW || stage == STAGE_PASS)
        return false;
    pthread_once(&once, find);
    return fortran.comm && fortran.type && fortran.op;
}

static void *buffer_of(void *address)
{
    for (int i = 0; i < 4; i++) {
        if (address && address == fortran.bottom[i])
            return MPI_BOTTOM;
        if (address && address == fortran.in_place[i])
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

/* The next function of this name, with as many arguments as any has. */
typedef void function(const void *, const void *, const void *, const void *, const void *, const void *, const void *,
                      const void *);

static void pass(const char *name, const void *a, const void *b, const void *c, const void *d, const void *e, const void *f,
                 const void *g, const void *h)
{
    function *next = (function *)dlsym(RTLD_NEXT, name);
    if (next)
        next(a, b, c, d, e, f, g, h);
}

#define EXPORT(name) __asm__(name) __attribute__((visibility("default")))

#define DEFINE_BCAST(id, name)                                                                                              \
    void bcast_##id(void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)         \
        EXPORT(name);                                                                                                       \
    void bcast_##id(void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *error)         \
    {                                                                                                                       \
        const struct arguments a = {NULL, buffer, count, type, NULL, root, comm, error};                                    \
        if (serves(__builtin_return_address(0)))                                                                            \
            take(COLL_BCAST, &a, __builtin_return_address(0));                                                              \
        else                                                                                                                \
            pass(name, buffer, count, type, root, comm, error, NULL, NULL);                                                 \
    }

#define DEFINE_REDUCE(id, name)                                                                                             \
    void reduce_##id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm,    \
                     MPI_Fint *error) EXPORT(name);                                                                         \
    void reduce_##id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *root, MPI_Fint *comm,    \
                     MPI_Fint *error)                                                                                       \
    {                                                                                                                       \
        const struct arguments a = {in, out, count, type, op, root, comm, error};                                           \
        if (serves(__builtin_return_address(0)))                                                                            \
            take(COLL_REDUCE, &a, __builtin_return_address(0));                                                             \
        else                                                                                                                \
            pass(name, in, out, count, type, op, root, comm, error);                                                        \
    }

#define DEFINE_UNROOTED(id, name, collective)                                                                               \
    void id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error)            \
        EXPORT(name);                                                                                                       \
    void id(void *in, void *out, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op, MPI_Fint *comm, MPI_Fint *error)            \
    {                                                                                                                       \
        const struct arguments a = {in, out, count, type, op, NULL, comm, error};                                           \
        if (serves(__builtin_return_address(0)))                                                                            \
            take(collective, &a, __builtin_return_address(0));                                                              \
        else                                                                                                                \
            pass(name, in, out, count, type, op, comm, error, NULL);                                                        \
    }

/* As compilers write the name mpi_x, and as the module mpi_f08 does. */
#define DEFINE(id, before, after)                                                                                           \
    DEFINE_BCAST(id, before "bcast" after)                                                                                  \
    DEFINE_REDUCE(id, before "reduce" after)                                                                                \
    DEFINE_UNROOTED(scan_##id, before "scan" after, COLL_SCAN)                                                              \
    DEFINE_UNROOTED(exscan_##id, before "exscan" after, COLL_EXSCAN)                                                        \
    DEFINE_UNROOTED(allreduce_##id, before "allreduce" after, COLL_ALLREDUCE)

DEFINE(plain, "mpi_", "")
DEFINE(one, "mpi_", "_")
DEFINE(two, "mpi_", "__")
DEFINE(f08, "mpi_", "_f08_")

DEFINE_BCAST(upper, "MPI_BCAST")
DEFINE_REDUCE(upper, "MPI_REDUCE")
DEFINE_UNROOTED(scan_upper, "MPI_SCAN", COLL_SCAN)
DEFINE_UNROOTED(exscan_upper, "MPI_EXSCAN", COLL_EXSCAN)
DEFINE_UNROOTED(allreduce_upper, "MPI_ALLREDUCE", COLL_ALLREDUCE)
