/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach run: becomes the program, with libpleach.so preloaded. Exit statuses of its own as those of env(1). */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATUS_PLEACH = 125, STATUS_CANNOT_RUN = 126, STATUS_NOT_FOUND = 127 };

/* The folder that this command lies in, without a slash at the end; where it was installed if the system does not tell. */
static void own_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    else
        snprintf(folder, size, "%s", PLEACH_BINDIR);
}

/* The way from PLEACH_BINDIR to PLEACH_LIBDIR: "../lib". */
static void way_to_library(char *way, size_t size)
{
    const char *bin = PLEACH_BINDIR, *lib = PLEACH_LIBDIR;
    size_t common = 0, used = 0;
    for (size_t i = 0;; i++) {
        if ((!bin[i] || bin[i] == '/') && (!lib[i] || lib[i] == '/'))
            common = i; /* the first `common` characters are whole names */
        if (bin[i] != lib[i] || !bin[i])
            break;
    }
    way[0] = 0;
    for (const char *c = bin + common; *c; c++)
        if (*c == '/' && used < size)
            used += (size_t)snprintf(way + used, size - used, "%s..", used ? "/" : "");
    if (used < size)
        snprintf(way + used, size - used, "%s", lib + common);
}

/* Writes the library's path; false if it is nowhere. */
static bool find_library(char *path)
{
    char folder[PATH_MAX], way[PATH_MAX], place[3][3 * PATH_MAX];
    own_folder(folder, sizeof folder);
    way_to_library(way, sizeof way);
    snprintf(place[0], sizeof place[0], "%s/.libs/libpleach.so", folder);   /* the build tree */
    snprintf(place[1], sizeof place[1], "%s/%s/libpleach.so", folder, way); /* installed, perhaps moved since */
    snprintf(place[2], sizeof place[2], "%s/libpleach.so", PLEACH_LIBDIR);
    for (int i = 0; i < 3; i++)
        if (realpath(place[i], path) && access(path, R_OK) == 0)
            return true;
    return false;
}

static int run(int count, char **operand)
{
    char library[PATH_MAX];
    const char *others = getenv("LD_PRELOAD");
    (void)count;
    if (!find_library(library))
        cli_fail(STATUS_PLEACH, "libpleach.so is neither where this command lies nor in %s", PLEACH_LIBDIR);
    if (strpbrk(library, " :"))
        cli_fail(STATUS_PLEACH, "%s cannot be preloaded: its name has a space or colon", library);

    char *preload = NULL;
    if (asprintf(&preload, "%s%s%s", library, others && *others ? ":" : "", others ? others : "") < 0 ||
        setenv("LD_PRELOAD", preload, 1) != 0)
        cli_fail(STATUS_PLEACH, "cannot set LD_PRELOAD: %s", strerror(errno));
    free(preload);

    execvp(operand[0], operand);
    cli_fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "%s: %s", operand[0], strerror(errno));
}

static const struct command_option options[] = {{0}};

const struct command command_run = {
    .name = "run",
    .usage = "[--] PROGRAM [ARGUMENT...]",
    .summary = "run a program with libpleach.so preloaded",
    .details = "Runs a program with libpleach.so preloaded. Put it between mpiexec and the program, so that\n"
               "nothing else is preloaded:\n\n"
               "  mpiexec -n 16 pleach run ./app args...\n\n"
               "The exit status is the program's; 127 if it is not found, 126 if it cannot be run, 125 if the\n"
               "library is missing.\n",
    .options = options,
    .least = 1,
    .most = INT_MAX,
    .operands_end_options = true,
    .run = run,
};
