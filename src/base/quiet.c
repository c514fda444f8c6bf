/* SPDX-License-Identifier: BSD-2-Clause */
/* See quiet.h. */
#include "quiet.h"

#include "seconds.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double PATIENCE = 1; /* seconds */

/* For PATIENCE seconds; from then on, no waiting there. */
static atomic_bool stderr_unread;

/*
 * Opens a pipe or terminal once more, so that write() never blocks: others may fill it after poll(). -1: not possible, or
 * neither of both; then poll() must do.
 */
static int unblocked(int fd, mode_t mode)
{
    char name[32];
    if (!S_ISFIFO(mode) && !isatty(fd))
        return -1;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    return above_standard(open(name, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
}

/* 0 or an errno; ETIMEDOUT at the time `end`. */
static int wait_for_room(int fd, double end)
{
    for (;;) {
        double left = end - seconds_now();
        int ready = poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, left > 0 ? (int)(1e3 * left) + 1 : 0);
        if (ready > 0) /* or it is broken: write() returns the error */
            return 0;
        if (ready < 0 && errno != EINTR)
            return errno;
        if (left <= 0)
            return ETIMEDOUT;
    }
}

/* Bytes at once: up to PIPE_BUF, a pipe takes whole lines. */
static size_t piece(const char *data, size_t size)
{
    if (size <= PIPE_BUF)
        return size;
    const char *line_end = memrchr(data, '\n', PIPE_BUF);
    return line_end ? (size_t)(line_end - data) + 1 : PIPE_BUF;
}

/* Regular files in one write(), so that lines of several processes do not mix. Returns 0 or an errno. */
static int write_patiently(int fd, const char *data, size_t size, bool regular, double patience)
{
    double end = seconds_now() + patience;
    while (size > 0) {
        int error = regular ? 0 : wait_for_room(fd, end);
        if (error)
            return error;
        ssize_t written = write(fd, data, regular ? size : piece(data, size));
        if (written > 0) {
            data += written;
            size -= (size_t)written;
            end = seconds_now() + patience;
        } else if (written < 0 && errno != EINTR && errno != EAGAIN) {
            return errno;
        } else if (seconds_now() > end) {
            return ETIMEDOUT;
        }
    }
    return 0;
}

static int write_all(int fd, const char *data, size_t size)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return errno;
    bool regular = S_ISREG(status.st_mode), tried = fd == STDERR_FILENO && atomic_load(&stderr_unread);
    int other = unblocked(fd, status.st_mode);
    int error = write_patiently(other < 0 ? fd : other, data, size, regular, tried ? 0 : PATIENCE);
    if (other >= 0)
        close(other);
    if (error == ETIMEDOUT && fd == STDERR_FILENO)
        atomic_store(&stderr_unread, true);
    return error;
}

int write_quietly(int fd, const char *data, size_t size)
{
    static const int raised[] = {SIGPIPE, SIGXFSZ}; /* by EPIPE or EFBIG, in the thread */
    static const struct timespec at_once = {0, 0};
    sigset_t ours, pending, before;

    sigpending(&pending);
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++)
        if (!sigismember(&pending, raised[i])) /* pending: blocked already, the application's */
            sigaddset(&ours, raised[i]);
    pthread_sigmask(SIG_BLOCK, &ours, &before);

    int error = write_all(fd, data, size);
    if (error)
        while (sigtimedwait(&ours, NULL, &at_once) > 0 || errno == EINTR)
            ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int above_standard(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int why = errno;
    close(fd);
    errno = why;
    return moved;
}

const char *write_error(int error)
{
    return error == ETIMEDOUT ? "nobody reads it" : strerror(error);
}
