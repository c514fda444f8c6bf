/* SPDX-License-Identifier: BSD-2-Clause */
/* See output.h. */
#include "output.h"

#include "record.h"

#include "launcher.h"
#include "process_id.h"
#include "quiet.h"
#include "units.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

double record_epoch;

enum { NUMBERS = 10000, ENDING = 6 };

bool output_name(const char *pattern, int rank, char *path, int size)
{
    int used = 0;
    for (const char *p = pattern; *p; p++) {
        char word[HOST_NAME_MAX + 1] = {*p};
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

/* EEXIST: a free name or a regular file. O_NONBLOCK: no waiting for a pipe's reader. */
static int open_special(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) {
        errno = EEXIST;
        return -1;
    }
    return open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
}

/* By which readers know the format; may be empty. */
static char *ending_of(char *path)
{
    char *end = strrchr(path, '.');
    return end && choice_among(end, ".html|.json|.tsv|.csv") ? end : path + strlen(path);
}

/* A descriptor, or -1 and errno. */
static int open_new(struct output *o, int first)
{
    char ending[ENDING], *at = ending_of(o->path);
    const int room = (int)(o->path + sizeof o->path - at);
    strcpy(ending, at);
    int fd = open_special(o->path);
    for (int n = 0; fd < 0 && errno == EEXIST && n < NUMBERS; n++) {
        o->numbered = n > 0;
        if (o->numbered && snprintf(at, (size_t)room, ".%d%s", first + n - 1, ending) >= room)
            errno = ENAMETOOLONG;
        else
            fd = open(o->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    }
    return above_standard(fd);
}

int output_make(struct output *o, int first)
{
    o->owner = getpid();
    o->fd = STDERR_FILENO;
    o->numbered = false;
    if (strcmp(o->path, "stderr") == 0)
        return 0;
    o->fd = open_new(o, first);
    return o->fd < 0 || fstat(o->fd, &o->file) != 0 ? errno : 0;
}

int output_open(struct output *o, const char *pattern, int rank)
{
    const bool alone = rank == 0 || strstr(pattern, "%r") || strstr(pattern, "%p"); /* else many ranks may want the name */
    o->rank = rank;
    return output_name(pattern, rank, o->path, sizeof o->path) ? output_make(o, alone ? 1 : rank) : ENAMETOOLONG;
}

bool output_mine(struct output *o)
{
    if (output_on(o) && process_id() != o->owner)
        atomic_store(&o->on, false);
    return output_on(o);
}

/* 0, or an errno: the program may have closed descriptors and opened files of its own. */
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
