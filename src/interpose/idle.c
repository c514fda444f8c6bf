/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Says at the end of an MPI program why there is no report or log, although the user asked for it: no call that Pleach
 * serves has reached this library. With PLEACH_VERBOSE, says so even if the user asked for neither. If MPI_Init has not
 * reached this library either, also says what was wrong with a setting: other ranks may have made calls. In programs without
 * MPI that inherit LD_PRELOAD (shells, env, Python), prints nothing.
 *
 * MPI may have ended. So the code at the end of the process asks MPI only whether it was ever initialized.
 */
#include "caller.h"
#include "last.h"
#include "library.h"
#include "process.h"

#include <dlfcn.h>
#include <unistd.h>

extern char **environ;

static pid_t owner; /* the process that loaded the library; a child that fork() made prints no message */

__attribute__((constructor)) static void begin(void)
{
    owner = getpid();
}

static bool mpi_begun(void)
{
    int begun = 0;
    int (*initialized)(int *) = (__typeof__(initialized))dlsym(RTLD_DEFAULT, "PMPI_Initialized");
    void *library = initialized ? NULL : caller_library();
    if (library)
        initialized = (__typeof__(initialized))dlsym(library, "PMPI_Initialized");
    return initialized && initialized(&begun) == 0 && begun;
}

static void end(void)
{
    const enum library_state furthest = library_furthest();
    if (furthest > LIBRARY_BEGUN || getpid() != owner || !is_speaker() || !mpi_begun())
        return;
    struct settings *s = &process.settings;
    if (furthest < LIBRARY_BEGUN)
        settings_read_site(s, settings_site, environ, NULL, NULL);
    if (furthest < LIBRARY_BEGUN && s->bad[0])
        say("%s; every call goes to the native MPI library", s->bad);
    char list[COLLECTIVE_LIST];
    const char *wanted = settings_wanted(s);
    if (wanted || s->verbose)
        say("%s%s: no call of rank 0 that Pleach serves (%s) has reached it; "
            "calls of functions that dlsym takes from the MPI library never reach it, see LIMITS in pleach(7)",
            wanted ? "no " : "", wanted ? wanted : "nothing to serve", collective_list(list));
}

__attribute__((destructor)) static void at_exit(void)
{
    run_last(end);
}
