/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a job as TSV or CSV: a line of column names, then rows. The column `by` names the property that the calls of a row
 * share. A missing or unknown value is "-". TSV has comments "# NAME TEXT" on the job as a whole before the rows. The
 * comment "# pleach-report VERSION" is the first.
 */
#include "job_tables.h"
#include "phrases.h"
#include "rank_report_values.h"
#include "writers.h"

#include <inttypes.h>
#include <limits.h>

enum { REPORT_VERSION = 1 };

static void put_head(FILE *f, const struct job *j)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"command", j->command},   {"pleach", j->pleach}, {"mpi", j->mpi},
                 {"settings", j->settings}, {"figures", j->note},  {"unshared", j->unshared}};
    char date[DATE_TEXT];
    job_date(j->began, date);
    fprintf(f, "# pleach-report %d\n# date %s UTC\n", REPORT_VERSION, date);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        fprintf(f, "# %s %s\n", texts[i].name, *texts[i].text ? texts[i].text : "-");
    fprintf(f, "# ranks %d\n# told %d\n# nodes %d\n# dry %d\n# ended %s\n# run_ns %" PRId64 "\n", j->ranks, j->reported,
            j->nodes, j->dry, rank_end_word(j->end), (int64_t)((j->run > j->elapsed ? j->run : j->elapsed) * 1e9));
}

void job_put_line(void *to, const struct job_row *r)
{
    table_row(to, r);
}

bool job_data(const struct job *j, enum table_format format, FILE *f)
{
    struct document all;
    struct table t;
    document_begin(&all, format, f, 0);
    job_table_begin(&t, j, JOB_TABLES, &all);
    if (format == TABLE_TSV)
        put_head(f, j);
    job_all_rows(j, job_put_line, &t);
    for (int table = 0; table < TABLES; table++)
        job_rows(j, table, INT_MAX, job_put_line, &t);
    job_rank_rows(j, job_put_line, &t);
    job_rows(j, OTHER_TABLE, 0, job_put_line, &t);
    return table_end(&t) && !ferror(f);
}
