/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a job's sums. TSV, text and HTML show the same rows, but choose among the columns. */
#pragma once

#include "job.h"

/* The type of a column's values, and what people read. A time or share below 0 is unknown. */
enum job_value {
    VALUE_TEXT,
    VALUE_ENGINE, /* text */
    VALUE_SITE,   /* text */
    VALUE_RANK,   /* int */
    VALUE_COUNT,  /* int64_t */
    VALUE_SIZE,   /* int64_t: 64K; below 0: unknown */
    VALUE_BYTES,  /* double: 1.5K */
    VALUE_TIME,   /* double, seconds: 12us */
    VALUE_SHARE,  /* double: 12.5% */
    VALUE_PART    /* a share which HTML shows as a bar, too */
};

struct job_column {
    const char *name, *heading; /* in TSV; for people */
    enum job_value type;
    size_t where;     /* in struct job_row */
    const char *help; /* explains the heading */
};

struct job_row {
    const char *by, *collective, *engine, *would, *reason, *site; /* NULL: no value */
    int64_t size;
    struct job_group sums;
    double served_seconds;            /* of calls that engines served */
    double time, share, mean, served; /* seconds of a rank, on average; parts of the run; seconds of a call; parts of sums */
    double median;                    /* seconds of a call, in jobs of logs */
    double native, predicted;         /* seconds of a call, natively and with the engine */
};

/* The tables that people see: one for each dimension below TABLES, then one of collectives that Pleach does not serve. */
enum { OTHER_TABLE = TABLES, JOB_TABLES };

/*
 * Sets shown[] to the columns that people see in a table, as text or as HTML, and returns their number. If `table` is
 * JOB_TABLES, sets it to all columns of TSV, which are the same for all tables.
 */
enum { SHOWN_COLUMNS = 32 };
int job_columns(const struct job *j, int table, bool html, const struct job_column *shown[SHOWN_COLUMNS]);

/* Takes a row of a table, which is gone afterwards. */
typedef void job_put_row(void *to, const struct job_row *r);

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

/* The text of a value, which may lie in text[UNITS_TEXT]; "-" if there is none. With `plain`, numbers have no units. */
const char *job_value_text(const struct job_column *c, const struct job_row *r, bool plain, char *text);

/* Lines with tabs between values, for TSV (`plain`) or columns.h: the columns' names, and a row (to: struct job_lines). */
struct job_lines {
    const struct job_column *column[SHOWN_COLUMNS];
    int columns;
    bool plain;
    FILE *f;
};

void job_put_headings(const struct job_lines *l);
void job_put_line(void *to, const struct job_row *r);
