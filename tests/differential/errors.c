/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests wrong calls. MPI_X must return the same error class as PMPI_X, call the communicator's error handler equally often,
 * and leave the next call undisturbed. All ranks make the same mistake, with counts above any threshold.
 */
#include "differential.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 70001 };

static int handled;
static int tried, silent; /* numbers of wrong calls, and of those in which MPI itself finds no error */

static void count_errors(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

static int buffer[2 * COUNT];
static int *const first = buffer, *const second = buffer + COUNT;

enum {
    ROOTED = 1 << COLL_BCAST | 1 << COLL_REDUCE,
    UNROOTED = 1 << COLL_SCAN | 1 << COLL_EXSCAN | 1 << COLL_ALLREDUCE,
    REDUCING = 1 << COLL_REDUCE | UNROOTED,
    EVERY = ROOTED | REDUCING,
};

static MPI_Datatype uncommitted;

#define MISTAKE(name, what)                                                                                                 \
    static void name(struct call *c)                                                                                        \
    {                                                                                                                       \
        what;                                                                                                               \
    }

MISTAKE(root_too_big, MPI_Comm_size(c->comm, &c->root))
MISTAKE(root_negative, c->root = -17)
MISTAKE(count_negative, c->count = -COUNT)
MISTAKE(type_null, c->type = MPI_DATATYPE_NULL)
MISTAKE(op_null, c->op = MPI_OP_NULL)
MISTAKE(op_of_pairs_on_int, c->op = MPI_MINLOC)
MISTAKE(no_send_buffer, c->send = NULL)
MISTAKE(aliased, c->receive = (void *)c->send)
MISTAKE(communicator_null, c->comm = MPI_COMM_NULL)

static void root_too_big_for_nothing(struct call *c)
{
    root_too_big(c);
    c->count = 0;
}

static void type_uncommitted(struct call *c)
{
    c->type = uncommitted;
    if (c->collective != COLL_BCAST)
        c->op = op_find("left")->handle;
}

static void op_of_bits_on_float(struct call *c)
{
    c->type = MPI_FLOAT;
    c->op = MPI_BAND;
}

static void sum_of_derived(struct call *c)
{
    c->type = type_find("contiguous")->handle;
    c->count /= 4;
}

static void no_buffer(struct call *c)
{
    c->receive = NULL;
    c->send = NULL;
}

/*
 * If the root alone sees an error in a reduction, the other ranks wait for ever. Such mistakes need a communicator of one
 * rank.
 */
static const struct {
    const char *name;
    void (*spoil)(struct call *c);
    int collectives;
    int alone;
    const char *crashes; /* words in the version of an MPI library that crashes on the mistake, or NULL */
} mistakes[] = {
    {"root-too-big", root_too_big, ROOTED, 0, NULL},
    {"root-too-big-for-nothing", root_too_big_for_nothing, ROOTED, 0, NULL},
    {"root-negative", root_negative, ROOTED, 0, NULL},
    /* MPICH 4.0.2 crashes on negative counts of other collectives. */
    {"count-negative", count_negative, 1 << COLL_BCAST, 0, NULL},
    {"type-null", type_null, 1 << COLL_BCAST, 0, NULL},
    {"type-null", type_null, REDUCING, 0, "MPICH Version:      5"},
    {"type-uncommitted", type_uncommitted, EVERY, 0, NULL},
    {"op-null", op_null, REDUCING, 0, NULL},
    {"band-of-float", op_of_bits_on_float, REDUCING, 0, NULL},
    {"minloc-of-int", op_of_pairs_on_int, REDUCING, 0, NULL},
    {"sum-of-derived", sum_of_derived, REDUCING, 0, NULL},
    {"no-buffer", no_buffer, 1 << COLL_BCAST, 0, "Open MPI"},
    {"no-send-buffer", no_send_buffer, REDUCING, 0, "Open MPI"},
    {"aliased", aliased, UNROOTED, 0, NULL},
    {"aliased", aliased, 1 << COLL_REDUCE, 1, NULL},
    {"communicator-null", communicator_null, EVERY, 0, NULL},
};
enum { N_MISTAKES = sizeof mistakes / sizeof *mistakes };

struct outcome {
    int class;
    int handled;
};

static struct outcome outcome(int (*call)(const struct call *), const struct call *c)
{
    struct outcome o;
    handled = 0;
    int code = call(c);
    MPI_Error_class(code, &o.class);
    o.handled = handled;
    return o;
}

static void compare(int mistake, enum collective collective, bool large, MPI_Comm comm, const char *handler)
{
    if (!case_begin("error/%s%s/%s/%s", collective_names[collective], large ? "_c" : "", mistakes[mistake].name, handler))
        return;
    struct call c = {collective, large, first, second, COUNT, MPI_INT, MPI_SUM, 0, comm, mistake % settings.sites};
    mistakes[mistake].spoil(&c);
    const struct outcome native = outcome(call_pmpi, &c), ours = outcome(call_mpi, &c);
    tried++;
    silent += native.class == MPI_SUCCESS;
    if (ours.class != native.class || ours.handled != native.handled)
        case_fail("error class %d, %d calls of the handler; natively class %d, %d calls", ours.class, ours.handled,
                  native.class, native.handled);
    struct call right = {collective, large, first, second, COUNT, MPI_INT, MPI_SUM, 0, comm, mistake % settings.sites};
    check_success(call_mpi(&right), "the correct call after the wrong one");
}

static bool lives_through(int mistake)
{
    char version[8192];
    int length;
    MPI_Get_library_version(version, &length);
    return !mistakes[mistake].crashes || !strstr(version, mistakes[mistake].crashes);
}

static void with_handler(MPI_Errhandler handler, const char *name)
{
    MPI_Comm world, self;
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_set_errhandler(world, handler);
    MPI_Comm_set_errhandler(self, handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler); /* for errors that belong to no communicator */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    for (int i = 0; i < N_MISTAKES; i++)
        for (enum collective c = 0; c < COLLECTIVES; c++)
            for (int large = 0; large < 2; large++)
                if (mistakes[i].collectives & 1 << c && lives_through(i))
                    compare(i, c, large, mistakes[i].alone ? self : world, name);
    MPI_Comm_free(&world);
    MPI_Comm_free(&self);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

void error_cases(void)
{
    MPI_Errhandler counting;
    MPI_Comm_create_errhandler(count_errors, &counting);
    MPI_Type_vector(2, 1, 1, MPI_INT, &uncommitted);
    with_handler(MPI_ERRORS_RETURN, "returned");
    with_handler(counting, "counted");
    MPI_Type_free(&uncommitted);
    MPI_Errhandler_free(&counting);
    if (2 * silent > tried)
        case_fail("MPI itself finds no error in %d of %d wrong calls", silent, tried);
}
