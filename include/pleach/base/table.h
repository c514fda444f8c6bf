/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables: rows of values below named columns, as text for people, TSV, CSV or JSON. A row is a structure; a column says
 * where in it the value lies, and of what type it is. All functions write the same in any locale.
 */
#pragma once

#include "columns.h"

#include <stdint.h>

/*
 * The type of a value, and what people read. NULL and NaN are unknown, and so is a number below 0 unless it is a change or
 * saved.
 */
enum value_type {
    VALUE_TEXT,   /* const char * */
    VALUE_ENGINE, /* the same: the name of an engine */
    VALUE_SITE,   /* the same: a call site */
    VALUE_WORD,   /* bool: yes or no */
    VALUE_NUMBER, /* int */
    VALUE_COUNT,  /* int64_t */
    VALUE_SIZE,   /* int64_t: 64K */
    VALUE_BYTES,  /* double: 1.5K */
    VALUE_TIME,   /* double, seconds: 12us */
    VALUE_MICROS, /* the same; in data, microseconds */
    VALUE_SHARE,  /* double: 12.5% */
    VALUE_PART,   /* the same; a page shows it as a bar, too */
    VALUE_RATIO,  /* double: 1.25 */
    VALUE_EXACT,  /* double: 5.96e-11 */
    VALUE_CHANGE, /* double: +25%, x12 */
    VALUE_SAVED   /* double, seconds: -12us */
};

struct table_column {
    const char *name;    /* in data; NULL: only people see the column */
    const char *heading; /* for people; NULL: only in data */
    enum value_type type;
    size_t where;     /* of the value in the row */
    const char *help; /* explains the heading; or NULL */
};

enum table_format { TABLE_TEXT, TABLE_TSV, TABLE_CSV, TABLE_JSON };
#define TABLE_WORDS "text|tsv|csv|json" /* their names */

/* The tables that a command prints. In JSON, an object has them by their names. */
struct document {
    enum table_format format;
    FILE *f;
    int width;                        /* of a line of text, as in columns_end() */
    bool marks;                       /* as in struct columns */
    const struct table_column *shown; /* the first column of the last table, or NULL */
    int count;
};

enum { TABLE_COLUMNS = 64 };

/* A table that is being written. */
struct table {
    struct document *in;
    const struct table_column *column[TABLE_COLUMNS];
    int columns, rows;
    struct columns text;
    FILE *f; /* NULL: memory is short */
};

void document_begin(struct document *d, enum table_format format, FILE *f, int width);
void document_end(struct document *d);

/*
 * Begins a table with these columns. The list of the second function ends with a column without a name and heading, and the
 * table has those of its columns that its readers see. TSV and CSV repeat a heading only if it differs from the last.
 */
void table_begin(struct table *t, struct document *in, const char *name, const struct table_column *const *column,
                 int columns);
void table_open(struct table *t, struct document *in, const char *name, const struct table_column *column);

void table_row(struct table *t, const void *row);

/* Ends the table. Returns false if memory was short. A text without rows is empty. */
bool table_end(struct table *t);

/* The text of a value, which may lie in text[TABLE_VALUE]; "-" if it is unknown. `plain`: as data. */
enum { TABLE_VALUE = 48 };
const char *table_value(const struct table_column *c, const void *row, bool plain, char text[TABLE_VALUE]);

/*
 * Write parts of JSON: a text; a number that reads back as the same; a value, null if it is unknown. The text is UTF-8
 * whatever `text` has, and may stand in a page.
 */
void json_text(FILE *f, const char *text);
void json_number(FILE *f, double x);
void json_value(FILE *f, const struct table_column *c, const void *row);
