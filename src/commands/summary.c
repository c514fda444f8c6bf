/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the records of logs; see summary.h. */
#include "summary.h"

#include "cli.h"
#include "fields.h"
#include "lines.h"
#include "record.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16 }; /* more than a record can have */

/* The columns: those of the groupings, then numbers. A log from which somebody cut columns may lack the optional ones. */
enum { BYTES = GROUPINGS, DURATION, COLUMNS };

static const struct {
    const char *name;
    bool optional;
} column[COLUMNS] = {
    [LOG_SITE] = {"site"},       [LOG_ENGINE] = {"engine"},   [LOG_REASON] = {"reason"},   [LOG_COLLECTIVE] = {"collective"},
    [LOG_SIZE] = {"size", true}, [LOG_RANK] = {"rank", true}, [LOG_COMM] = {"comm", true}, [BYTES] = {"bytes"},
    [DURATION] = {"duration_us"}};

/* The positions of the columns in a log. */
struct header {
    int fields;         /* 0: not read yet */
    int where[COLUMNS]; /* -1: nowhere */
};

const char *grouping_name(int grouping)
{
    return column[grouping].name;
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------- */

/*
 * Reads a line without its newline, which may be CR LF; false at the end. Clears *whole if the line is too long, is cut off
 * or has a NUL.
 */
static bool next_line(FILE *f, char line[LINE], bool *whole)
{
    line[LINE - 1] = 1; /* it stays if the line does not fill the room */
    if (!fgets(line, LINE, f))
        return false;
    const size_t length = strlen(line);
    *whole = length > 0 && line[length - 1] == '\n';
    if (*whole)
        line_trim(line);
    else if (!line[LINE - 1] && line[LINE - 2] != '\n')
        for (int c; (c = getc(f)) != EOF && c != '\n';)
            ;
    return true;
}

/* Finds the columns. Returns the name of a missing column, or NULL if the fields are a header. */
static const char *find_columns(int fields, char *const field[FIELDS], struct header *h)
{
    struct header found = {.fields = fields};
    for (int c = 0; c < COLUMNS; c++) {
        found.where[c] = fields_find(fields, field, column[c].name);
        if (found.where[c] < 0 && !column[c].optional)
            return column[c].name;
    }
    *h = found;
    return NULL;
}

static bool parse_number(const char *text, double *x)
{
    char *end;
    if (!isdigit((unsigned char)*text) || strpbrk(text, "xX"))
        return false;
    *x = strtod(text, &end);
    return !*end && isfinite(*x);
}

/* Writes the name of a size class, which is its largest size. */
static void size_name(double bytes, char name[UNITS_TEXT])
{
    const int size = bytes < 0x1p62 ? rank_report_size((int64_t)bytes) : 62;
    size_print(size < 0 ? 0 : INT64_C(1) << size, name, UNITS_TEXT);
}

/* Is this the first call of the log with this rank, collective, communicator and size? Adds these to `kinds`. */
static bool is_first(struct texts *kinds, const char *const name[GROUPINGS], double bytes)
{
    const int64_t known = kinds->count;
    char *kind;
    if (asprintf(&kind, "%s\t%s\t%s\t%.0f", name[LOG_RANK], name[LOG_COLLECTIVE], name[LOG_COMM], bytes) < 0 ||
        texts_add(kinds, kind) < 0)
        cli_fail(STATUS_FAILED, "out of memory");
    free(kind);
    return kinds->count > known;
}

/* `rank`: the same address for all calls of a rank. If ranks take turns in a log, g->ranks may become too large. */
static void count_call(struct sum *g, const char *rank, double bytes, double seconds, const double *each, bool first)
{
    const struct tally call = {
        .calls = 1, .bytes = bytes, .seconds = seconds, .least = seconds, .most = seconds, .first = seconds};
    sum_add(g, g->ranks + (g->rank != rank), &call, each);
    g->rank = rank;
    g->first += first ? seconds : 0;
}

/* Counts a record in all sums that it belongs to; false if the fields are no record. */
static bool add_record(struct summary *s, const struct header *h, int fields, char *const field[FIELDS], struct texts *kinds)
{
    double bytes, microseconds;
    char size[UNITS_TEXT];
    const char *name[GROUPINGS];
    if (fields != h->fields || !parse_number(field[h->where[BYTES]], &bytes) ||
        !parse_number(field[h->where[DURATION]], &microseconds))
        return false;
    size_name(bytes, size);
    for (int i = 0; i < GROUPINGS; i++) {
        name[i] = i == LOG_SIZE ? size : h->where[i] < 0 ? "-" : field[h->where[i]];
        if (!*name[i])
            return false;
    }
    const bool first = is_first(kinds, name, bytes);
    const double seconds = 1e-6 * microseconds;
    const char *rank = s->wanted[LOG_RANK] ? sums_named(&s->by[LOG_RANK], name[LOG_RANK])->name : NULL;
    for (int i = 0; i < GROUPINGS; i++)
        if (s->wanted[i])
            count_call(sums_named(&s->by[i], name[i]), rank, bytes, seconds, &seconds, first);
    count_call(&s->all, rank, bytes, seconds, NULL, first);
    s->firsts += first;
    return true;
}

static void read_remark(const char *line, const char *name)
{
    static const char frame[] = "# frame ", version[] = "# pleach-log ";
    int number;
    if (strncmp(line, frame, sizeof frame - 1) == 0)
        lines_tell(line + sizeof frame - 1);
    else if (strncmp(line, version, sizeof version - 1) == 0 && sscanf(line + sizeof version - 1, "%d", &number) == 1 &&
             number > atoi(RECORD_VERSION))
        cli_fail(STATUS_FAILED,
                 "%s is a log of format %d, but this command knows none above " RECORD_VERSION "; take the command of %s",
                 name, number, strstr(line, "Pleach ") ? strstr(line, "Pleach ") : "a newer Pleach");
}

void summary_add(struct summary *s, FILE *f, const char *name)
{
    static char line[LINE];
    char *field[FIELDS];
    struct header h = {0};
    struct texts kinds = {0};
    bool whole;
    while (next_line(f, line, &whole)) {
        make_printable(line, "\t");
        s->dry |= strcmp(line, "# " DRY_RUN_REMARK) == 0;
        if (*line == '#' && whole)
            read_remark(line, name);
        if (*line == '#' || (!*line && whole))
            continue;
        int fields = fields_cut(line, field);
        if (!h.fields) {
            const char *missing = find_columns(fields, field, &h);
            if (missing)
                cli_fail(STATUS_FAILED, "%s is no log of Pleach: its first line lacks the column '%s'", name, missing);
        } else if (!whole || (!add_record(s, &h, fields, field, &kinds) && find_columns(fields, field, &h))) {
            s->broken++; /* the header of a log that was appended is not broken */
        }
    }
    texts_free(&kinds);
    if (ferror(f))
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, strerror(errno));
}
