/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * faults: a fault occurs while calls are under way. The program checks the results of all calls that succeed, and counts
 * the calls that fail for lack of memory; no other error may occur. At its end it prints "faults ok, N errors", where N is
 * the sum over all ranks.
 *
 *     faults calls           no fault
 *     faults WHAT [AFTER]    rank 1 ends in a user-defined operation after AFTER uses of it, by WHAT: kill, abort, exit.
 *                            Or it goes on after WHAT: stop (half a second), fork (the child leaves by exit)
 *     faults jump [ABORT]    rank 0, the root of a reduction, leaves the operation and the call by longjmp; then it goes on,
 *                            or aborts
 *     faults signals         all ranks get a signal each half millisecond, which interrupts system calls
 *     faults late            a signal handler calls exit() on all ranks after some time, if the signal has interrupted the
 *                            program or the library that intercepts MPI_Bcast. (Elsewhere exit() may wait for a lock that
 *                            the interrupted code holds: one of the C library or of MPI.)
 *     faults disk            no file can grow
 *     faults files           the process can open no file
 *     faults stack KIB [N]   makes the calls that need little stack natively, N times (twice), each time in a
 *                            thread with a stack of KIB. Prints the bytes of the stack that it has used at the first time,
 *                            and the most that it has used later
 */
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { COUNT = 20011, STATUS = 5 };

static double data[2 * COUNT], result[2 * COUNT];
static int world_rank, errors;
static MPI_Op sum;
static MPI_Datatype spaced; /* every second number */
static void (*fault)(void); /* the operation's fault on this rank, or NULL */
static int faults_after;    /* uses of the operation before the fault */
static sig_atomic_t caught;
static jmp_buf behind;

/* ---- Calls, checked -------------------------------------------------------------------------------------------------- */

static void wrong(const char *what, int i, double got, double want)
{
    fprintf(stderr, "faults: rank %d: %s: element %d is %g, not %g\n", world_rank, what, i, got, want);
    MPI_Abort(MPI_COMM_WORLD, 99);
}

/* Element i of the result, if the call succeeded, is factor * i. */
static void check(const char *what, int error, int step, int factor)
{
    if (error != MPI_SUCCESS) {
        int class;
        MPI_Error_class(error, &class);
        if (class != MPI_ERR_NO_MEM && class != MPI_ERR_OTHER)
            wrong(what, 0, class, MPI_ERR_NO_MEM);
        errors++;
    }
    for (int i = 0; error == MPI_SUCCESS && i < COUNT; i++)
        if (result[i * step] != factor * i)
            wrong(what, i, result[i * step], factor * i);
}

static void fill(double *array, int step, int factor)
{
    for (int i = 0; i < COUNT; i++)
        array[i * step] = factor * i;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint low, extent;
    void (*now)(void) = fault;
    if (now && faults_after-- == 0) {
        fault = NULL;
        now();
    }
    MPI_Type_get_extent(*type, &low, &extent);
    for (int i = 0, step = (int)(extent / (MPI_Aint)sizeof(double)); i < *count; i++)
        ((double *)inout)[i * step] += ((double *)in)[i * step];
}

/* Makes the five calls. The data of elements lie `step` numbers apart: 2 for the datatype with gaps. */
static void five(MPI_Comm comm, MPI_Datatype type, int step, MPI_Op op)
{
    int rank, ranks, error;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int last = ranks - 1;
    fill(data, step, 1);
    fill(result, step, rank == 0);
    check("broadcast", MPI_Bcast(result, COUNT, type, 0, comm), step, 1);
    fill(result, step, 1);
    error = MPI_Reduce(data, result, COUNT, type, op, last, comm);
    check("reduction", error, step, rank == last ? ranks : 1);
    check("scan", MPI_Scan(data, result, COUNT, type, op, comm), step, rank + 1);
    fill(result, step, 1);
    check("exclusive scan", MPI_Exscan(MPI_IN_PLACE, result, COUNT, type, op, comm), step, rank ? rank : 1);
    check("all-reduction", MPI_Allreduce(data, result, COUNT, type, op, comm), step, ranks);
}

