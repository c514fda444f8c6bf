/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A preload shim for scripts/lab, in which many hosts share few cores and communicate by TCP. All programs on the lab have
 * the shim, with Pleach or without.
 *
 * MPICH over UCX spins while it waits, so a rank that waits may use up the core that the awaited rank needs. Over TCP, epoll
 * reports all that can end the wait. A rank that has polled in vain IDLE_POLLS times sleeps in the kernel until something
 * comes or a millisecond has passed. A probe is no such wait: a rank that probes may wait for memory that another rank of
 * its host will write. It yields its core instead. The shim sees Pleach's probes only if it is preloaded behind Pleach.
 */
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum { IDLE_POLLS = 20, WAIT_MS = 1 };

static _Thread_local int idle;    /* polls in vain, IDLE_POLLS at most */
static _Thread_local int probing; /* 1: in PMPI_Iprobe */

/* The function of this name behind the shim. */
static void *behind(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
{
    static __typeof__(&epoll_wait) real;
    if (!real)
        *(void **)&real = behind("epoll_wait");
    const int waits = timeout == 0 && idle >= IDLE_POLLS;
    if (waits && probing)
        sched_yield();
    int found = real(epfd, events, maxevents, waits && !probing ? WAIT_MS : timeout);
    idle = found == 0 && timeout == 0 ? idle + (idle < IDLE_POLLS) : 0;
    return found;
}

/* The type of a communicator differs between MPI libraries: an int or a pointer. */
int PMPI_Iprobe(int from, int tag, uintptr_t comm, int *there, void *status);

int PMPI_Iprobe(int from, int tag, uintptr_t comm, int *there, void *status)
{
    static __typeof__(&PMPI_Iprobe) real;
    if (!real)
        *(void **)&real = behind("PMPI_Iprobe");
    probing = 1;
    const int error = real(from, tag, comm, there, status);
    probing = 0;
    return error;
}

/*
 * MPI_Finalize over UCX 1.13 and TCP sometimes stalls: a rank waits in the launcher's barrier while another rank still
 * flushes its end points. This function, in the place of UCX's, flushes nothing: NULL means that there is nothing to wait
 * for. That loses nothing: by then, all messages have been received.
 */
void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
    (void)endpoint;
    return NULL;
}
