/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the user's file of places on one rank, and shares the text with all ranks; see agree.h. */
#include "placefile.h"

#include "agree.h"
#include "nodes.h"
#include "small_stack.h"
#include "textfile.h"

#include <stdlib.h>
#include <unistd.h>

/* By the name of its host, which other ranks do not know. */
static void find_paths(struct comm *c, struct group_info *found, const struct placefile *file)
{
    char host[256] = "";
    int names[PLACE_NAMES], path[PLACES_DEPTH];
    const int node = found->node[c->rank];
    gethostname(host, sizeof host - 1);
    placefile_path(file, host, process.rank, names);
    for (int level = 0; level < PLACE_NAMES; level++)
        path[level] = names[level] == PLACE_OWN ? placefile_places(file) + node : names[level];
    path[PATH_NODE] = node;
    pmpi.Allgather(path, PLACES_DEPTH, MPI_INT, found->path[0], PLACES_DEPTH, MPI_INT, c->user);
    found->sites = placefile_sites(file);
}

void placefile_read(struct comm *c, struct group_info *found)
{
    const char *name = process.settings.places;
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char reason[SETTING_TEXT] = "";
    bool unread;
    int line = 0;
    char *text = text_shared(c, c->rank == 0 ? textfile_read(process.places, reason, sizeof reason) : NULL, &unread);
    struct placefile *file = text ? placefile_parse(text, &line, reason, sizeof reason) : NULL;
    bool wrong = text && !file && line > 0;
    if (unread) {
        text_broken(c, PROBLEM_PLACES, &said, "%s cannot be read: %s", name, reason);
        found->places_broken = true;
    } else if (pmpi_agreed(c->user, wrong, MPI_MAX)) {
        text_broken(c, PROBLEM_PLACES, &said, "%s:%d: %s", name, line, reason);
        found->places_broken = true;
    } else if (pmpi_agreed(c->user, file != NULL, MPI_MIN) && file)
        find_paths(c, found, file);
    else
        found->barred = REASON_NO_MEMORY;
    placefile_free(file);
    free(text);
}
