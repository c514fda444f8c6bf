/* SPDX-License-Identifier: BSD-2-Clause */
/* Output files; see output.h. */
#include "output.h"

#include "launcher.h"
#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SUFFIXES = 10000 }; /* most suffixes .1, .2, ... to try */

bool output_name(const char *pattern, int rank, char *path, int size)
{
    int used = 0;
    for (const char *p = pattern; *p; p++) {
        char word[HOST_NAME_MAX + 1] = {*p}; /* a character to copy, unless it begins a % sequence */
        const char *text = word;
        const char next = *p == '%' ? p[1] : 0;
        if (next == 'r' || next == 'p')
            snprintf(word, sizeof word, "%d", next == 'r' ? rank : (int)getpid());
        else if (next == 'h')
            gethostname(word, sizeof word - 1);
        else if (next == 'j')
            text = launcher_job();
        p += next && strchr("%rphj", next);
        used += snprintf(path + used, size - used, "%s", text);
        if (used >= size)
            return false;
    }
    return true;
}

/*
 * Opens a device or a pipe. Fails with EEXIST if the name is free, or is that of a regular file. O_NONBLOCK makes open()
 * fail for a pipe without a reader; otherwise the application would wait here for a reader. open() fails for a folder, too.
 */
static int open_special(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) {
        errno = EEXIST;
        return -1;
    }
    return open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/*
 * Moves a descriptor above the numbers of the standard streams: an application that has closed a standard stream may still
 * write to the stream's number.
 */
static int above_standard(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;

    int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int why = errno;
    close(fd);
    errno = why;
    return moved;
}

/* Opens a device or pipe, or creates a file. `path` has room for a suffix. Returns a descriptor, or -1 and errno. */
static int open_new(char *path, int size)
{
    int stem = (int)strlen(path);
    int fd = open_special(path);
    for (int n = 0; fd < 0 && errno == EEXIST && n < SUFFIXES; n++) {
        if (n > 0 && snprintf(path + stem, size - stem, ".%d", n) >= size - stem)
            errno = ENAMETOOLONG;
        else
            fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    }
    return above_standard(fd);
}

int output_open(struct output *o, const char *pattern, int rank)
{
    o->owner = getpid();
    o->rank = rank;
    o->fd = STDERR_FILENO;
    if (strcmp(pattern, "stderr") == 0) {
        snprintf(o->path, sizeof o->path, "stderr");
        return 0;
    }
    if (!output_name(pattern, rank, o->path, sizeof o->path))
        return ENAMETOOLONG;
    o->fd = open_new(o->path, sizeof o->path);
    return o->fd < 0 || fstat(o->fd, &o->file) != 0 ? errno : 0;
}

bool output_on(const struct output *o)
{
    return atomic_load_explicit(&o->on, memory_order_relaxed);
}

bool output_mine(struct output *o)
{
    if (output_on(o) && getpid() != o->owner)
        atomic_store(&o->on, false);
    return output_on(o);
}

/*
 * Returns 0 if the descriptor is still that of the output file, else an errno. A program may have closed all descriptors and
 * opened files of its own.
 */
static int still_ours(const struct output *o)
{
    struct stat now;
    if (o->fd == STDERR_FILENO)
        return 0;
    if (fstat(o->fd, &now) != 0)
        return errno;
    return now.st_dev == o->file.st_dev && now.st_ino == o->file.st_ino ? 0 : EBADF;
}

void output_close(struct output *o)
{
    if (o->fd != STDERR_FILENO && still_ours(o) == 0)
        close(o->fd);
}

int output_write(const struct output *o, const char *data, size_t size)
{
    int error = still_ours(o);
    return error ? error : write_quietly(o->fd, data, size);
}
