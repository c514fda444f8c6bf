/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a file whole or not at all; see newfile.h. */
#include "newfile.h"

#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 }; /* most names of temporary files to try */

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

/* Sets path[] to the name of a file without links, or of a missing file in a folder without links. */
static bool resolve(const char *name, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    if (realpath(name, path))
        return true;
    if (errno != ENOENT || !newfile_path(name, folder, sizeof folder))
        return false;
    char *slash = strrchr(folder, '/');
    *slash = 0;
    if (!realpath(folder[0] ? folder : "/", path))
        return false;
    const size_t used = strlen(path);
    return snprintf(path + used, PATH_MAX - used, "/%s", slash + 1) < (int)(PATH_MAX - used);
}

bool newfile_same(const char *a, const char *b)
{
    char first[PATH_MAX], second[PATH_MAX];
    return strcmp(a, b) == 0 || (resolve(a, first) && resolve(b, second) && strcmp(first, second) == 0);
}

/* The file's name after all symbolic links, and the name of the temporary file; a device has no temporary file. */
struct new_file {
    char name[PATH_MAX], temporary[PATH_MAX + 32];
};

/* Creates the temporary file. Returns -1 with errno if that fails, or if this file must not replace the file at `name`. */
static int create(const char *name, struct new_file *p)
{
    struct stat kind;
    bool there = lstat(name, &kind) == 0;
    if (!*name || (there && !realpath(name, p->name)))
        return -1;
    if (!there && snprintf(p->name, sizeof p->name, "%s", name) >= (int)sizeof p->name) {
        errno = ENAMETOOLONG;
        return -1;
    }
    there = there && stat(p->name, &kind) == 0;
    p->temporary[0] = 0;
    if (there && S_ISCHR(kind.st_mode))
        return above_standard(open(p->name, O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (there && !S_ISREG(kind.st_mode)) { /* a rename would replace it */
        errno = S_ISDIR(kind.st_mode) ? EISDIR : EINVAL;
        return -1;
    }
    if (there && access(p->name, W_OK) != 0)
        return -1;
    int file = -1;
    errno = EEXIST; /* a killed process of the same number may have left its temporary file */
    for (int n = 0; file < 0 && errno == EEXIST && n < TRIES; n++) {
        snprintf(p->temporary, sizeof p->temporary, "%s.%ld.%d.tmp", p->name, (long)getpid(), n);
        file = open(p->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    file = above_standard(file);
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
    int file = create(name, &p);
    if (file < 0)
        return refuse(name, errno, why, size);
    close(file);
    if (*p.temporary)
        unlink(p.temporary);
    return true;
}

bool newfile_write(const char *name, const char *text, char *why, size_t size)
{
    struct new_file p;
    int file = create(name, &p);
    if (file < 0)
        return refuse(name, errno, why, size);
    int error = write_quietly(file, text, strlen(text));
    if (close(file) != 0 && !error)
        error = errno;
    if (!error && *p.temporary && rename(p.temporary, p.name) != 0)
        error = errno;
    if (!error)
        return true;
    if (*p.temporary)
        unlink(p.temporary);
    return refuse(name, error, why, size);
}
