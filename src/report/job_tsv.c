/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes a job as TSV: a line of column names, then comments "# NAME TEXT" on the job as a whole, then rows. The comment
 * "# pleach-report VERSION" is the first. The column `by` names the property that the calls of a row share. A missing or
 * unknown value is "-".
 */
#include "rank_report_values.h"
#include "phrases.h"
#include "writers.h"

#include <inttypes.h>

enum { REPORT_VERSION = 1 };

static const char *const dimensions[TABLES] = {
    [BY_COLLECTIVE] = "collective", [BY_SIZE] = "size", [BY_SERVICE] = "engine", [BY_SITE] = "site"};

/* The words of a row before its numbers. */
struct tsv_name {
    const char *by, *collective, *size, *engine, *would, *reason, *site;
};

static const char *or_dash(const char *text)
{
    return text && *text ? text : "-";
}

static void put_name(FILE *f, const struct tsv_name *n)
{
    fprintf(f, "%s\t%s\t%s\t%s\t%s\t%s\t%s", n->by, or_dash(n->collective), or_dash(n->size), or_dash(n->engine),
            or_dash(n->would), or_dash(n->reason), or_dash(n->site));
}

/* Prints integers only, as printf's %f depends on the application's locale. */
static void put_seconds(FILE *f, double seconds)
{
    int64_t ns = seconds > 0 ? seconds < 9e9 ? (int64_t)(seconds * 1e9 + 0.5) : INT64_MAX : 0;
    fprintf(f, "\t%" PRId64 ".%09" PRId64, ns / BILLION, ns % BILLION);
}

static void put_waited(FILE *f, double x)
{
    int parts = x >= 0 ? (int)(x * 10000 + 0.5) : 0;
    if (x < 0)
        fputs("\t-", f);
    else
        fprintf(f, "\t%d.%04d", parts / 10000, parts % 10000);
}

static void put_calls(FILE *f, int ranks, int64_t calls, double bytes, double seconds)
{
    fprintf(f, "\t%d\t%" PRId64 "\t%.0f", ranks, calls, bytes);
    put_seconds(f, seconds);
}

static void put_group(FILE *f, bool dry, int dimension, const struct job_group *g)
{
    const struct tally *t = &g->tally;
    const double more[] = {dry ? 0 : g->engines.seconds, g->engines.seconds, t->native, t->engine, t->predicted};
    struct tsv_name n = {.by = dimensions[dimension], .collective = collective_name(g->collective)};
    char size[24];
    snprintf(size, sizeof size, "%" PRId64, g->size < 0 ? 0 : INT64_C(1) << g->size);
    if (dimension == BY_SIZE)
        n.size = size;
    if (dimension == BY_SERVICE) {
        n.engine = engines[g->engine]->name;
        n.would = engines[g->would]->name;
        n.reason = reason_word(g->reason);
    }
    if (dimension == BY_SITE)
        n.site = *g->site ? g->site : JOB_OTHERS;
    put_name(f, &n);
    put_calls(f, g->ranks, t->calls, t->bytes, t->seconds);
    put_seconds(f, t->least);
    put_seconds(f, t->most);
    put_seconds(f, g->most);
    fprintf(f, "\t%d", g->most_rank);
    put_waited(f, g->waited);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        put_seconds(f, more[i]);
    putc('\n', f);
}

static void put_rank(FILE *f, const struct job_rank *r)
{
    put_name(f, &(struct tsv_name){.by = "rank", .site = r->host});
    fprintf(f, "\t1\t%" PRId64 "\t-", r->calls);
    put_seconds(f, r->seconds);
    fputs("\t-\t-", f);
    put_seconds(f, r->seconds);
    fprintf(f, "\t%d", r->rank);
    put_waited(f, r->waited);
    fputs("\t-\t-\t-\t-\t-\n", f);
}

/* Writes the row of the time for measuring the machine and for sharing memory. No call's time includes it. */
static void put_measuring(FILE *f, const struct job *j)
{
    if (j->measuring <= 0)
        return;
    put_name(f, &(struct tsv_name){.by = "measuring"});
    fprintf(f, "\t%d\t-\t-", j->reported);
    put_seconds(f, j->measuring);
    fputs("\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n", f);
}

static void put_head(FILE *f, const struct job *j)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"command", j->command},   {"pleach", j->pleach}, {"mpi", j->mpi},
                 {"settings", j->settings}, {"figures", j->note},  {"unshared", j->unshared}};
    char date[DATE_TEXT];
    job_date(j->began, date);
    fprintf(f,
            "by\tcollective\tsize\tengine\twould\treason\tsite\tranks\tcalls\tbytes\tseconds\tmin_s\tmax_s\tmost_s\t"
            "most_rank\twaited\tengines_s\twould_s\tpredicted_native_s\tpredicted_engine_s\tpredicted_calls_s\n"
            "# pleach-report %d\n# date %s UTC\n",
            REPORT_VERSION, date);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        fprintf(f, "# %s %s\n", texts[i].name, or_dash(texts[i].text));
    fprintf(f, "# ranks %d\n# told %d\n# nodes %d\n# dry %d\n# ended %s\n# run_ns %" PRId64 "\n", j->ranks, j->reported,
            j->nodes, j->dry, rank_end_word(j->end), (int64_t)((j->run > j->elapsed ? j->run : j->elapsed) * 1e9));
}

bool job_tsv(const struct job *j, FILE *f)
{
    put_head(f, j);
    put_name(f, &(struct tsv_name){.by = "all"});
    put_calls(f, j->reported, j->all.calls, j->all.bytes, j->all.seconds);
    put_seconds(f, j->all.least);
    put_seconds(f, j->all.most);
    fputs("\t-\t-", f);
    put_waited(f, j->waited);
    fputs("\t-\t-", f);
    put_seconds(f, j->all.native);
    put_seconds(f, j->all.engine);
    put_seconds(f, j->all.predicted);
    putc('\n', f);
    put_measuring(f, j);
    for (int d = 0; d < TABLES; d++)
        for (int i = 0; i < j->groups[d]; i++)
            put_group(f, j->dry, d, &j->group[d][i]);
    for (int i = 0; i < j->reported; i++)
        put_rank(f, &j->rank[i]);
    for (int i = 0; i < j->others; i++) {
        put_name(f, &(struct tsv_name){.by = "other", .collective = j->other[i].name});
        put_calls(f, j->reported, j->other[i].calls, j->other[i].bytes, j->other[i].seconds);
        fputs("\t-\t-\t-\t-\t-\t-\t-\t-\t-\t-\n", f);
    }
    return !ferror(f);
}
