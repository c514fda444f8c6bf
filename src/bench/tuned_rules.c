/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of rules; see tuned_rules.h. */
#include "tuned_rules.h"

#include "bench_job.h"
#include "newfile.h"
#include "process.h"
#include "rules.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WHY = 400 };

void tuned_rules_check(const char *name)
{
    char why[WHY] = "";
    if (process.rank == 0)
        newfile_possible(name, why, sizeof why);
    job_check(why);
}

static void put_header(FILE *f)
{
    const struct machine *m = &job.comm->known.machine;
    char date[40];
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", gmtime(&now));
    fprintf(f,
            "pleach-rules %d\n"
            "# Written by pleach tune, %s\n"
            "# %d host%s, %d ranks, at most %d of them on a host\n"
            "# %s\n# Command: pleach tune",
            RULES_VERSION, date, m->nodes, plural(m->nodes), job.comm->ranks, m->node_ranks, job.mpi);
    for (char *const *word = job.arguments; *word; word++)
        fprintf(f, " %s", *word);
    fprintf(f, "\n# Times are medians, of native calls and of engines that beat them. If PLEACH_THRESHOLD\n"
               "# is not auto, calls below it stay native, whatever a rule says.\n");
}

/* Returns the text of the file. If memory is short or the rules are wrong, returns NULL with the reason in why[WHY]. */
static char *make_text(const struct winner *w, int count, int64_t largest, char *why)
{
    char *text = NULL;
    size_t size;
    snprintf(why, WHY, "out of memory");
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    put_header(f);
    tuning_rules(f, w, count, largest, job.comm->ranks, job.comm->known.machine.node_ranks);
    struct rules_error first = {0};
    struct rules *rules = fclose(f) == 0 ? rules_parse(text, rules_keep_first, &first) : NULL;
    if (rules) {
        free(rules);
        why[0] = 0;
        return text;
    }
    free(text);
    if (first.line)
        snprintf(why, WHY, "these rules are wrong, in line %d: %.200s", first.line, first.why);
    return NULL;
}

bool tuned_rules_write(const char *name, const struct winner *w, int count, int64_t largest)
{
    char why[WHY] = "";
    const bool keeps = tuning_sum_up(w, count).rules == 0 && access(name, F_OK) == 0;
    if (process.rank == 0 && !keeps) {
        char *text = make_text(w, count, largest, why);
        if (text)
            newfile_write(name, text, why, sizeof why);
        free(text);
    }
    job_check(why);
    return !keeps;
}
