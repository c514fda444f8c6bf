/* SPDX-License-Identifier: BSD-2-Clause */
/* Becoming a program; see preload.h. */
#include "preload.h"

#include "cli.h"
#include "program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

/* Who asked for a report or a log is told, by rank 0, where there can be none. */
static void tell_unserved(const char *name)
{
    static struct settings s;
    static struct program p;
    if (!is_speaker())
        return;
    settings_read_site(&s, settings_site, environ, NULL, NULL);
    bool report = s.report[0] && strcmp(s.report, "none") != 0;
    if (!report && !s.log[0])
        return;
    program_examine(name, &p);
    const char *why = program_unserved(&p);
    if (why)
        say("%s is %s; there will be no %s", name, why, report ? "report" : "records");
}

_Noreturn void preload(char **operand, int parts, const enum part *part)
{
    const char *already = getenv("LD_PRELOAD");
    char *list = strdup(already ? already : "");
    for (int i = parts - 1; list && i >= 0; i--) {
        char library[PATH_MAX], *rest = list;
        parts_library(part[i], STATUS_PLEACH, library);
        if (asprintf(&list, "%s%s%s", library, *rest ? ":" : "", rest) < 0)
            list = NULL;
        free(rest);
    }
    if (!list || setenv("LD_PRELOAD", list, 1) != 0)
        cli_fail(STATUS_PLEACH, "cannot set LD_PRELOAD: %s", strerror(errno));
    free(list);

    tell_unserved(operand[0]);
    execvp(operand[0], operand);
    cli_fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "%s: %s", operand[0], strerror(errno));
}
