/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a job's sums. Data, text and HTML show the same rows, but choose among the columns. */
#pragma once

#include "job.h"

struct job_row {
    const char *by, *collective, *engine, *would, *reason, *site; /* NULL: no value */
    int64_t size;
    struct job_group sums;
    double served_seconds;            /* of calls that engines served */
    double time, share, mean, served; /* seconds of a rank, on average; parts of the run; seconds of a call; parts of sums */
    double median;                    /* seconds of a call, in jobs of logs */
    double saved;                     /* seconds of a rank, on average */
    double native, predicted;         /* seconds of a call, natively and with the engine */
};

/* The tables that people see: one for each dimension below TABLES, then one of collectives that Pleach does not serve. */
enum { OTHER_TABLE = TABLES, JOB_TABLES };

/* Sets shown[] to the columns that people see in a table, as text or as HTML. Returns their number. */
int job_columns(const struct job *j, int table, bool html, const struct table_column *shown[TABLE_COLUMNS]);

/* Begins a table as text with these columns, or as data, with columns that are the same for all tables. */
void job_table_begin(struct table *t, const struct job *j, int table, struct document *in);

/* Takes a row of a table, which is gone afterwards. job_put_line() adds it to a struct table. */
typedef void job_put_row(void *to, const struct job_row *r);
job_put_row job_put_line;

/* Puts the rows that TSV alone has before and behind these tables: of all calls, and of measuring; of ranks. */
void job_all_rows(const struct job *j, job_put_row *put, void *to);
void job_rank_rows(const struct job *j, job_put_row *put, void *to);

/* Groups that a table has left out. */
struct job_rest {
    int groups;
    double seconds;
};

/* Puts the rows of a table: those of the `top` groups with most time, and of the group of all others. */
struct job_rest job_rows(const struct job *j, int table, int top, job_put_row *put, void *to);
