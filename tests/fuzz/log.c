/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs, as `pleach log` reads them: names have no control characters, and each table has all calls. */
#include "fuzz.h"

#include "cli.h"
#include "logs.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>

/* cli_fail(), which would end the command, jumps here. */
static jmp_buf end;

_Noreturn void cli_fail(int status, const char *format, ...)
{
    char line[256];
    va_list ap;
    va_start(ap, format);
    vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    MUST(status == STATUS_FAILED && line[0], "no reason");
    longjmp(end, 1);
}

static void check(const struct job *j, enum dimension d)
{
    int64_t calls = 0;
    char text[JOB_NAME];
    for (const struct job_group *g = j->group[d]; g < j->group[d] + j->groups[d]; g++) {
        const struct tally *t = &g->tally;
        const char *name = job_name(g, d, text);
        calls += t->calls;
        MUST(name[0] && t->calls > 0 && t->least <= t->most, "%s: %" PRId64 " calls", name, t->calls);
        MUST(g->middle >= t->least && g->middle <= t->most, "%s: median %g", name, g->middle);
        for (const char *c = name; *c; c++)
            MUST(!iscntrl((unsigned char)*c), "a name with a control character");
    }
    MUST(calls == j->all.calls, "%" PRId64 " calls of %" PRId64, calls, j->all.calls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct log_lines lines;
    static struct merge *volatile m;
    FILE *volatile file = fmemopen((void *)data, size, "r");
    if (!file)
        return 0; /* an empty input */
    lines = (struct log_lines){0};
    m = job_begin();
    MUST(m, "no memory");
    if (setjmp(end) == 0)
        logs_add(m, file, "log", &lines);
    fclose(file);
    const struct job *j = lines.records ? job_finish(m) : NULL;
    MUST(!lines.records || j, "no memory");
    for (int d = 0; j && d < TABLES; d++)
        check(j, (enum dimension)d);
    job_free(m);
    return 0;
}
