/* SPDX-License-Identifier: BSD-2-Clause */
/* See table.h. */
#include "table.h"

#include "units.h"
#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BILLION 1000000000

/* ---- Values ---------------------------------------------------------------------------------------------------------- */

struct table_cell {
    const char *word;
    bool whole, known;
    int64_t number;
    double x;
};

static struct table_cell value_of(const struct table_column *c, const void *row)
{
    const void *at = (const char *)row + c->where;
    struct table_cell v = {0};
    switch (c->type) {
    case VALUE_TEXT:
    case VALUE_ENGINE:
    case VALUE_SITE:
        v.word = *(const char *const *)at;
        v.known = v.word != NULL;
        return v;
    case VALUE_WORD:
        v.word = *(const bool *)at ? "yes" : "no";
        v.known = true;
        return v;
    case VALUE_NUMBER:
    case VALUE_COUNT:
    case VALUE_SIZE:
        v.whole = true;
        v.number = c->type == VALUE_NUMBER ? *(const int *)at : *(const int64_t *)at;
        v.known = v.number >= 0;
        return v;
    default:
        v.x = *(const double *)at;
        v.known = c->type >= VALUE_CHANGE ? !isnan(v.x) : v.x >= 0;
        return v;
    }
}

/* By integers: printf's %f depends on the locale. */
static void put_decimals(double x, int64_t scale, int digits, char *text)
{
    const int64_t parts = x < 9e18 / (double)scale ? (int64_t)(x * (double)scale + 0.5) : INT64_MAX;
    snprintf(text, TABLE_VALUE, "%" PRId64 ".%0*" PRId64, parts / scale, digits, parts % scale);
}

static void put_digits(double x, int digits, char *text)
{
    const locale_t before = uselocale(c_locale());
    snprintf(text, UNITS_TEXT, "%.*g", digits, x);
    uselocale(before);
}

static void put_change(double x, char *text)
{
    if (100 * x < 999.5)
        snprintf(text, TABLE_VALUE, "%+.0f%%", 100 * x);
    else
        put_digits(1 + x, 4, strcpy(text, "x") + 1);
}

static void put_plain(enum value_type type, double x, char *text)
{
    if (x < 0)
        *text++ = '-';
    x = fabs(x);
    switch (type) {
    case VALUE_BYTES:
        snprintf(text, TABLE_VALUE, "%.0f", x);
        break;
    case VALUE_TIME:
    case VALUE_SAVED:
        put_decimals(x, BILLION, 9, text);
        break;
    case VALUE_MICROS:
        put_decimals(1e6 * x, 10, 1, text);
        break;
    case VALUE_EXACT:
        put_digits(x, 6, text);
        break;
    default:
        put_decimals(x, 10000, 4, text);
    }
}

