/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A library to preload into runs with more ranks than cores. MPICH spins while it waits: a waiting rank uses up its time
 * slice while the rank that it waits for has no core. With this library, a rank gives its core away after IDLE_ROUNDS idle
 * rounds of UCX without a break, or after a poll of sockets without an event (MPICH 3). Before the first round of UCX, in
 * MPI_Init, the ranks of a node wait for each other in a loop that calls nothing. So until then a timer interrupts the rank,
 * and the handler of its signal gives the core away. Build: cc -shared -fPIC -o yield.so yield.c
 */
#include <dlfcn.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * On 2 cores, a barrier of 8 ranks takes 33 ms without the library, 20 to 30 µs with any value from 1 to 20, and 120 to
 * 190 µs with 300 to 1000. A barrier of 2 ranks takes 0.3 µs without the library or with 20, and 0.8 µs with 1.
 */
enum { IDLE_ROUNDS = 20 };
enum { TIMER_NS = 300000 }; /* MPI_Init of 4 ranks takes 120 ms without the timer, 65 ms with 200 to 500 µs */

typedef int poll_fn(struct pollfd *sockets, nfds_t count, int timeout);
typedef unsigned progress_fn(void *worker);
typedef int init_fn(unsigned major, unsigned minor, const void *params, const void *config, void *context);

progress_fn ucp_worker_progress;
init_fn ucp_init_version;

/* A function of UCX by its name. */
static void *real(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) { /* a plugin has loaded MPI with RTLD_LOCAL: dlsym() cannot see it, dlopen() can */
        void *ucp = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
        found = ucp ? dlsym(ucp, name) : NULL;
    }
    if (!found)
        abort();
    return found;
}

static timer_t timer;
static bool timed;
static struct sigaction before; /* what the program does on SIGRTMAX */

/* Another library of the tests defines sched_yield(), and takes locks in it. */
static void give_way(int signal)
{
    (void)signal;
    syscall(SYS_sched_yield);
}

/* Does Valgrind run this process? Then everything takes so long that the process would do nothing but handle the signal. */
static bool by_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded && strstr(preloaded, "/vgpreload_");
}

static void begin_timer(void)
{
    struct sigevent to_this_thread = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMAX};
    const struct timespec period = {.tv_nsec = TIMER_NS};
    to_this_thread._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timed || by_valgrind() || timer_create(CLOCK_MONOTONIC, &to_this_thread, &timer) != 0)
        return;
    timed = true;
    sigaction(SIGRTMAX, &(struct sigaction){.sa_handler = give_way, .sa_flags = SA_RESTART}, &before);
    timer_settime(timer, 0, &(struct itimerspec){period, period}, NULL);
}

static void end_timer(void)
{
    if (!timed)
        return;
    timer_delete(timer);
    sigaction(SIGRTMAX, &before, NULL);
    timed = false;
}

int ucp_init_version(unsigned major, unsigned minor, const void *params, const void *config, void *context)
{
    init_fn *init;
    *(void **)&init = real("ucp_init_version");
    begin_timer();
    return init(major, minor, params, config, context);
}

int poll(struct pollfd *sockets, nfds_t count, int timeout)
{
    static _Atomic(poll_fn *) found;

    poll_fn *polls = found;
    if (!polls) {
        *(void **)&polls = dlsym(RTLD_NEXT, "poll");
        found = polls;
    }

    const int events = polls(sockets, count, timeout);
    if (events == 0 && timeout == 0)
        sched_yield();
    return events;
}

unsigned ucp_worker_progress(void *worker)
{
    static _Atomic(progress_fn *) found;
    static _Thread_local int idle;

    progress_fn *progress = found;
    if (!progress) {
        end_timer();
        *(void **)&progress = real("ucp_worker_progress");
        found = progress;
    }

    unsigned events = progress(worker);
    if (events)
        idle = 0;
    else if (++idle >= IDLE_ROUNDS) {
        idle = 0;
        sched_yield();
    }
    return events;
}
