/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A preload shim for scripts/lab, where many hosts share few cores and talk by TCP; native calls and engines get it alike.
 *
 * MPICH over UCX spins while it waits, so a rank that waits burns the time slice of the one it waits for. Over TCP all
 * that can end the wait comes through epoll: a rank that has polled in vain some times in a row sleeps in the kernel until
 * something comes, or a millisecond has gone.
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

/* MPI_Finalize over UCX 1.13 and TCP stalls at times: a rank already sits in the launcher's barrier while another still
   flushes its end points. NULL says that there is nothing to wait for; all messages have been received by then. */
void *ucp_disconnect_nb(void *endpoint);

void *ucp_disconnect_nb(void *endpoint)
{
    (void)endpoint;
    return NULL;
}
