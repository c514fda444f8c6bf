/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables: rows, which are structures, below named columns; as text, TSV, CSV or JSON, alike in any locale. */
#pragma once

#include "columns.h"

/* NULL and NaN are unknown, and so are numbers below 0 but changes and savings. */
enum value_type {
    VALUE_TEXT,   /* const char * */
    VALUE_ENGINE, /* as VALUE_TEXT */
    VALUE_SITE,   /* as VALUE_TEXT */
    VALUE_WORD,   /* bool */
    VALUE_NUMBER, /* int */
    VALUE_COUNT,  /* int64_t */
    VALUE_SIZE,   /* int64_t: 64K */
    VALUE_BYTES,  /* double: 1.5K */
    VALUE_TIME,   /* double, seconds: 12us */
    VALUE_MICROS, /* double, seconds; in data, microseconds */
    VALUE_SHARE,  /* double: 12.5% */
    VALUE_PART,   /* as VALUE_SHARE, on a page also a bar */
    VALUE_RATIO,  /* double: 1.25 */
    VALUE_EXACT,  /* double: 5.96e-11 */
    VALUE_CHANGE, /* double: +25%, x12 */
    VALUE_SAVED   /* double, seconds: -12us */
};

struct table_column {
    const char *name;    /* in data; NULL: not there */
    const char *heading; /* for people; NULL: not there */
    enum value_type type;
    size_t where;     /* offset in the row */
    const char *help; /* or NULL */
};

enum table_format { TABLE_TEXT, TABLE_TSV, TABLE_CSV, TABLE_JSON };
#define TABLE_WORDS "text|tsv|csv|json"

/* A command's tables; in JSON an object, by name. */
struct document {
    enum table_format format;
    FILE *f;
    int width;
    bool marks;
    const struct table_column *shown; /* first column of the last table, or NULL */
    int count;
};

enum { TABLE_COLUMNS = 64 };

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
 * The list of the second function ends with a column without name and heading. TSV and CSV repeat a heading only if it
 * differs from the last.
 */
void table_begin(struct table *t, struct document *in, const char *name, const struct table_column *const *column,
                 int columns);
void table_open(struct table *t, struct document *in, const char *name, const struct table_column *column);

void table_row(struct table *t, const void *row);

/* Returns false if memory was short. A text without rows is empty. */
bool table_end(struct table *t);

/* The text of a value, perhaps in text[]; "-" if unknown. `plain`: as data. */
enum { TABLE_VALUE = 48 };
const char *table_value(const struct table_column *c, const void *row, bool plain, char text[TABLE_VALUE]);

/* Write parts of JSON, in UTF-8, which may stand in a page. Numbers read back the same; unknown values are null. */
void json_text(FILE *f, const char *text);
void json_number(FILE *f, double x);
void json_value(FILE *f, const struct table_column *c, const void *row);
