/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a job as text: the program and its run, then tables by collective, size, engine and reason, and call site. */
#include "job_tables.h"
#include "next_step.h"
#include "phrases.h"
#include "units.h"
#include "verdict.h"
#include "writers.h"

#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>

enum { TOP = 10, RANGES = 8 }; /* most sizes and most sites in a table; most ranges in a list of ranks */

struct page {
    const struct job *j;
    double run; /* seconds, of all ranks */
    int width;
    FILE *f;
};

/* ---- The head ------------------------------------------------------------------------------------------------------- */

/* Writes a line of the head, with its name before it. Cuts a long line as tables cut theirs. */
__attribute__((format(printf, 3, 4))) static void put_line(const struct page *p, const char *name, const char *format, ...)
{
    char *line = NULL;
    va_list ap;
    va_start(ap, format);
    int length = vasprintf(&line, format, ap), room = p->width - 12;
    va_end(ap);
    if (length < 0)
        return;
    bool cut = p->width > 0 && length > room && room > 2;
    for (length = cut ? room - 2 : length; cut && length > 0 && ((unsigned char)line[length] & 0xc0) == 0x80;)
        length--; /* do not cut a character of several bytes */
    fprintf(p->f, "  %-10s%.*s%s\n", name, length, line, cut ? ".." : "");
    free(line);
}

static void put_ranks(const struct page *p)
{
    const struct job *j = p->j;
    char ranks[RANK_LIST];
    if (j->own)
        put_line(p, "rank", "%d of %d", j->rank->rank, j->ranks);
    else if (phrase_ranks(j, ENDS, RANGES, ",", "-", ranks))
        put_line(p, "ranks", "%d, of which %d on %d node%s have reported; missing: %s", j->ranks, j->reported, j->nodes,
                 plural(j->nodes), ranks);
    else
        put_line(p, "ranks", "%d on %d node%s", j->reported, j->nodes, plural(j->nodes));
    if (phrase_ranks(j, END_RUNNING, RANGES, ",", "-", ranks))
        put_line(p, "unended", "%s: they were killed, or are still running", ranks);
    if (phrase_ranks(j, END_EXIT, RANGES, ",", "-", ranks))
        put_line(p, "exit", "%s: they ended without MPI_Finalize", ranks);
}

static const struct job_rank *busiest(const struct job *j)
{
    const struct job_rank *most = j->rank;
    for (const struct job_rank *r = j->rank; r < j->rank + j->reported; r++)
        most = r->seconds > most->seconds ? r : most;
    return most;
}

static void put_times(const struct page *p)
{
    const struct job *j = p->j;
    const struct job_rank *most = busiest(j);
    char run[UNITS_TEXT], mean[UNITS_TEXT], share[UNITS_TEXT], longest[UNITS_TEXT], waited[UNITS_TEXT], bytes[UNITS_TEXT];
    char fact[PHRASE_FACT];
    put_line(p, "run", "%s", time_about(j->run > j->elapsed ? j->run : j->elapsed, run));
    put_line(p, "calls", "%" PRId64 ", %s bytes: %s a rank, which is %s of its run; the most %s, of rank %d", j->all.calls,
             size_about(j->all.bytes, bytes), time_about(j->all.seconds / j->reported, mean),
             share_about(j->all.seconds, p->run, share), time_about(most->seconds, longest), most->rank);
    if (j->waited >= 0)
        put_line(p, "waited", "%s of the calls' time, for ranks that came later; in the rest data moved",
                 share_about(j->waited, 1, waited));
    if (*phrase_measuring(j, fact))
        put_line(p, "measuring", "%s", fact);
    if (*phrase_trials(j, fact))
        put_line(p, j->dry ? "beside" : "learned", "%s", fact);
    if (*phrase_slow(j, fact))
        put_line(p, "slow", "%s", fact);
}

static void put_head(const struct page *p)
{
    const struct job *j = p->j;
    char date[DATE_TEXT], text[NEXT_STEP], gain[GAIN];
    job_date(j->began, date);
    if (p->j->dry)
        fprintf(p->f, "Pleach report of a dry run: all calls were native; WOULD shows what would have served\n");
    else
        fprintf(p->f, "Pleach report\n");
    if (!j->dry && !j->log) {
        const struct advice_totals sums = sums_of(j);
        verdict_gain(j, &sums, gain);
        fprintf(p->f, "%s\n", gain);
    }
    fprintf(p->f, "%s\n", next_step(j, text));
    put_line(p, "command", "%s", *j->command ? j->command : "unknown");
    if (!j->log)
        put_line(p, "date", "%s UTC", date);
    put_line(p, "versions", "Pleach %s, %s", *j->pleach ? j->pleach : "unknown", *j->mpi ? j->mpi : "MPI unknown");
    put_ranks(p);
    put_line(p, "settings", "%s", *j->settings ? j->settings : "all default");
    if (*j->note)
        put_line(p, "machine", "%s", j->note);
    if (*j->unshared)
        put_line(p, "sharing", "no shared memory on some communicator: %s", j->unshared);
    put_times(p);
}

/* ---- Tables --------------------------------------------------------------------------------------------------------- */

static void put_reason(void *to, enum reason r)
{
    fprintf(to, "%s: %s\n", reason_word(r), phrase_reason(r));
}

static bool put_table(const struct job *j, int table, int top, struct document *in)
{
    struct table t;
    char text[UNITS_TEXT];
    if ((table < TABLES ? j->groups[table] : j->others) == 0)
        return true;
    putc('\n', in->f);
    job_table_begin(&t, j, table, in);
    const struct job_rest rest = job_rows(j, table, top, job_put_line, &t);
    const bool good = table_end(&t);
    if (rest.groups)
        fprintf(in->f, "... and %d more, with %s of the run\n", rest.groups, share_about(rest.seconds, job_run(j), text));
    if (table == BY_SITE && job_has_others(j))
        fputs(JOB_OTHERS_NOTE "\n", in->f);
    if (table == BY_SERVICE)
        phrase_reasons(j, put_reason, in->f);
    return good;
}

bool job_write_table(const struct job *j, enum dimension d, int top, struct document *in)
{
    struct table t;
    if (in->format == TABLE_TEXT)
        return put_table(j, (int)d, top, in);
    job_table_begin(&t, j, (int)d, in);
    job_rows(j, (int)d, top, job_put_line, &t);
    return table_end(&t);
}

bool job_text(const struct job *j, int columns, FILE *f)
{
    const struct page p = {j, job_run(j), columns, f};
    struct document all;
    bool good = true;
    document_begin(&all, TABLE_TEXT, f, columns);
    put_head(&p);
    for (int table = 0; good && table < JOB_TABLES; table++)
        good = put_table(j, table, table == BY_SIZE || table == BY_SITE ? TOP : INT_MAX, &all);
    if (j->log)
        fputs("\nTIME is that of a rank, on average. SHARE is the part of the run. MEAN is the time of a call.\n", f);
    else if (j->all.calls > 0)
        fputs("\nTIME is that of a rank, on average; MOST is that of the rank in the column RANK.\n"
              "SHARE is the part of the run. WAITED is the part of the time that passed before\n"
              "the last rank came. MEAN is the time of a call.\n",
              f);
    return good && !ferror(f);
}