static void plain_calls(MPI_Comm comm)
{
    five(comm, MPI_DOUBLE, 1, MPI_SUM);
    five(comm, MPI_DOUBLE, 1, sum);
}

static void calls(MPI_Comm comm)
{
    plain_calls(comm);
    five(comm, spaced, 2, sum);
}

/* Several communicators. A library may keep a state for each, or one state for all. */
static MPI_Comm same, back;

static void make_comms(void)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &same);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &back);
}

static void all_calls(void)
{
    calls(MPI_COMM_WORLD);
    make_comms();
    calls(same);
    calls(back);
    MPI_Comm_free(&same);
    calls(MPI_COMM_WORLD);
    MPI_Comm_free(&back);
}

/* ---- Faults in an operation ------------------------------------------------------------------------------------------ */

static void killed(void)
{
    raise(SIGKILL);
}

static void aborts(void)
{
    MPI_Abort(MPI_COMM_WORLD, STATUS);
}

static void exits(void)
{
    exit(STATUS);
}

/* A child process continues the stopped rank. */
static void stops(void)
{
    pid_t self = getpid(), pid = fork();
    if (pid == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
        kill(self, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    waitpid(pid, NULL, 0);
}

static void forks(void)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0)
        exit(STATUS);
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
        wrong("child", 0, status, STATUS);
}

static const struct {
    const char *name;
    void (*fault)(void);
} in_operation[] = {{"kill", killed}, {"abort", aborts}, {"exit", exits}, {"stop", stops}, {"fork", forks}};

/* ---- Others ---------------------------------------------------------------------------------------------------------- */

static void jumps(void)
{
    longjmp(behind, 1);
}

/* With two ranks and one block, the operation's only call is on the root, and no message is left. */
static void jump(bool last)
{
    fill(data, 1, 1);
    fault = world_rank == 0 ? jumps : NULL;
    if (!setjmp(behind)) {
        MPI_Reduce(data, result, COUNT, MPI_DOUBLE, sum, 0, MPI_COMM_WORLD);
        if (world_rank == 0)
            wrong("jump", 0, 0, 1);
    } else if (last)
        aborts();
}

static void on_signal(int number)
{
    (void)number;
    caught++;
}

static struct {
    uintptr_t begin, end;
} code[2]; /* addresses of the program, and of the library that intercepts its calls, if there is one */

/* For dl_iterate_phdr(): keeps the bounds of the code that has this address. */
static int find_code(struct dl_phdr_info *object, size_t size, void *address)
{
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const uintptr_t begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr, end = begin + object->dlpi_phdr[i].p_memsz;
        if (object->dlpi_phdr[i].p_type != PT_LOAD || (uintptr_t)address < begin || (uintptr_t)address >= end)
            continue;
        int k = code[0].end != 0;
        code[k].begin = begin;
        code[k].end = end;
        return 1;
    }
    return 0;
}

static void find_all_code(void)
{
    Dl_info served, native;
    void *bcast = dlsym(RTLD_DEFAULT, "MPI_Bcast");
    dl_iterate_phdr(find_code, (void *)(uintptr_t)find_all_code);
    if (dladdr(bcast, &served) && dladdr(dlsym(RTLD_DEFAULT, "PMPI_Bcast"), &native) && served.dli_fbase != native.dli_fbase)
        dl_iterate_phdr(find_code, bcast);
}

static void on_last_signal(int number, siginfo_t *info, void *context)
{
    const ucontext_t *u = context;
    (void)number, (void)info;
#if defined __x86_64__
    const uintptr_t at = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
    const uintptr_t at = (uintptr_t)u->uc_mcontext.pc;
#else
    const uintptr_t at = code[0].begin + 0 * (uintptr_t)u; /* unknown: exits at any signal */
#endif
    for (int i = 0; i < 2; i++)
        if (at >= code[i].begin && at < code[i].end)
            exit(STATUS);
}

