/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads logs; see logs.h. */
#include "logs.h"

#include "cli.h"
#include "index.h"
#include "record.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* LINE: more than a record can have. FIELDS: far more than a line has. */
enum { LINE = 1 << 16, FIELDS = 64 };

/* The columns. A log from which somebody cut columns may lack those from RANK on. */
enum { SITE, ENGINE, REASON, COLLECTIVE, BYTES, DURATION, RANK, TIME, COMM, COLUMNS };

static const char *const column[COLUMNS] = {"site",        "engine", "reason", "collective", "bytes",
                                            "duration_us", "rank",   "time_s", "comm"};

/* Removes LF or CR LF. */
static void trim(char *line)
{
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\n')
        line[--length] = 0;
    if (length > 0 && line[length - 1] == '\r')
        line[length - 1] = 0;
}

/* Cuts a line at its tabs. Returns the number of fields, of which no more than FIELDS are stored. */
static int cut_fields(char *line, char *field[FIELDS])
{
    int fields = 0;
    for (char *next; line; line = next, fields++) {
        next = strchr(line, '\t');
        if (next)
            *next++ = 0;
        if (fields < FIELDS)
            field[fields] = line;
    }
    return fields;
}

/* The number of the field with this text, or -1. */
static int find_field(int fields, char *const field[FIELDS], const char *text)
{
    for (int i = 0; i < fields && i < FIELDS; i++)
        if (strcmp(field[i], text) == 0)
            return i;
    return -1;
}

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
        trim(line);
    else if (!line[LINE - 1] && line[LINE - 2] != '\n')
        for (int c; (c = getc(f)) != EOF && c != '\n';)
            ;
    return true;
}

