/* SPDX-License-Identifier: BSD-2-Clause */
/* What `pleach compare` loads of logs. */
#include "cli.h"
#include "compare_runs.h"
#include "summary.h"

#include <stdlib.h>
#include <string.h>

static const int groupings[ASPECTS] = {
    [ASPECT_COLLECTIVE] = BY_COLLECTIVE, [ASPECT_SIZE] = BY_SIZE, [ASPECT_SITE] = BY_SITE};

void compare_load_log(struct run *r, char *const *name)
{
    struct summary s = {.wanted = {[BY_COLLECTIVE] = true, [BY_SIZE] = true, [BY_SITE] = true, [BY_RANK] = true}};
    for (; *name; name++) {
        FILE *f = cli_open(*name);
        summary_add(&s, f, *name);
        fclose(f);
    }
    summary_sort(&s);
    r->ranks = s.by[BY_RANK].count > 1 ? s.by[BY_RANK].count : 1;
    for (int a = 0; a < ASPECTS; a++)
        for (int i = 0; i < s.by[groupings[a]].count; i++) {
            const struct sum *g = s.by[groupings[a]].sorted[i];
            if (strcmp(g->name, "-") != 0)
                run_add(r, &(struct item){(enum aspect)a, (char *)g->name, g->calls, g->seconds, g->least, g->most,
                                          g->median, g->each});
        }
    if (s.broken)
        say("%s: %lld line%s not understood", r->operand, (long long)s.broken, s.broken == 1 ? " was" : "s were");
}
