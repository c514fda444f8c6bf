/* SPDX-License-Identifier: BSD-2-Clause */
/* See newfile.h. */
#include "newfile.h"

#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

bool newfile_path(const char *name, char *path, size_t size)
{
    char *here = *name == '/' ? NULL : getcwd(NULL, 0);
    if (*name != '/' && !here)
        return false;
    int length = snprintf(path, size, "%s%s%s", here ? here : "", here ? "/" : "", name);
    free(here);
    if (length >= (int)size)
        errno = ENAMETOOLONG;
    return length < (int)size;
}

/* Without links, perhaps missing; for free(). NULL: unknown, or no memory. */
static char *resolve(const char *name)
{
    char *path = realpath(name, NULL);
    const char *slash = strrchr(name, '/');
    if (path || errno != ENOENT)
        return path;
    char *around = slash ? strndup(name, (size_t)(slash - name) + 1) : strdup(".");
    char *folder = around ? realpath(around, NULL) : NULL;
    if (!folder || asprintf(&path, "%s/%s", folder, slash ? slash + 1 : name) < 0)
        path = NULL;
    free(folder);
    free(around);
    return path;
}

bool newfile_same(const char *a, const char *b)
{
    if (strcmp(a, b) == 0)
        return true;
    char *first = resolve(a), *second = first ? resolve(b) : NULL;
    const bool same = second && strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}

/* After all links; and the temporary file, NULL for a device. */
struct new_file {
    char *name, *temporary;
};

static void forget(struct new_file *p)
{
    free(p->name);
    free(p->temporary);
}

static int create_temporary(struct new_file *p)
{
    int file = -1;
    errno = EEXIST; /* a killed process of this number may have left it */
    for (int n = 0; file < 0 && errno == EEXIST && n < TRIES; n++) {
        free(p->temporary);
        if (asprintf(&p->temporary, "%s.%ld.%d.tmp", p->name, (long)getpid(), n) < 0) {
            p->temporary = NULL;
            errno = ENOMEM;
        } else
            file = open(p->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return above_standard(file);
}

/* -1 with errno: failed, or no file may replace it. The caller calls forget() anyway. */
static int create(const char *name, struct new_file *p)
{
    struct stat kind;
    *p = (struct new_file){0};
    bool there = lstat(name, &kind) == 0;
    if (!*name || !(p->name = there ? realpath(name, NULL) : strdup(name)))
        return -1;
    there = there && stat(p->name, &kind) == 0;
    if (there && S_ISCHR(kind.st_mode))
        return above_standard(open(p->name, O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (there && !S_ISREG(kind.st_mode)) { /* a rename would replace it */
        errno = S_ISDIR(kind.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    if (there && access(p->name, W_OK) != 0)
        return -1;
    const int file = create_temporary(p);
    if (file >= 0 && there)
        fchmod(file, kind.st_mode & 07777);
    return file;
}

static bool refuse(const char *name, int error, char *why, size_t size)
{
    snprintf(why, size, "%s cannot be written: %s", name, error == EINVAL ? "it is no regular file" : write_error(error));
    return false;
}

bool newfile_possible(const char *name, char *why, size_t size)
{
    struct new_file p;
    const int file = create(name, &p);
    const bool possible = file >= 0 || refuse(name, errno, why, size);
    if (file >= 0)
        close(file);
    if (file >= 0 && p.temporary)
        unlink(p.temporary);
    forget(&p);
    return possible;
}

bool newfile_write(const char *name, const char *text, char *why, size_t size)
{
    struct new_file p;
    const int file = create(name, &p);
    int error = file < 0 ? errno : write_quietly(file, text, strlen(text));
    if (file >= 0 && close(file) != 0 && !error)
        error = errno;
    if (!error && p.temporary && rename(p.temporary, p.name) != 0)
        error = errno;
    if (error && file >= 0 && p.temporary)
        unlink(p.temporary);
    forget(&p);
    return !error || refuse(name, error, why, size);
}
