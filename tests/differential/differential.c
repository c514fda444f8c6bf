/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The differential test. It compares the results of MPI_X, which a preloaded library may intercept, with those of
 * PMPI_X, bit for bit, for each collective X. Without such a library it compares MPI with itself, and must pass as well.
 *
 *     mpiexec -n P differential [--seed N] [--quick] [--every N] [--sites N] [SELECTION]
 *
 * The test runs the cases whose names contain SELECTION. A failed case prints its name and seed, which run it alone.
 * --every: reductions have every Nth combination of datatype and operation; with --quick none, unless --every says so.
 */
#include "differential.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HANG_SECONDS = 120 };

struct settings settings = {.seed = 1, .sites = 1};
struct communicator communicators[7];
int n_communicators;
static char current[200];
static long cases;

bool case_begin(const char *format, ...)
{
    char name[sizeof current];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    if (settings.selection && !strstr(name, settings.selection))
        return false;
    strcpy(current, name);
    cases++;
    alarm(HANG_SECONDS);
    return true;
}

const char *case_name(void)
{
    return current;
}

static void report(const char *what)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "differential: rank %d: %s: %s (--seed %llu), last by site_%d\n", rank, current, what,
            (unsigned long long)settings.seed, last_site);
}

void case_fail(const char *format, ...)
{
    char what[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    report(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* A crash or a hang must name its case, too. The functions called are not async-signal-safe, but the process ends anyway. */
static void on_signal(int number)
{
    signal(number, SIG_DFL);
    report(number == SIGALRM ? "hangs" : strsignal(number));
    raise(number);
}

void check_success(int code, const char *which)
{
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(code, text, &length);
        case_fail("%s returned an error: %s", which, text);
    }
}

void check_equal(const struct buffer *got, const struct buffer *want, const char *which)
{
    ptrdiff_t at;
    if (buffer_differs(got, want, &at))
        case_fail("%s differs at byte %td (extent %td, count %lld): %02x, expected %02x", which, at,
                  (ptrdiff_t)got->type->extent, (long long)got->count, got->base[at] & 0xff, want->base[at] & 0xff);
}

static void add_communicator(const char *name, MPI_Comm handle)
{
    int size, least;
    MPI_Comm_set_errhandler(handle, MPI_ERRORS_RETURN);
    MPI_Comm_size(handle, &size);
    MPI_Allreduce(&size, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    communicators[n_communicators++] = (struct communicator){name, handle, least};
}

/* Makes a communicator of all ranks, in which the ranks of a node are consecutive. Returns false if there is one node. */
static bool by_node(MPI_Comm *c)
{
    int rank, nodes, number;
    MPI_Comm node;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    number = rank;
    PMPI_Bcast(&number, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    MPI_Allreduce(&number, &nodes, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (nodes > 0)
        MPI_Comm_split(MPI_COMM_WORLD, 0, number, c); /* MPI keeps the old order of equal numbers */
    return nodes > 0;
}

static void communicators_create(void)
{
    int rank;
    MPI_Comm c;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    add_communicator("world", MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    add_communicator("dup", c);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &c);
    add_communicator("reversed", c);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &c);
    add_communicator("odd-even", c);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 3, rank * 5 % 7, &c);
    add_communicator("three-and-rest", c);
    if (by_node(&c))
        add_communicator("by-node", c);
    add_communicator("self", MPI_COMM_SELF);
}

static void communicators_free(void)
{
    for (int i = 0; i < n_communicators; i++)
        if (communicators[i].handle != MPI_COMM_WORLD && communicators[i].handle != MPI_COMM_SELF)
            MPI_Comm_free(&communicators[i].handle);
}

static bool is_intercepted(void)
{
    Dl_info mine, native;
    return dladdr(dlsym(RTLD_DEFAULT, "MPI_Reduce"), &mine) && dladdr(dlsym(RTLD_DEFAULT, "PMPI_Reduce"), &native) &&
           mine.dli_fbase != native.dli_fbase;
}

static void parse(int argc, char **argv)
{
    int every = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            settings.seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--sites") == 0 && i + 1 < argc)
            settings.sites = atoi(argv[++i]);
        else if (strcmp(argv[i], "--quick") == 0)
            settings.quick = true;
        else if (strcmp(argv[i], "--every") == 0 && i + 1 < argc)
            every = atoi(argv[++i]);
        else if (argv[i][0] != '-')
            settings.selection = argv[i];
        else
            settings.sites = 0;
    }
    settings.every = every ? every : !settings.quick;
    if (settings.sites < 1 || settings.sites > SITES || every < 0) {
        fprintf(stderr, "usage: differential [--seed N] [--quick] [--every N] [--sites 1..%d] [SELECTION]\n", SITES);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    int rank;
    parse(argc, argv);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (const int *s = (const int[]){SIGALRM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, 0}; *s; s++)
        signal(*s, on_signal);
    settings.intercepted = is_intercepted();

    types_create();
    ops_create();
    communicators_create();
    error_cases();
    special_cases();
    sampled_cases();
    communicators_free();
    ops_free();
    types_free();

    if (rank == 0)
        printf("differential: %ld cases ok\n", cases);
    MPI_Finalize();
    return cases == 0;
}
