/* SPDX-License-Identifier: BSD-2-Clause */
/* Looks beside the command, as in a build folder; in its installed tree, which may have moved; where configure said. */
#include "parts.h"

#include "cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *built;         /* from the command's folder, in a build folder */
    const char *folder, *name; /* installed there */
    int use;
} parts[] = {
    [PART_LIBRARY] = {".libs/libpleach.so", PLEACH_LIBDIR, "libpleach.so", R_OK},
    [PART_MPICH] = {".libs/libpleach-mpich.so", PLEACH_PKGLIBDIR, "libpleach-mpich.so", R_OK},
    [PART_OPEN_MPI] = {".libs/libpleach-openmpi.so", PLEACH_PKGLIBDIR, "libpleach-openmpi.so", R_OK},
    [PART_STANDARD] = {".libs/libpleach-abi.so", PLEACH_PKGLIBDIR, "libpleach-abi.so", R_OK},
    [PART_OTHERS] = {".libs/libpleach-others.so", PLEACH_PKGLIBDIR, "libpleach-others.so", R_OK},
    [PART_HELPER] = {"pleach-mpi", PLEACH_PKGLIBDIR, "pleach-mpi", X_OK},
};

/* Without a slash at the end. PLEACH_BINDIR if unknown. */
static void command_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    else
        snprintf(folder, size, "%s", PLEACH_BINDIR);
}

static void way_to(const char *there, char *way, size_t size)
{
    const char *bin = PLEACH_BINDIR;
    size_t common = 0, used = 0;
    for (size_t i = 0;; i++) {
        if ((!bin[i] || bin[i] == '/') && (!there[i] || there[i] == '/'))
            common = i; /* whole names */
        if (bin[i] != there[i] || !bin[i])
            break;
    }
    way[0] = 0;
    for (const char *c = bin + common; *c; c++)
        if (*c == '/' && used < size)
            used += (size_t)snprintf(way + used, size - used, "%s..", used ? "/" : "");
    if (used < size)
        snprintf(way + used, size - used, "%s", there + common);
}

bool parts_find(enum part part, char *path)
{
    char own[PATH_MAX], way[PATH_MAX], candidate[3][3 * PATH_MAX];
    command_folder(own, sizeof own);
    way_to(parts[part].folder, way, sizeof way);
    snprintf(candidate[0], sizeof candidate[0], "%s/%s", own, parts[part].built);
    snprintf(candidate[1], sizeof candidate[1], "%s/%s/%s", own, way, parts[part].name);
    snprintf(candidate[2], sizeof candidate[2], "%s/%s", parts[part].folder, parts[part].name);
    for (int i = 0; i < 3; i++)
        if (realpath(candidate[i], path) && access(path, parts[part].use) == 0)
            return true;
    return false;
}

enum part parts_for(enum mpi mpi)
{
    return mpi == MPI_OPEN_MPI ? PART_OPEN_MPI : mpi == MPI_STANDARD ? PART_STANDARD : PART_MPICH;
}

const char *parts_name(enum part part)
{
    return parts[part].name;
}

bool parts_is_library(const char *path)
{
    const char *slash = strrchr(path, '/');
    return choice_among(slash ? slash + 1 : path, "libpleach.so|libpleach-ompi.so|libpleach-abi.so");
}

void parts_library(enum part part, int status, char *path)
{
    if (!parts_find(part, path))
        cli_fail(status, "%s is neither beside this command nor in %s", parts[part].name, parts[part].folder);
    if (strpbrk(path, " :"))
        cli_fail(status, "%s cannot be preloaded: its name has a space or colon", path);
}