/* Finds the columns. Returns the name of a missing column, or NULL if the fields are a header. */
static const char *find_columns(int fields, char *const field[FIELDS], struct log_columns *h)
{
    struct log_columns found = {.fields = fields};
    for (int c = 0; c < COLUMNS; c++) {
        found.where[c] = find_field(fields, field, column[c]);
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
    if (!isdigit((unsigned char)*text) || text[1] == 'x' || text[1] == 'X')
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

/* ---- Runs ----------------------------------------------------------------------------------------------------------- */

/* When the log of each rank began. A run has one log of a rank, and one number of ranks. */
static struct {
    double *epoch; /* 0: unknown */
    int64_t count, room;
    int ranks;           /* of the first log; 0: none yet */
    const char *several; /* the file that belongs to another run than those before it */
} runs;

/* Reads a line "# epoch", and notes when the log of a rank began. */
static double read_epoch(const char *name, const char *line)
{
    double epoch;
    int rank, ranks;
    if (sscanf(line, "# epoch %lf, rank %d of %d", &epoch, &rank, &ranks) != 3 || rank < 0 || rank > MOST_LOG_RANKS)
        return INFINITY;
    cli_enough(array_reserve(&runs.epoch, &runs.room, rank + 1, sizeof *runs.epoch));
    while (runs.count <= rank)
        runs.epoch[runs.count++] = 0;
    const bool again = runs.epoch[rank] > 0 && runs.epoch[rank] != epoch;
    if (!runs.several && (again || (runs.ranks && ranks != runs.ranks)))
        runs.several = name;
    runs.ranks = ranks;
    return runs.epoch[rank] = epoch;
}

double logs_epoch(FILE *f, const char *name)
{
    static char line[LINE];
    double first = INFINITY;
    bool whole;
    while (next_line(f, line, &whole))
        if (*line == '#')
            first = fmin(first, read_epoch(name, line));
    return first;
}

const char *logs_of_several(void)
{
    return runs.several;
}

void logs_expect_one_run(void)
{
    if (runs.several)
        cli_fail(STATUS_FAILED,
                 "%s is of another run than the log before it; name the logs of one run; see pleach-report(5)",
                 runs.several);
}

/* ---- Records --------------------------------------------------------------------------------------------------------- */

/* Reads a record; false if the fields are no record. In a log of a dry run, the engine is the one that would have served. */
static bool read_record(const struct log_reader *r, int fields, char *const field[FIELDS], struct log_record *x)
{
    const struct log_columns *h = &r->columns;
    double number[COLUMNS] = {0};
    const char *text[COLUMNS];
    struct rank_row *row = &x->row;
    if (fields != h->fields)
        return false;
    for (int c = 0; c < COLUMNS; c++) {
        text[c] = h->where[c] < 0 ? "-" : field[h->where[c]];
        if (c < BYTES
                ? !*text[c]
                : h->where[c] >= 0 && c != COMM && !parse_number(text[c], c == RANK ? MOST_LOG_RANKS : 0x1p62, &number[c]))
            return false;
    }
    *row = (struct rank_row){.site = 0};
    const struct engine *e = engine_find(text[ENGINE]);
    if (!e || !collective_parse(text[COLLECTIVE], &row->collective) || !parse_reason(text[REASON], &row->reason))
        return false;
    const double seconds = 1e-6 * number[DURATION];
    row->size = rank_report_size((int64_t)number[BYTES]);
    row->would = engine_row(e);
    row->engine = r->dry ? 0 : row->would;
    row->tally = (struct tally){
        .calls = 1, .bytes = number[BYTES], .seconds = seconds, .least = seconds, .most = seconds, .first = seconds};
    x->rank = (int)number[RANK];
    x->time = number[TIME];
    x->epoch = x->rank < runs.count ? runs.epoch[x->rank] : 0;
    x->seconds = seconds;
    x->bytes = (int64_t)number[BYTES];
    x->site = text[SITE];
    x->comm = text[COMM];
    x->rank_text = text[RANK];
    return true;
}

static void add_frame(const struct log_reader *r, const char *origin)
{
    cli_enough(!r->job || job_add_frame(r->job, origin));
}

static void read_remark(struct log_reader *r, const char *line)
{
    static const char frame[] = "# frame ", version[] = "# pleach-log ";
    int number;
    r->dry |= strcmp(line, "# " DRY_RUN_REMARK) == 0;
    if (strncmp(line, frame, sizeof frame - 1) == 0)
        add_frame(r, line + sizeof frame - 1);
    read_epoch(r->name, line);
    if (strncmp(line, version, sizeof version - 1) == 0 && sscanf(line + sizeof version - 1, "%d", &number) == 1 &&
        number > atoi(RECORD_VERSION))
        cli_fail(STATUS_FAILED,
                 "%s is a log of format %d, but this command knows none above " RECORD_VERSION "; take the command of %s",
                 r->name, number, strstr(line, "Pleach ") ? strstr(line, "Pleach ") : "a newer Pleach");
}

/* On a terminal, says now and then how many records have been read; 0: no more. */
static void tell_progress(int64_t records)
{
    enum { EVERY = 1 << 20 };
    static bool told;
    if (records ? records % EVERY || !isatty(STDERR_FILENO) : !told)
        return;
    told = records > 0;
    if (told)
        fprintf(stderr, "\r%lld million records read", (long long)records >> 20);
    else
        fputs("\r\033[K", stderr);
}

bool logs_next(struct log_reader *r, struct log_record *x)
{
    static char line[LINE];
    char *field[FIELDS];
    bool whole;
    long start = r->grows ? ftell(r->f) : 0;
    for (; next_line(r->f, line, &whole); start = r->grows ? ftell(r->f) : 0) {
        if (r->grows && !whole && feof(r->f)) {
            fseek(r->f, start, SEEK_SET);
            return false;
        }
        make_printable(line, "\t");
        if (*line == '#' && whole)
            read_remark(r, line);
        if (*line == '#' || (!*line && whole))
            continue;
        const int fields = cut_fields(line, field);
        if (!r->columns.fields) {
            const char *missing = find_columns(fields, field, &r->columns);
            if (missing)
                cli_fail(STATUS_FAILED, "%s is no log of Pleach: its first line lacks the column '%s'; see pleach-report(5)",
                         r->name, missing);
        } else if (whole && read_record(r, fields, field, x)) {
            tell_progress(++r->lines.records);
            return true;
        } else if (!whole || find_columns(fields, field, &r->columns)) {
            r->lines.broken++; /* the header of a log that was appended is not broken */
        }
    }
    if (ferror(r->f))
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", r->name, strerror(errno));
    clearerr(r->f);
    tell_progress(0);
    return false;
}

void logs_read(struct merge *j, struct log_reader *r)
{
    struct log_record x;
    r->job = j;
    while (logs_next(r, &x)) {
        const char *const label = !r->by ? x.site : *r->by == 'r' ? x.rank_text : x.comm;
        if (r->by)
            x.row.collective = 0;
        cli_enough(job_add_call(j, r->by ? r->by : "site", x.rank, x.time + x.seconds, &x.row, label));
    }
}

void logs_add(struct merge *j, FILE *f, const char *name, struct log_lines *lines)
{
    struct log_reader r = {.f = f, .name = name};
    logs_read(j, &r);
    lines->records += r.lines.records;
    lines->broken += r.lines.broken;
}

void logs_tell_broken(const char *name, const struct log_lines *lines)
{
    if (lines->broken)
        say("%s%s%lld line%s not understood", name, *name ? ": " : "", (long long)lines->broken,
            lines->broken == 1 ? " was" : "s were");
}
