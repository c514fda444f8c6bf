/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing that disturbs nobody; see quiet.h. */
#include "quiet.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, data, size);
        if (written >= 0) {
            data += written;
            size -= (size_t)written;
        } else if (errno == EAGAIN) { /* somebody made the stream non-blocking */
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

int write_quietly(int fd, const char *data, size_t size)
{
    static const int raised[] = {SIGPIPE, SIGXFSZ}; /* by EPIPE and EFBIG, in the writing thread */
    static const struct timespec at_once = {0, 0};
    sigset_t ours, pending, before;

    sigpending(&pending);
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++)
        if (!sigismember(&pending, raised[i])) /* else blocked already, and the one pending is the application's */
            sigaddset(&ours, raised[i]);
    pthread_sigmask(SIG_BLOCK, &ours, &before);

    int error = write_all(fd, data, size);
    if (error)
        while (sigtimedwait(&ours, NULL, &at_once) > 0 || errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}
