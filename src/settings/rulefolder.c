/* SPDX-License-Identifier: BSD-2-Clause */
/* Folders of rules; see rulefolder.h. */
#include "rulefolder.h"

#include "newfile.h"
#include "rules.h"
#include "textfile.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char end[] = ".rules";

/* Writes the name of file number `which` that a job looks for; the most exact has number 0. Returns false at the end. */
static bool name_of(int which, int ranks, int nodes, char *name, size_t size)
{
    switch (which) {
    case 0:
        snprintf(name, size, "%d-on-%d%s", ranks, nodes, end);
        return true;
    case 1:
        snprintf(name, size, "%d%s", ranks, end);
        return true;
    case 2:
        snprintf(name, size, "default%s", end);
        return true;
    default:
        return false;
    }
}

static void path_of(const char *folder, const char *name, char file[RULEFOLDER_FILE])
{
    size_t length = strlen(folder);
    snprintf(file, RULEFOLDER_FILE, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/", name);
}

void rulefolder_file(const char *folder, int ranks, int nodes, char file[RULEFOLDER_FILE])
{
    char name[40];
    name_of(0, ranks, nodes, name, sizeof name);
    path_of(folder, name, file);
}

bool is_rulefolder(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 && S_ISDIR(status.st_mode);
}

static char *no_rules(char *why, size_t size)
{
    char *none;
    if (asprintf(&none, "pleach-rules %d\n", RULES_VERSION) >= 0)
        return none;
    snprintf(why, size, "out of memory");
    return NULL;
}

char *rulefolder_read(const char *name, const char *grows, int ranks, int nodes, char file[RULEFOLDER_FILE], char *why,
                      size_t size)
{
    char own[40];
    snprintf(file, RULEFOLDER_FILE, "%s", name);
    if (!is_rulefolder(name)) {
        const bool missing = access(name, F_OK) != 0 && errno == ENOENT;
        return missing && newfile_same(name, grows) ? no_rules(why, size) : textfile_read(name, why, size);
    }
    for (int i = 0; name_of(i, ranks, nodes, own, sizeof own); i++) {
        path_of(name, own, file);
        if (access(file, F_OK) == 0 || errno != ENOENT) /* an unreadable file is an error, not a missing file */
            return textfile_read(file, why, size);
    }
    snprintf(file, RULEFOLDER_FILE, "%s", name);
    int files = rulefolder_each(name, NULL, NULL);
    if (files < 0)
        snprintf(why, size, "%s", strerror(errno));
    else if (files == 0)
        snprintf(why, size, "it is a folder without files *%s", end);
    return files > 0 ? no_rules(why, size) : NULL;
}

static int ends_well(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), tail = sizeof end - 1;
    return length > tail && strcmp(entry->d_name + length - tail, end) == 0;
}

/* Does some job look for a file of this name? */
static bool is_taken(const char *name)
{
    int ranks = 0, nodes = 1;
    char own[40];
    sscanf(name, "%9d-on-%9d", &ranks, &nodes);
    for (int i = 0; name_of(i, ranks, nodes, own, sizeof own); i++)
        if (strcmp(name, own) == 0)
            return name[0] == 'd' || (ranks >= 2 && nodes >= 1 && nodes <= ranks);
    return false;
}

int rulefolder_each(const char *name, void (*each)(void *to, const char *file, bool taken), void *to)
{
    struct dirent **list;
    static char file[RULEFOLDER_FILE];
    int count = scandir(name, &list, ends_well, versionsort);
    for (int i = 0; i < count; i++) {
        if (each) {
            path_of(name, list[i]->d_name, file);
            each(to, file, is_taken(list[i]->d_name));
        }
        free(list[i]);
    }
    if (count >= 0)
        free(list);
    return count;
}
