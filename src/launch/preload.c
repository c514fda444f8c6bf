/* SPDX-License-Identifier: BSD-2-Clause */
/* See preload.h. */
#include "preload.h"

#include "cli.h"
#include "launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *before(char *list, const char *library)
{
    char *longer = NULL;
    if (list && asprintf(&longer, "%s%s%s", library, *list ? ":" : "", list) < 0)
        longer = NULL;
    free(list);
    return longer;
}

/* All of Pleach's: only one can get the calls. */
static void take_out(char *list)
{
    char *to = list, *rest = NULL;
    for (char *name = strtok_r(list, " :", &rest); name; name = strtok_r(NULL, " :", &rest)) {
        const size_t length = strlen(name);
        if (parts_is_library(name))
            continue;
        if (to > list)
            *to++ = ':';
        memmove(to, name, length);
        to += length;
    }
    *to = 0;
}

_Noreturn void preload(char **operand, const struct program *p, int parts, const enum part *part)
{
    const char *already = getenv("LD_PRELOAD");
    char library[PATH_MAX], *list = strdup(already ? already : "");
    if (list)
        take_out(list);
    for (int i = parts - 1; i >= 0; i--) {
        parts_library(part[i], STATUS_PLEACH, library);
        list = before(list, library);
    }
    if (p->sanitizer[0])
        list = before(list, p->sanitizer);
    if (!list || (parts && setenv("LD_PRELOAD", list, 1) != 0))
        cli_fail(STATUS_PLEACH, "cannot set LD_PRELOAD: %s", strerror(errno));
    free(list);

    if (is_speaker() && program_launches(operand[0]))
        say("the order is wrong: %s comes first, then this command, then the program; so Pleach is preloaded into it, too",
            operand[0]);
    execvp(operand[0], operand);
    if (errno == ENOENT || errno == EACCES) /* one rank of the node says so */
        say_nothing(!launcher_first_here());
    cli_fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "%s: %s", operand[0], strerror(errno));
}
