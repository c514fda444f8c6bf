/* SPDX-License-Identifier: BSD-2-Clause */
/* A file written whole or not at all; see newfile.h. */
#include "newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Creates the file under its other name; -1, with errno, if that or putting it into place is not possible. */
static int create(const char *name, char *other)
{
    struct stat kind;
    bool there = stat(name, &kind) == 0;
    snprintf(other, PATH_MAX, "%s.%ld.tmp", name, (long)getpid());
    if (there && !S_ISREG(kind.st_mode)) { /* such as /dev/null, which would be replaced */
        errno = S_ISDIR(kind.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    if (there && access(name, W_OK) != 0)
        return -1;
    return open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

static bool refuse(const char *name, char *why, size_t size)
{
    snprintf(why, size, "%s cannot be written: %s", name, strerror(errno));
    return false;
}

bool newfile_possible(const char *name, char *why, size_t size)
{
    char other[PATH_MAX];
    int file = create(name, other);
    if (file < 0)
        return refuse(name, why, size);
    close(file);
    unlink(other);
    return true;
}

bool newfile_write(const char *name, const char *text, char *why, size_t size)
{
    char other[PATH_MAX];
    int file = create(name, other);
    if (file < 0)
        return refuse(name, why, size);
    FILE *f = fdopen(file, "w");
    bool good = f && fputs(text, f) >= 0;
    good = f && fclose(f) == 0 && good;
    if (good && rename(other, name) == 0)
        return true;
    refuse(name, why, size);
    unlink(other);
    return false;
}
