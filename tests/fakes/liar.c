/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload behind libpleach.so. It makes up the number of cores, the time and slow native calls, so that tests
 * of learning need neither many cores nor a quiet machine. The environment selects:
 *
 *     LIAR_CORES=N         the process may use N cores
 *     LIAR_DOMAIN=N        rank r may use core r alone, and N cores in a row share a cache
 *     LIAR_CLOCK=any       time is made up, as below
 *     LIAR_BCAST=F         a native broadcast takes F times as long as it should. LIAR_REDUCE, LIAR_SCAN, LIAR_EXSCAN and
 *                          LIAR_ALLREDUCE (here the bytes alone take longer) are for other calls
 *     LIAR_UNTIL=N         these factors hold for the first N native calls, but for those of all-reduces
 *     LIAR_ALGORITHM=N:F   the bytes of a native broadcast take F times as long by the MPI library's algorithm number N, if
 *                          that was set for the call or, in Open MPI, when a carrier was made
 *     LIAR_CARRIERS=N      on rank 1, only the first N carriers can be made; each rank says in MPI_Finalize how many it has
 *     LIAR_LATE=F          after an all-reduce, each rank loses a random time: up to F times what a native broadcast of
 *                          1 MiB should take
 *     LIAR_BUSY=S          on rank 1, each all-reduce of the library's own takes S seconds more, by the made-up clock
 *     LIAR_BCAST_WORK=N    a native broadcast is done N times: that takes time on any clock
 *
 * LIAR_BUSY works only on communicators without a name, as the library's own are. LIAR_ALGORITHM works on all. The other
 * settings that change times work only on communicators with a name. So the library measures true times, and its model
 * believes them.
 *
 * Made-up time: each rank has a clock. When the library sends or receives, the clock moves on by ALPHA, and by BETA for each
 * byte. When MPI folds for the library, the clock moves on by GAMMA for each byte. Folds by the library's own kernels take
 * no time. A message of the library brings its sender's clock along, and the receiver's clock moves on at least to the
 * sender's. The application's own messages bring no clock, nor do those that gather a report in MPI_Finalize. If the library
 * sleeps, the clock moves on. If it asks for the time and then yields, but waits for no message, the clock moves on by
 * ALPHA. A native call begins when the last rank has come, and takes a time that a formula gives. So each run has the same
 * times.
 *
 * Jobs on several nodes need PLEACH_PLACES=node, for the library must not measure places: it pings until some time has
 * passed, and pinging does not move this clock on.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ALPHA 1e-6   /* seconds */
#define BETA 0.2e-9  /* seconds a byte */
#define GAMMA 0.2e-9 /* seconds a byte */

enum { NOTES = 4096 };

static _Thread_local double now = 1; /* the rank's made-up clock, in seconds */
static _Thread_local unsigned seed;
static _Thread_local bool asked, tested; /* since it yielded last, the library has asked for the time, called MPI_Test */
static bool ending;                      /* the rank is in MPI_Finalize */

/* Communicators that carry an algorithm: the one for broadcasts. */
static struct {
    MPI_Comm comm;
    int algorithm;
} carrier[64];
static int carriers, carriers_made;

static double setting(const char *name)
{
    const char *text = getenv(name);
    return text ? atof(text) : 0;
}

static bool made_up(void)
{
    static int is = -1;
    if (is < 0)
        is = getenv("LIAR_CLOCK") != NULL;
    return is;
}

/* Finds the function that this one intercepts. */
#define REAL(name)                                                                                                          \
    static __typeof__(&name) real;                                                                                          \
    if (!real)                                                                                                              \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static double bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (double)count * size;
}

static bool named(MPI_Comm comm)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    PMPI_Comm_get_name(comm, name, &length);
    return name[0];
}

/* The setting, or 0 on a communicator without a name. */
static double lie(const char *name, MPI_Comm comm)
{
    return named(comm) ? setting(name) : 0;
}

/* ---- The machine ------------------------------------------------------------------------------------------------------ */

/* Pleach would compare the number of ranks that the launcher has started here with the number of true cores. */
__attribute__((constructor)) static void hide_launcher(void)
{
    if (getenv("LIAR_CORES")) {
        unsetenv("MPI_LOCALNRANKS");
        unsetenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    }
}

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    REAL(sched_getaffinity);
    int cores = (int)setting("LIAR_CORES"), first = 0;
    if (setting("LIAR_DOMAIN")) {
        first = (int)setting(getenv("PMI_RANK") ? "PMI_RANK" : "OMPI_COMM_WORLD_RANK");
        cores = 1;
    }
    if (!cores)
        return real(pid, size, set);
    CPU_ZERO_S(size, set);
    for (int i = first; i < first + cores; i++)
        CPU_SET_S((size_t)i, size, set);
    return 0;
}

