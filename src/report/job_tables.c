/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a job's sums; see job_tables.h. */
#include "job_tables.h"

#include "advice_sums.h"
#include "phrases.h"
#include "rank_report_values.h"

#include <math.h>
#include <string.h>

#define AT(field) offsetof(struct job_row, field)

/* The columns of TSV, then further ones. Scripts find the former by their numbers, so a new one comes behind the others. */
enum { DATA_COLUMNS = 23 };
static const struct table_column columns[] = {
    {"by", NULL, VALUE_TEXT, AT(by), NULL},
    {"collective", "COLLECTIVE", VALUE_TEXT, AT(collective), "a function of MPI"},
    {"size", "UP TO", VALUE_SIZE, AT(size), "bytes of a call"},
    {"engine", "ENGINE", VALUE_ENGINE, AT(engine), "the algorithm"},
    {"would", "WOULD", VALUE_ENGINE, AT(would), "the algorithm that would have served"},
    {"reason", "REASON", VALUE_TEXT, AT(reason), "why this engine"},
    {"site", "SITE", VALUE_SITE, AT(site), "innermost function first"},
    {"ranks", NULL, VALUE_NUMBER, AT(sums.ranks), NULL},
    {"calls", "CALLS", VALUE_COUNT, AT(sums.tally.calls), "on all ranks"},
    {"bytes", "BYTES", VALUE_BYTES, AT(sums.tally.bytes), "on all ranks"},
    {"seconds", NULL, VALUE_TIME, AT(sums.tally.seconds), NULL},
    {"min_s", "MIN", VALUE_TIME, AT(sums.tally.least), "of a call"},
    {"max_s", "MAX", VALUE_TIME, AT(sums.tally.most), "of a call"},
    {"most_s", "MOST", VALUE_TIME, AT(sums.most), "the most time that a rank spent in these calls"},
    {"most_rank", "RANK", VALUE_NUMBER, AT(sums.most_rank), "the rank that spent most time"},
    {"waited", "WAITED", VALUE_SHARE, AT(sums.waited), "part of the time in which ranks waited for other ranks"},
    {"engines_s", NULL, VALUE_TIME, AT(served_seconds), NULL},
    {"would_s", NULL, VALUE_TIME, AT(sums.engines.seconds), NULL},
    {"predicted_native_s", NULL, VALUE_TIME, AT(sums.tally.native), NULL},
    {"predicted_engine_s", NULL, VALUE_TIME, AT(sums.tally.engine), NULL},
    {"predicted_calls_s", NULL, VALUE_TIME, AT(sums.tally.predicted), NULL},
    {"median_s", "MEDIAN", VALUE_TIME, AT(median), "of a call"},
    {"saved_s", "SAVED", VALUE_SAVED, AT(saved), "in these calls by Pleach: a rank's mean, by trials or the model"},
    {"time", "TIME", VALUE_TIME, AT(time), "in these calls: a rank's mean"},
    {"share", "SHARE", VALUE_PART, AT(share), "of the time that all ranks ran"},
    {"mean", "MEAN", VALUE_TIME, AT(mean), "of a call"},
    {"served", "ENGINES", VALUE_SHARE, AT(served), "part of the time that engines served"},
    {"would_serve", "WOULD", VALUE_SHARE, AT(served), "part of the time that engines would have served"},
    {"native", "NATIVE", VALUE_TIME, AT(native), "of a call, by model or trials"},
    {"predicted", "PREDICTED", VALUE_TIME, AT(predicted), "of a call with the engine, by model or trials"},
    {"rank", "RANK", VALUE_SITE, AT(site), NULL},
    {"comm", "COMM", VALUE_SITE, AT(site), NULL},
    {"other", "BESIDE", VALUE_TEXT, AT(collective), "a function of MPI, or sums"},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

#define CALLS "calls bytes time share mean median_s min_s max_s "
#define SUMS "calls bytes time most_s most_rank share waited mean "

/* The columns that people see in each table: as text, as HTML, and as the text of a job of logs. */
static const char *const lists[JOB_TABLES][3] = {
    [BY_COLLECTIVE] = {SUMS "served would_serve saved_s collective",
                       "collective " SUMS "min_s max_s served would_serve saved_s", CALLS "collective"},
    [BY_SIZE] = {SUMS "served would_serve size collective", "collective size " SUMS "min_s max_s served would_serve",
                 CALLS "size collective"},
    [BY_SERVICE] = {SUMS "collective engine would reason", "collective engine would reason " SUMS "native predicted",
                    CALLS "collective engine would reason"},
    [BY_SITE] = {SUMS "collective site", "site collective " SUMS, CALLS "collective site"},
    [OTHER_TABLE] = {"calls bytes time share mean other", "other calls bytes time share mean", ""},
};

/* The words of the columns that people see. */
static const char *list_of(const struct job *j, int table, bool html)
{
    if (j->log && table == BY_SITE && strcmp(j->log, "site") != 0)
        return *j->log == 'r' ? CALLS "rank" : CALLS "comm";
    return lists[table][html ? 1 : j->log ? 2 : 0];
}

int job_columns(const struct job *j, int table, bool html, const struct table_column *shown[TABLE_COLUMNS])
{
    int count = 0;
    for (const char *word = list_of(j, table, html); *word; word += strcspn(word, " "), word += *word == ' ')
        for (const struct table_column *c = columns; c < columns + COLUMNS; c++)
            if (strlen(c->name) == strcspn(word, " ") && strncmp(c->name, word, strlen(c->name)) == 0 &&
                (strncmp(word, "would", 5) == 0 ? j->dry : !j->dry || strncmp(word, "served", 6) != 0))
                shown[count++] = c;
    return count;
}

void job_table_begin(struct table *t, const struct job *j, int table, struct document *in)
{
    const struct table_column *shown[TABLE_COLUMNS];
    int count = in->format == TABLE_TEXT ? job_columns(j, table, false, shown) : 0;
    for (; in->format != TABLE_TEXT && count < DATA_COLUMNS; count++)
        shown[count] = &columns[count];
    table_begin(t, in, "calls", shown, count);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------------ */

static const struct tally unknown = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

static struct job_row row_of_group(const struct job *j, double run, int table, const struct job_group *g)
{
    static const char *const names[TABLES] = {
        [BY_COLLECTIVE] = "collective", [BY_SIZE] = "size", [BY_SERVICE] = "engine", [BY_SITE] = "site"};
    const struct tally *t = &g->tally;
    const double both = (double)t->calls * t->predicted / t->seconds; /* about the number of calls that have both times */
    struct job_row r = {.by = names[table], .collective = collective_name(g->collective), .size = -1, .sums = *g};
    r.saved = table == BY_COLLECTIVE ? saved_by(j, g->collective) / j->reported : 0;
    r.saved = r.saved == 0 ? NAN : r.saved;
    if (table == BY_SIZE)
        r.size = g->size < 0 ? 0 : INT64_C(1) << g->size;
    if (table == BY_SITE) {
        r.site = g->source ? g->source : *g->site ? g->site : JOB_OTHERS;
        r.by = j->log ? j->log : r.by;
        r.collective = j->log && strcmp(j->log, "site") != 0 ? NULL : r.collective;
    }
    if (table == BY_SERVICE) {
        r.engine = engines[g->engine]->name;
        r.would = engines[g->would]->name;
        r.reason = reason_word(g->reason);
    }
    r.served_seconds = j->dry ? 0 : g->engines.seconds;
    r.time = t->seconds / j->reported;
    r.share = run > 0 ? t->seconds / run : 0;
    r.mean = t->seconds / (double)t->calls;
    r.served = t->seconds > 0 ? g->engines.seconds / t->seconds : 0;
    r.median = g->times ? g->middle : -1;
    r.native = t->predicted > 0 ? t->native / both : -1;
    r.predicted = t->predicted > 0 ? t->engine / both : -1;
    return r;
}

static void put_other(const struct job *j, double run, const struct rank_other *o, job_put_row *put, void *to)
{
    struct job_row r = {.by = "other", .collective = o->name, .size = -1, .served_seconds = -1, .median = -1, .saved = NAN};
    r.sums = (struct job_group){
        .ranks = j->reported, .tally = unknown, .engines = unknown, .most = -1, .most_rank = -1, .waited = -1};
    r.sums.tally.calls = o->calls;
    r.sums.tally.bytes = o->bytes;
    r.sums.tally.seconds = o->seconds;
    r.time = o->seconds / (j->reported > 0 ? j->reported : 1);
    r.share = run > 0 ? o->seconds / run : 0;
    r.mean = o->seconds / (double)o->calls;
    put(to, &r);
}

struct job_rest job_rows(const struct job *j, int table, int top, job_put_row *put, void *to)
{
    const double run = job_run(j);
    struct job_rest rest = {0};
    for (int i = 0; table == OTHER_TABLE && i < j->others; i++)
        put_other(j, run, &j->other[i], put, to);
    for (int i = 0; table < TABLES && i < j->groups[table]; i++) {
        const struct job_row r = row_of_group(j, run, table, &j->group[table][i]);
        if (job_shows(&r.sums, i, top)) {
            put(to, &r);
        } else {
            rest.seconds += r.sums.tally.seconds;
            rest.groups++;
        }
    }
    return rest;
}

void job_all_rows(const struct job *j, job_put_row *put, void *to)
{
    struct job_row r = {.by = "all", .size = -1, .served_seconds = -1, .median = -1, .saved = NAN};
    r.sums = (struct job_group){
        .ranks = j->reported, .tally = j->all, .engines = unknown, .most = -1, .most_rank = -1, .waited = j->waited};
    put(to, &r);
    r.by = "measuring"; /* no call's time includes the time for measuring the machine and sharing memory */
    r.sums.tally = unknown;
    r.sums.tally.seconds = j->measuring;
    r.sums.waited = -1;
    if (j->measuring > 0)
        put(to, &r);
}

void job_rank_rows(const struct job *j, job_put_row *put, void *to)
{
    for (const struct job_rank *rank = j->rank; rank < j->rank + j->reported; rank++) {
        struct job_row r = {.by = "rank", .site = rank->host, .size = -1, .served_seconds = -1, .median = -1, .saved = NAN};
        r.sums = (struct job_group){.ranks = 1, .tally = unknown, .engines = unknown, .waited = rank->waited};
        r.sums.tally.calls = rank->calls;
        r.sums.tally.seconds = r.sums.most = rank->seconds;
        r.sums.most_rank = rank->rank;
        put(to, &r);
    }
}
