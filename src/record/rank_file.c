/* SPDX-License-Identifier: BSD-2-Clause */
/* See rank_file.h. */
#include "rank_file.h"

#include "newfile.h"
#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* For free(); or NULL. */
static char *name_of(const struct rank_file *p, int rank)
{
    char *name;
    return asprintf(&name, "%s/%d", p->folder, rank) < 0 ? NULL : name;
}

void rank_file_open(struct rank_file *p, const char *report, int rank, double started)
{
    struct stat status;
    p->started = started;
    p->folder[0] = 0;
    if (stat(report, &status) == 0 && !S_ISREG(status.st_mode))
        return;
    const int length = snprintf(p->folder, sizeof p->folder, "%s.parts", report);
    if (length < (int)sizeof p->folder)
        snprintf(p->name, sizeof p->name, "%s/%d", p->folder, rank);
    else
        p->folder[0] = 0;
}

/* No rank report: never replaced or removed. */
static bool is_foreign(const char *name)
{
    static const char first[] = "pleach-part\t";
    char begins[sizeof first] = "";
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, begins, sizeof begins - 1);
    close(fd);
    return got != (ssize_t)sizeof begins - 1 || strcmp(begins, first) != 0;
}

static bool is_old(const struct rank_file *p, const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 && (double)status.st_mtim.tv_sec + 1e-9 * (double)status.st_mtim.tv_nsec < p->started &&
           !is_foreign(name);
}

/* It may be all that is left of that job. */
static void move_old(const struct rank_file *p, const char *name)
{
    char *folder = NULL, *moved = NULL;
    if (asprintf(&folder, "%s.old", p->folder) < 0)
        return;
    if (asprintf(&moved, "%s%s", folder, strrchr(name, '/')) >= 0) {
        mkdir(folder, 0777);
        rename(name, moved);
        free(moved);
    }
    free(folder);
}

bool rank_file_write(struct rank_file *p, const char *text, char *why, size_t size)
{
    if (p->left && newfile_write(p->name, text, why, size))
        return true;
    if (mkdir(p->folder, 0777) != 0 && errno != EEXIST) {
        snprintf(why, size, "%s cannot be made: %s", p->folder, write_error(errno));
        return false;
    }
    if (is_foreign(p->name)) {
        snprintf(why, size, "%s is not a part of a report, and Pleach does not replace it", p->name);
        return false;
    }
    if (!p->left && is_old(p, p->name))
        move_old(p, p->name);
    bool done = newfile_write(p->name, text, why, size);
    p->left |= done;
    return done;
}

void rank_file_remove(struct rank_file *p)
{
    if (!p->left)
        return;
    unlink(p->name);
    rmdir(p->folder);
    p->left = false;
}

/* The job's ranks, or -1; has this one come to MPI_Finalize? */
static int read_head(const char *name, bool *finalized)
{
    char *line = NULL;
    size_t room = 0;
    int ranks = -1;
    FILE *f = fopen(name, "re");
    while (f && getline(&line, &room, f) > 0 && strncmp(line, "ended\t", 6) != 0)
        sscanf(line, "rank\t%*d\t%9d", &ranks);
    *finalized = line && strcmp(line, "ended\tfinalize\n") == 0;
    if (f)
        fclose(f);
    free(line);
    return ranks;
}

static bool is_there(const struct rank_file *p, int rank, int ranks)
{
    bool finalized;
    char *name = name_of(p, rank);
    const bool there = name && access(name, F_OK) == 0 && !is_old(p, name) && read_head(name, &finalized) == ranks;
    free(name);
    return there;
}

/* Our file last: it was removed before the lower ones. */
bool rank_file_lowest(const struct rank_file *p, int rank, int ranks)
{
    for (int lower = 0; p->left && lower < rank; lower++)
        if (is_there(p, lower, ranks))
            return false;
    return p->left && is_there(p, rank, ranks);
}

void rank_file_remove_all(struct rank_file *p, int ranks, bool themselves)
{
    bool finalized;
    for (int rank = access(p->folder, F_OK) == 0 ? ranks - 1 : -1; rank >= 0; rank--) {
        char *name = name_of(p, rank);
        if (!name)
            break;
        if (is_old(p, name))
            move_old(p, name);
        else if (!themselves && !is_foreign(name) && read_head(name, &finalized) == ranks && finalized)
            unlink(name);
        free(name);
    }
    rank_file_remove(p);
    if (p->folder[0])
        rmdir(p->folder);
}
