/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs, as `pleach log` reads them: names have no control characters, and each grouping has all calls. */
#include "fuzz.h"

#include "cli.h"
#include "lines.h"
#include "summary.h"

#include <ctype.h>
#include <math.h>
#include <search.h>
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

static void keep(void *sum)
{
    (void)sum;
}

static void check(const struct summary *s, const struct sums *of)
{
    int64_t calls = 0;
    int count = 0;
    for (const struct sum *g = of->newest; g; g = g->next, count++) {
        calls += g->calls;
        MUST(g->name[0] && g->calls > 0 && g->least <= g->most && g->first <= g->seconds, "%s: %" PRId64 " calls", g->name,
             g->calls);
        MUST(g->median >= g->least && g->median <= g->most, "%s: median %g", g->name, g->median);
        for (const char *c = g->name; *c; c++)
            MUST(!iscntrl((unsigned char)*c), "a name with a control character");
    }
    MUST(calls == s->all.calls && count == of->count, "%" PRId64 " calls of %" PRId64, calls, s->all.calls);
}

static void forget(struct sums *of)
{
    tdestroy(of->tree, keep);
    for (struct sum *g = of->newest, *next; g; g = next) {
        next = g->next;
        free((char *)g->name);
        free(g->each);
        free(g);
    }
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
    summary_sort(&s);
    for (int i = 0; i < GROUPINGS; i++) {
        check(&s, &s.by[i]);
        forget(&s.by[i]);
    }
    return 0;
}