const char *table_value(const struct table_column *c, const void *row, bool plain, char text[TABLE_VALUE])
{
    const struct table_cell v = value_of(c, row);
    if (!v.known || v.word)
        return v.word ? v.word : "-";
    if (c->type == VALUE_SIZE && !plain)
        size_print(v.number, text, UNITS_TEXT);
    else if (v.whole)
        snprintf(text, TABLE_VALUE, "%" PRId64, v.number);
    else if (plain)
        put_plain(c->type, v.x, text);
    else if (c->type == VALUE_BYTES)
        size_about(v.x, text);
    else if (c->type == VALUE_TIME || c->type == VALUE_MICROS)
        time_about(v.x, text);
    else if (c->type == VALUE_SAVED) {
        strcpy(text, v.x < 0 ? "-" : "");
        time_about(fabs(v.x), text + strlen(text));
    } else if (c->type == VALUE_RATIO)
        put_decimals(v.x, 100, 2, text);
    else if (c->type == VALUE_EXACT)
        put_digits(v.x, 6, text);
    else if (c->type == VALUE_CHANGE)
        put_change(v.x, text);
    else
        share_about(v.x, 1, text);
    return text;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

/* Syntax, a page's too, and what steers terminals or the direction of text. */
static bool must_escape(uint32_t c)
{
    return c < ' ' || (c < 0x7f && strchr("\"\\<>&", (int)c)) || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfffe || c == 0xffff;
}

void json_text(FILE *f, const char *text)
{
    putc('"', f);
    while (*text) {
        uint32_t character = 0xfffd;
        const int length = utf8_length(text, &character);
        if (length == 0)
            fputs("\\ufffd", f);
        else if (must_escape(character))
            fprintf(f, "\\u%04x", (unsigned)character);
        else
            fwrite(text, 1, (size_t)length, f);
        text += length ? length : 1;
    }
    putc('"', f);
}

void json_number(FILE *f, double x)
{
    char text[TABLE_VALUE];
    const locale_t before = uselocale(c_locale());
    int digits = 15;
    do
        put_digits(x, digits, text);
    while (strtod(text, NULL) != x && digits++ < 17);
    uselocale(before);
    fputs(text, f);
}

void json_value(FILE *f, const struct table_column *c, const void *row)
{
    const struct table_cell v = value_of(c, row);
    if (!v.known || isinf(v.x))
        fputs("null", f);
    else if (c->type == VALUE_WORD)
        fputs(*v.word == 'y' ? "true" : "false", f);
    else if (v.word)
        json_text(f, v.word);
    else if (v.whole)
        fprintf(f, "%" PRId64, v.number);
    else
        json_number(f, c->type == VALUE_MICROS ? 1e6 * v.x : v.x);
}

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

void document_begin(struct document *d, enum table_format format, FILE *f, int width)
{
    *d = (struct document){.format = format, .f = f, .width = width};
    if (format == TABLE_JSON)
        putc('{', f);
}

void document_end(struct document *d)
{
    if (d->format == TABLE_JSON)
        fputs("\n}\n", d->f);
}

static void put_cell(FILE *f, const char *text, bool comma)
{
    const bool quoted = comma && strpbrk(text, ",\"");
    if (quoted)
        putc('"', f);
    for (; *text; text++) {
        if (quoted && *text == '"')
            putc('"', f);
        putc(*text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text, f);
    }
    if (quoted)
        putc('"', f);
}

static void put_headings(const struct table *t)
{
    const bool comma = t->in->format == TABLE_CSV, text = t->in->format == TABLE_TEXT;
    for (int c = 0; c < t->columns; c++) {
        put_cell(t->f, text ? t->column[c]->heading : t->column[c]->name, comma);
        putc(c == t->columns - 1 ? '\n' : comma ? ',' : '\t', t->f);
    }
}

void table_begin(struct table *t, struct document *in, const char *name, const struct table_column *const *column,
                 int columns)
{
    *t = (struct table){.in = in, .columns = columns, .f = in->f};
    memcpy(t->column, column, (size_t)columns * sizeof *column);
    if (in->format == TABLE_TEXT) {
        t->f = columns_begin(&t->text);
        t->text.marks = in->marks;
    }
    if (in->format == TABLE_JSON)
        fprintf(in->f, "%s\n \"%s\": [", in->count ? "," : "", name);
    else if (t->f && (in->format == TABLE_TEXT || in->shown != *column))
        put_headings(t);
    in->shown = *column;
    in->count++;
}

void table_open(struct table *t, struct document *in, const char *name, const struct table_column *column)
{
    const struct table_column *seen[TABLE_COLUMNS];
    int columns = 0;
    for (; column->name || column->heading; column++)
        if (in->format == TABLE_TEXT ? column->heading : column->name)
            seen[columns++] = column;
    table_begin(t, in, name, seen, columns);
}

static void put_object(const struct table *t, const void *row)
{
    fputs(t->rows ? ",\n  {" : "\n  {", t->f);
    for (int c = 0; c < t->columns; c++) {
        fprintf(t->f, "%s\"%s\": ", c ? ", " : "", t->column[c]->name);
        json_value(t->f, t->column[c], row);
    }
    putc('}', t->f);
}

void table_row(struct table *t, const void *row)
{
    const enum table_format format = t->in->format;
    char text[TABLE_VALUE];
    if (!t->f)
        return;
    if (format == TABLE_JSON)
        put_object(t, row);
    for (int c = 0; format != TABLE_JSON && c < t->columns; c++) {
        put_cell(t->f, table_value(t->column[c], row, format != TABLE_TEXT, text), format == TABLE_CSV);
        putc(c == t->columns - 1 ? '\n' : format == TABLE_CSV ? ',' : '\t', t->f);
    }
    t->rows++;
}

bool table_end(struct table *t)
{
    if (t->in->format == TABLE_JSON)
        fputs(t->rows ? "\n ]" : "]", t->in->f);
    if (t->in->format != TABLE_TEXT)
        return true;
    return t->f && columns_end(&t->text, t->rows ? t->in->f : NULL, t->in->width);
}