/* What the kernel tells of cores; NULL: a file that is not there. */
static FILE *made_up_file(const char *path)
{
    static _Thread_local char text[40];
    char name[20];
    int core, domain = (int)setting("LIAR_DOMAIN");
    if (sscanf(path, "/sys/devices/system/cpu/cpu%d/cache/index0/%19s", &core, name) < 2)
        return NULL;
    const int first = core / domain * domain;
    const int length =
        strcmp(name, "level") == 0 ? sprintf(text, "3\n") : sprintf(text, "%d-%d\n", first, first + domain - 1);
    return fmemopen(text, (size_t)length, "r");
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(fopen);
    const bool lies = setting("LIAR_DOMAIN") && strncmp(path, "/sys/devices/system/", 20) == 0;
    return lies ? made_up_file(path) : real(path, mode);
}

/* Is the caller Pleach in a program? Others get the true time: MPI's progress may need it, and pleach-mpi measures it. */
static bool made_up_for(void *caller)
{
    Dl_info info;
    return made_up() && dladdr(caller, &info) && strstr(info.dli_fname, "libpleach") && !strstr(info.dli_fname, "-bench-");
}

int clock_gettime(clockid_t id, struct timespec *t)
{
    REAL(clock_gettime);
    if (!made_up_for(__builtin_return_address(0)))
        return real(id, t);
    t->tv_sec = (time_t)now;
    t->tv_nsec = (long)(1e9 * (now - (double)t->tv_sec));
    asked = true;
    return 0;
}

/* No work takes a core from a rank whose times are made up. */
int getrusage(int who, struct rusage *r)
{
    REAL(getrusage);
    const int error = real(who, r);
    if (made_up_for(__builtin_return_address(0)))
        r->ru_nivcsw = 0;
    return error;
}

int sched_yield(void)
{
    REAL(sched_yield);
    if (made_up_for(__builtin_return_address(0))) {
        now += asked && !tested ? ALPHA : 0;
        asked = tested = false;
    }
    return real();
}

int PMPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    REAL(PMPI_Test);
    tested = true;
    return real(request, done, status);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *t, struct timespec *left)
{
    REAL(clock_nanosleep);
    if (made_up_for(__builtin_return_address(0)))
        now += (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
    return real(clock, flags, t, left);
}

/* ---- Messages --------------------------------------------------------------------------------------------------------- */

int MPI_Finalize(void)
{
    REAL(MPI_Finalize);
    ending = true;
    if (getenv("LIAR_CARRIERS"))
        fprintf(stderr, "liar: %d carriers, made %d\n", carriers, carriers_made);
    return real();
}

static void pass(double bytes, double ready)
{
    now = (ready > now ? ready : now) + ALPHA + BETA * bytes;
}

int PMPI_Sendrecv(const void *out, int count, MPI_Datatype type, int to, int tag, void *in, int room, MPI_Datatype in_type,
                  int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    REAL(PMPI_Sendrecv);
    MPI_Status own;
    int got = 0;
    double theirs = 0, sent = to == MPI_PROC_NULL ? 0 : bytes_of(count, type);
    if (status == MPI_STATUS_IGNORE)
        status = &own;
    int error = real(out, count, type, to, tag, in, room, in_type, from, in_tag, comm, status);
    if (!error && made_up_for(__builtin_return_address(0))) {
        if (from != MPI_PROC_NULL)
            PMPI_Get_count(status, MPI_BYTE, &got);
        real(&now, 1, MPI_DOUBLE, to, 0, &theirs, 1, MPI_DOUBLE, from, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        pass(sent > got ? sent : got, theirs);
    }
    return error;
}

/* The clock follows in a message of its own. It comes second, for messages between two ranks keep their order. */
int PMPI_Issend(const void *out, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    REAL(PMPI_Issend);
    static _Thread_local double note[NOTES];
    static _Thread_local unsigned notes;
    MPI_Request clock;
    int error = real(out, count, type, to, tag, comm, request);
    if (!error && to != MPI_PROC_NULL && made_up_for(__builtin_return_address(0))) {
        double *mine = &note[notes++ % NOTES];
        *mine = now;
        PMPI_Isend(mine, 1, MPI_DOUBLE, to, 0, comm, &clock);
        PMPI_Request_free(&clock);
        pass(bytes_of(count, type), 0);
    }
    return error;
}

int PMPI_Recv(void *in, int room, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    REAL(PMPI_Recv);
    double theirs = 0;
    int error = real(in, room, type, from, tag, comm, status);
    if (!ending && !error && from != MPI_PROC_NULL && made_up_for(__builtin_return_address(0))) {
        real(&theirs, 1, MPI_DOUBLE, from, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        now = theirs > now ? theirs : now;
    }
    return error;
}

int PMPI_Reduce_local(const void *in, void *inout, int count, MPI_Datatype type, MPI_Op op)
{
    REAL(PMPI_Reduce_local);
    if (made_up_for(__builtin_return_address(0)))
        now += GAMMA * bytes_of(count, type);
    return real(in, inout, count, type, op);
}

/* ---- Collectives ------------------------------------------------------------------------------------------------------ */

/* Sets the clock to that of the rank that came last. Returns false for an intercommunicator, where no time is made up. */
static bool latest(MPI_Comm comm)
{
    static __typeof__(&PMPI_Allreduce) real;
    int inter = 0;
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Allreduce");
    PMPI_Comm_test_inter(comm, &inter);
    return !inter && real(MPI_IN_PLACE, &now, 1, MPI_DOUBLE, MPI_MAX, comm) == MPI_SUCCESS;
}

int PMPI_Allreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    REAL(PMPI_Allreduce);
    int error = real(in, out, count, type, op, comm), rank;
    const double factor = lie("LIAR_ALLREDUCE", comm);
    if (made_up() && !error && latest(comm)) {
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        now += 4 * ALPHA + (factor > 0 ? factor : 1) * (2 * BETA + GAMMA) * bytes_of(count, type);
        if (!seed)
            seed = (unsigned)rank + 1;
        now += lie("LIAR_LATE", comm) * (ALPHA + BETA * (1 << 20)) * rand_r(&seed) / RAND_MAX;
        now += rank == 1 && !named(comm) ? setting("LIAR_BUSY") : 0;
    }
    return error;
}

/* Lets the time of a native call pass. Each byte costs BETA, and GAMMA `folds` times; `name` is the call's setting. */
static void took(const char *name, double bytes, double folds, MPI_Comm comm, int error)
{
    static int calls;
    const int until = (int)setting("LIAR_UNTIL");
    double factor = error || (until && calls >= until) ? 0 : lie(name, comm);
    int ranks = 0;
    if (!made_up() || error)
        return;
    calls += named(comm);
    PMPI_Comm_size(comm, &ranks);
    if (ranks > 1 && latest(comm))
        now += (factor > 0 ? factor : 1) * (ALPHA + (BETA + folds * GAMMA) * bytes);
}

#ifdef OPEN_MPI
#define VARIABLE "coll_tuned_bcast_algorithm"
#else
#define VARIABLE "MPIR_CVAR_BCAST_INTRA_ALGORITHM"
#endif

/* The algorithm for broadcasts that is set now. */
static int algorithm_set(void)
{
    static MPI_T_cvar_handle handle;
    static int index = -1;
    int level, count, set = 0;
    if (index < 0 && MPI_T_init_thread(MPI_THREAD_SINGLE, &level) == MPI_SUCCESS &&
        MPI_T_cvar_get_index(VARIABLE, &index) == MPI_SUCCESS)
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count);
    if (index >= 0)
        MPI_T_cvar_read(handle, &set);
    return set;
}

/* The factor of LIAR_ALGORITHM, if its algorithm serves broadcasts on this communicator now; else 1. */
static double algorithm_factor(MPI_Comm comm)
{
    const char *text = getenv("LIAR_ALGORITHM");
    int set = 0;
    if (!text)
        return 1;
#ifdef OPEN_MPI
    for (int i = 0; i < carriers; i++)
        set = carrier[i].comm == comm ? carrier[i].algorithm : set;
#else
    (void)comm;
    set = algorithm_set();
#endif
    return set == atoi(text) ? atof(strchr(text, ':') + 1) : 1;
}

int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *dup)
{
    REAL(PMPI_Comm_dup_with_info);
    const char *most = getenv("LIAR_CARRIERS");
    const int set = algorithm_set();
    int rank, error = real(comm, info, dup);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!error && most && rank == 1 && carriers_made == atoi(most)) {
        PMPI_Comm_free(dup);
        return MPI_ERR_OTHER;
    }
    carrier[carriers].comm = *dup;
    carrier[carriers++].algorithm = set;
    carriers_made++;
    return error;
}

int PMPI_Comm_free(MPI_Comm *comm)
{
    REAL(PMPI_Comm_free);
    for (int i = 0; i < carriers; i++)
        if (carrier[i].comm == *comm)
            carrier[i] = carrier[--carriers];
    return real(comm);
}

int PMPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    REAL(PMPI_Bcast);
    int error = real(buffer, count, type, root, comm);
    double bytes = error ? 0 : bytes_of(count, type);
    for (int i = 1; bytes > 0 && i < (int)lie("LIAR_BCAST_WORK", comm); i++)
        error = real(buffer, count, type, root, comm);
    took("LIAR_BCAST", bytes * algorithm_factor(comm), 0, comm, error);
    return error;
}

int PMPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    REAL(PMPI_Reduce);
    int error = real(in, out, count, type, op, root, comm);
    took("LIAR_REDUCE", error ? 0 : bytes_of(count, type), 1, comm, error);
    return error;
}

int PMPI_Scan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    REAL(PMPI_Scan);
    int error = real(in, out, count, type, op, comm);
    took("LIAR_SCAN", error ? 0 : bytes_of(count, type), 2, comm, error);
    return error;
}

int PMPI_Exscan(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    REAL(PMPI_Exscan);
    int error = real(in, out, count, type, op, comm);
    took("LIAR_EXSCAN", error ? 0 : bytes_of(count, type), 2, comm, error);
    return error;
}
