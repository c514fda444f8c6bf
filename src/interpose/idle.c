/* SPDX-License-Identifier: BSD-2-Clause */
/* No call has come; see interpose.h. */
#include "interpose.h"
#include "library.h"
#include "process.h"

extern char **environ;

/* MPI may have ended. Then some releases of MPI libraries say that it is not initialized. */
static bool begun(void)
{
    int yes = 0;
    return (pmpi.Initialized(&yes) == MPI_SUCCESS && yes) || (pmpi.Finalized(&yes) == MPI_SUCCESS && yes);
}

#define NO_CALL "%s%s: no call of rank 0 that Pleach serves (%s) has reached it; "

void tell_idle(const char *(*taker)(void))
{
    const enum library_state furthest = library_furthest();
    if (furthest > LIBRARY_BEGUN || !is_speaker() || !begun())
        return;
    struct settings *s = &process.settings;
    if (furthest < LIBRARY_BEGUN)
        settings_read_site(s, settings_site, environ, NULL, NULL);
    if (furthest < LIBRARY_BEGUN && s->bad[0])
        say("%s%s", s->bad, problem_end(PROBLEM_BAD, false));
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
