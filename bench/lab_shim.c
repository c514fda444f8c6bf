/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A preload shim for scripts/lab, in which many hosts share few cores and communicate by TCP. All programs on the lab have
 * the shim, with Pleach or without.
 *
 * MPICH over UCX spins while it waits, so a rank that waits may use up the core that the awaited rank needs. Over TCP, epoll
 * reports all that can end the wait. A rank that has polled in vain IDLE_POLLS times sleeps in the kernel until something
 * comes or a millisecond has passed.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/epoll.h>

enum { IDLE_POLLS = 20, WAIT_MS = 1 };

typedef int wait_fn(int epfd, struct epoll_event *events, int maxevents, int timeout);

int epoll_wait(int epfd, struct epoll_event *events, int maxevents, int timeout)
{
    static _Atomic(wait_fn *) real;
    static _Thread_local int idle;

    wait_fn *wait = real;
    if (!wait) {
        *(void **)&wait = dlsym(RTLD_NEXT, "epoll_wait");
        if (!wait)
            abort();
        real = wait;
    }
    int found = wait(epfd, events, maxevents, timeout == 0 && idle >= IDLE_POLLS ? WAIT_MS : timeout);
    idle = found == 0 && timeout == 0 ? idle + (idle < IDLE_POLLS) : 0;
    return found;
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