static void signals(void (*handler)(int), long first_us, long every_us)
{
    struct sigaction action = {.sa_handler = handler}; /* without SA_RESTART */
    struct itimerval timer = {{0, every_us}, {0, first_us}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void limit(__rlimit_resource_t what, rlim_t most)
{
    struct rlimit l;
    getrlimit(what, &l);
    l.rlim_cur = most;
    setrlimit(what, &l);
}

/*
 * Natively, some MPICH needs 132 KiB of stack to reduce integers, to pack data with gaps and to make communicators. So the
 * thread does none of these.
 */
static void *thread(void *unused)
{
    plain_calls(MPI_COMM_WORLD);
    plain_calls(same);
    plain_calls(back);
    return unused;
}

/* Makes the calls in a thread whose stack is filled with a pattern. Returns how much of it the calls have written to. */
static size_t painted(size_t bytes)
{
    enum { GUARD = 1 << 20 }; /* larger than any frame */
    pthread_attr_t attributes;
    pthread_t id;
    char *memory = mmap(NULL, bytes + GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t unused = 0;
    mprotect(memory, GUARD, PROT_NONE);
    memset(memory + GUARD, 0x5a, bytes);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, memory + GUARD, bytes) != 0 ||
        pthread_create(&id, &attributes, thread, NULL) != 0)
        wrong("thread", 0, 0, 1);
    pthread_join(id, NULL);
    while (memory[GUARD + unused] == 0x5a)
        unused++;
    munmap(memory, bytes + GUARD);
    return bytes - unused;
}

static void small_stack(size_t bytes, int times)
{
    make_comms();
    const size_t first = painted(bytes);
    size_t later = 0;
    for (int i = 1; i < times; i++) {
        const size_t used = painted(bytes);
        later = used > later ? used : later;
    }
    fprintf(stderr, "faults: rank %d used %zu bytes of stack, then %zu\n", world_rank, first, later);
    MPI_Comm_free(&same);
    MPI_Comm_free(&back);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "calls";
    int all, level;
    MPI_Init_thread(&argc, &argv, strcmp(what, "stack") == 0 ? MPI_THREAD_SERIALIZED : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Op_create(add, 0, &sum);
    MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &spaced);
    MPI_Type_commit(&spaced);
    faults_after = argc > 2 ? atoi(argv[2]) : 0;
    for (size_t i = 0; world_rank == 1 && i < sizeof in_operation / sizeof in_operation[0]; i++)
        if (strcmp(what, in_operation[i].name) == 0)
            fault = in_operation[i].fault;

    if (strcmp(what, "signals") == 0) {
        signals(on_signal, 500, 500);
        for (int fewest = 0; fewest < 200;) {
            int mine = caught;
            all_calls();
            MPI_Allreduce(&mine, &fewest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        }
        signals(SIG_IGN, 0, 0);
    } else if (strcmp(what, "late") == 0) {
        find_all_code();
        signals(SIG_IGN, 300000, 500);
        sigaction(SIGALRM, &(struct sigaction){.sa_sigaction = on_last_signal, .sa_flags = SA_SIGINFO}, NULL);
        for (;;)
            five(MPI_COMM_WORLD, MPI_DOUBLE, 1, MPI_SUM);
    } else if (strcmp(what, "stack") == 0)
        small_stack((size_t)faults_after << 10, argc > 3 ? atoi(argv[3]) : 2);
    else {
        if (strcmp(what, "disk") == 0)
            limit(RLIMIT_FSIZE, 4096);
        if (strcmp(what, "files") == 0) {
            int next = dup(STDERR_FILENO);
            close(next);
            limit(RLIMIT_NOFILE, (rlim_t)next);
        }
        if (strcmp(what, "jump") == 0)
            jump(argc > 2);
        all_calls();
    }
    limit(RLIMIT_NOFILE, 1024);
    MPI_Allreduce(&errors, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("faults ok, %d errors\n", all);
    MPI_Type_free(&spaced);
    MPI_Op_free(&sum);
    MPI_Finalize();
    return 0;
}
