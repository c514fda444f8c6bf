/* SPDX-License-Identifier: BSD-2-Clause */
/* See lockfile.h. */
#include "lockfile.h"

#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 200, NAP = 5000000 };

/* Another process may have replaced the file. */
static bool is_current(int file, const char *name)
{
    struct stat held, now;
    return fstat(file, &held) == 0 && stat(name, &now) == 0 && held.st_dev == now.st_dev && held.st_ino == now.st_ino;
}

int lockfile_open(const char *name, char *why, size_t size)
{
    for (int n = 0; n < TRIES; n++) {
        struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        const int file = above_standard(open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666));
        if (file < 0) {
            snprintf(why, size, "%s cannot be written: %s", name, write_error(errno));
            return -1;
        }
        const bool busy = fcntl(file, F_OFD_SETLK, &all) != 0 && (errno == EAGAIN || errno == EACCES);
        if (!busy && is_current(file, name))
            return file;
        close(file);
        if (busy)
            clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = NAP}, NULL);
    }
    snprintf(why, size, "%s cannot be written: another job keeps it locked", name);
    return -1;
}

void lockfile_close(int held)
{
    close(held);
}
