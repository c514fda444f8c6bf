/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads logs; see logs.h. */
#include "logs.h"

#include "cli.h"
#include "fields.h"
#include "lines.h"
#include "record.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16, MOST_LOG_RANKS = 1 << 24 }; /* LINE: more than a record can have */

/* The columns. A log from which somebody cut columns may lack those from RANK on. */
enum { SITE, ENGINE, REASON, COLLECTIVE, BYTES, DURATION, RANK, TIME, COMM, COLUMNS };

static const char *const column[COLUMNS] = {"site",        "engine", "reason", "collective", "bytes",
                                            "duration_us", "rank",   "time_s", "comm"};

/* The positions of the columns in a log. */
struct header {
    int fields;         /* 0: not read yet */
    int where[COLUMNS]; /* -1: nowhere */
};

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
        found.where[c] = fields_find(fields, field, column[c]);
        if (found.where[c] < 0 && c < RANK)
            return column[c];
    }
    *h = found;
    return NULL;
}

/* Reads a number from 0 to `most`. */
static bool parse_number(const char *text, double most, double *x)
{
    char *end;
    if (!isdigit((unsigned char)*text) || strpbrk(text, "xX"))
        return false;
    *x = strtod(text, &end);
    return !*end && isfinite(*x) && *x <= most;
}

static bool parse_reason(const char *text, enum reason *reason)
{
    for (*reason = 0; *reason < REASONS; ++*reason)
        if (strcmp(reason_word(*reason), text) == 0)
            return true;
    return false;
}

/* Adds a record; false if the fields are no record. In a log of a dry run, the engine is the one that would have served. */
static bool add_record(struct merge *j, const char *by, const struct header *h, int fields, char *const field[FIELDS],
                       bool dry)
{
    double number[COLUMNS] = {0};
    const char *text[COLUMNS];
    struct rank_row row = {.site = 0};
    if (fields != h->fields)
        return false;
    for (int c = 0; c < COLUMNS; c++) {
        text[c] = h->where[c] < 0 ? "-" : field[h->where[c]];
        if (c < BYTES
                ? !*text[c]
                : h->where[c] >= 0 && c != COMM && !parse_number(text[c], c == RANK ? MOST_LOG_RANKS : 0x1p62, &number[c]))
            return false;
    }
    const struct engine *e = engine_find(text[ENGINE]);
    if (!e || !collective_parse(text[COLLECTIVE], &row.collective) || !parse_reason(text[REASON], &row.reason))
        return false;
    const double seconds = 1e-6 * number[DURATION];
    row.size = rank_report_size((int64_t)number[BYTES]);
    row.would = engine_row(e);
    row.engine = dry ? 0 : row.would;
    row.tally = (struct tally){
        .calls = 1, .bytes = number[BYTES], .seconds = seconds, .least = seconds, .most = seconds, .first = seconds};
    const char *const label = text[!by ? SITE : *by == 'r' ? RANK : COMM];
    if (by)
        row.collective = 0;
    if (!job_add_call(j, by ? by : "site", (int)number[RANK], number[TIME] + seconds, &row, label))
        cli_fail(STATUS_FAILED, "out of memory");
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

void logs_add(struct merge *j, FILE *f, const char *name, struct log_lines *lines)
{
    static char line[LINE];
    char *field[FIELDS];
    struct header h = {0};
    bool whole, dry = false;
    while (next_line(f, line, &whole)) {
        make_printable(line, "\t");
        dry |= strcmp(line, "# " DRY_RUN_REMARK) == 0;
        if (*line == '#' && whole)
            read_remark(line, name);
        if (*line == '#' || (!*line && whole))
            continue;
        int fields = fields_cut(line, field);
        if (!h.fields) {
            const char *missing = find_columns(fields, field, &h);
            if (missing)
                cli_fail(STATUS_FAILED, "%s is no log of Pleach: its first line lacks the column '%s'", name, missing);
        } else if (whole && add_record(j, lines->by, &h, fields, field, dry)) {
            lines->records++;
        } else if (!whole || find_columns(fields, field, &h)) {
            lines->broken++; /* the header of a log that was appended is not broken */
        }
    }
    if (ferror(f))
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, strerror(errno));
}

void logs_tell_broken(const char *name, const struct log_lines *lines)
{
    if (lines->broken)
        say("%s%s%lld line%s not understood", name, *name ? ": " : "", (long long)lines->broken,
            lines->broken == 1 ? " was" : "s were");
}
