/* SPDX-License-Identifier: BSD-2-Clause */
/* The renderer of libpleach-report.so; see renderer.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "renderer.h"

#include "advice.h"
#include "job_fields.h"
#include "merge.h"
#include "rank_report_read.h"
#include "textfile.h"
#include "units.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WHY = 256 };

static bool add(struct merge *m, const char *text, size_t length)
{
    char why[WHY];
    struct rank_report *p = rank_report_read(text, length, why, sizeof why);
    bool added = p && job_add(m, p, why, sizeof why);
    rank_report_free(p);
    return added;
}

/* ---- Rank reports in a folder ---------------------------------------------------------------------------------------- */

static bool add_file(struct merge *m, const char *name, double started)
{
    char why[WHY];
    char *text = textfile_read_own(name, why, sizeof why);
    struct rank_report *p = text ? rank_report_read(text, strlen(text), why, sizeof why) : NULL;
    const bool ours = p && (m->reporters == 0 || p->ranks == m->job.ranks) && /* commands of a job's ranks may differ */
                      p->began + p->elapsed >= started - JOB_CLOCKS_APART;
    const bool added = ours && job_add(m, p, why, sizeof why);
    rank_report_free(p);
    free(text);
    return added;
}

static int add_folder(struct merge *m, const char *folder, double started, int rank)
{
    char *name;
    int added = 0, number;
    DIR *d = opendir(folder);
    for (struct dirent *entry; d && (entry = readdir(d));) {
        if (!count_parse(entry->d_name, 0, INT_MAX, &number) || (rank >= 0 && number != rank)) /* no file of a wanted rank */
            continue;
        if (asprintf(&name, "%s/%s", folder, entry->d_name) < 0)
            continue;
        added += add_file(m, name, started);
        free(name);
    }
    if (d)
        closedir(d);
    return added;
}

/* ---- Writing --------------------------------------------------------------------------------------------------------- */

static bool write_report(struct merge *m, const char *file, bool own, int advice, FILE *f, bool *ended)
{
    const enum job_format format = advice > 1 ? (enum job_format)(advice - 2) : job_format_of(file);
    m->job.own = own;
    const struct job *j = job_finish(m);
    *ended = j && j->reported == j->ranks && (j->ranks == 1 || j->end == END_FINALIZE);
    return j && (advice && format == JOB_TEXT ? advice_write(j, 0, f) : job_write(j, format, 0, f));
}

/* The text begins as a report does, so that `pleach report` takes it for one. */
static void write_stub(const char *file, const char *folder, FILE *f)
{
    static const char *const begins[JOB_FORMATS] = {[JOB_TEXT] = "Pleach report\n  ",
                                                    [JOB_TSV] = "by\tcollective\t\n# ",
                                                    [JOB_CSV] = "by,collective,\n# ",
                                                    [JOB_JSON] = "{\"" JOB_JSON_NAME "\": 0, \"note\": ",
                                                    [JOB_HTML] = "<!doctype html>\n<title>Pleach</title>\n"};
    const enum job_format format = job_format_of(file);
    char *note;
    if (asprintf(&note,
                 JOB_STUB "%s' shows what its ranks have recorded; once another run has written to that folder, "
                          "'pleach report %s.old' does.",
                 folder, folder) < 0)
        return;
    fputs(begins[format], f);
    if (format == JOB_JSON)
        json_text(f, note);
    else
        fputs(note, f);
    fputs(format == JOB_JSON ? "}\n" : "\n", f);
    free(note);
}

const struct renderer pleach_renderer = {.version = PACKAGE_VERSION,
                                         .begin = job_begin,
                                         .add = add,
                                         .add_folder = add_folder,
                                         .write = write_report,
                                         .write_stub = write_stub,
                                         .free = job_free};
