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

/* The file of code that takes calls before this library sees them, as a tool that is preloaded before it; or NULL. */
static const char *taker(void)
{
    Dl_info its, our;
    for (int c = 0; c < COLLECTIVES; c++) {
        const void *first = dlsym(RTLD_DEFAULT, collective_traits[c].function);
        if (first && dladdr(first, &its) && dladdr(&owner, &our) && its.dli_fbase != our.dli_fbase)
            return its.dli_fname;
    }
    return NULL;
}

#define NO_CALL "%s%s: no call of rank 0 that Pleach serves (%s) has reached it; "

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
    const char *wanted = settings_wanted(s), *by = taker();
    if (!wanted && !s->verbose)
        return;
    const char *no = wanted ? "no " : "", *what = wanted ? wanted : "nothing to serve";
    if (by)
        say(NO_CALL
            "%s takes calls before Pleach sees them; name Pleach's library first in LD_PRELOAD, as 'pleach run' does",
            no, what, COLLECTIVE_WORDS, by);
    else
        say(NO_CALL "calls of functions that dlsym takes from the MPI library never reach it, see LIMITS in pleach(7)", no,
            what, COLLECTIVE_WORDS);
}

__attribute__((destructor)) static void at_exit(void)
{
    run_last(end);
}
