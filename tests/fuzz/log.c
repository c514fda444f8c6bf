/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs, as `pleach log` reads them: names have no control characters, and each grouping has all calls. */
#include "fuzz.h"

#include "cli.h"
#include "lines.h"
#include "summary.h"

#include <ctype.h>
#include <math.h>
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

void *cli_memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    MUST(memory, "no memory");
    return memory;
}

void lines_tell(const char *origin) /* collects nothing, or memory would grow with each input */
{
    MUST(!strchr(origin, '\n'), "a line with a newline");
}

static void check(const struct summary *s, const struct sums *of)
{
    int64_t calls = 0;
    for (int64_t i = 0; i < of->names.count; i++) {
        const struct sum *g = of->sorted[i];
        const struct tally *t = &g->tally;
        calls += t->calls;
        MUST(g->name[0] && t->calls > 0 && t->least <= t->most && g->first <= t->seconds, "%s: %" PRId64 " calls", g->name,
             t->calls);
        MUST(g->middle >= t->least && g->middle <= t->most, "%s: median %g", g->name, g->middle);
        MUST(sums_find(of, g->name) == g, "%s is not found", g->name);
        for (const char *c = g->name; *c; c++)
            MUST(!iscntrl((unsigned char)*c), "a name with a control character");
    }
    MUST(calls == s->all.tally.calls, "%" PRId64 " calls of %" PRId64, calls, s->all.tally.calls);
}

static void forget(struct sums *of)
{
    for (int64_t i = 0; i < of->names.count; i++)
        free(of->sum[i].each);
    texts_free(&of->names);
    free(of->sum);
    free(of->sorted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct summary s;
    FILE *volatile file = fmemopen((void *)data, size, "r");
    if (!file)
        return 0; /* an empty input */
    s = (struct summary){.broken = 0};
    for (int i = 0; i < GROUPINGS; i++)
        s.wanted[i] = true;
    if (setjmp(end) == 0)
        summary_add(&s, file, "log");
    fclose(file);
    for (int i = 0; i < GROUPINGS; i++) {
        sums_finish(&s.by[i]);
        check(&s, &s.by[i]);
        forget(&s.by[i]);
    }
    return 0;
}
