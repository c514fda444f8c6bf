/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of rank reports; see rank_file.h. */
#include "rank_file.h"

#include "newfile.h"
#include "output.h"
#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool rank_file_open(struct rank_file *p, const char *pattern, int rank, double started)
{
    static const char end[] = ".parts";
    struct stat status;
    char *name = p->name; /* not yet that of the file */
    p->started = started;
    p->folder[0] = 0;
    errno = ENAMETOOLONG;
    if (!output_name(pattern, rank, name, PATH_MAX))
        return false;
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
        return true;
    if (!newfile_path(name, p->folder, sizeof p->folder - strlen(end))) {
        p->folder[0] = 0;
        return false;
    }
    strcat(p->folder, end);
    snprintf(p->name, sizeof p->name, "%s/%d", p->folder, rank);
    return true;
}

/* Does a file of this name exist that is no rank report? Such a file is never replaced or removed. */
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

/* Is it a file of an earlier job? */
static bool is_old(const struct rank_file *p, const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 && (double)status.st_mtim.tv_sec + 1e-9 * (double)status.st_mtim.tv_nsec < p->started &&
           !is_foreign(name);
}

/* Moves a file of an earlier job, as it may be all that is left of that job. Without memory, leaves it. */
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

/* Is this the last rank report of a rank that has come to MPI_Finalize, in a job of so many ranks? */
static bool is_last(const char *name, int ranks)
{
    char *line = NULL;
    size_t room = 0;
    int its_ranks = -1;
    FILE *f = fopen(name, "re");
    while (f && getline(&line, &room, f) > 0 && strncmp(line, "ended\t", 6) != 0)
        sscanf(line, "rank\t%*d\t%9d", &its_ranks);
    const bool last = line && its_ranks == ranks && strcmp(line, "ended\tfinalize\n") == 0;
    if (f)
        fclose(f);
    free(line);
    return last;
}

void rank_file_remove_all(struct rank_file *p, int ranks)
{
    char *name;
    for (int rank = 0; p->folder[0] && rank < ranks; rank++) {
        if (asprintf(&name, "%s/%d", p->folder, rank) < 0)
            break;
        if (is_old(p, name))
            move_old(p, name);
        else if (!is_foreign(name) && is_last(name, ranks))
            unlink(name);
        free(name);
    }
    rank_file_remove(p);
    if (p->folder[0])
        rmdir(p->folder);
}
