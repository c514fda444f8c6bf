/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the records of logs; see summary.h. */
#include "summary.h"

#include "cli.h"
#include "lines.h"
#include "rank_report.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* LINE: more than a record can have. FIELDS: far more than it has. */
enum { LINE = 1 << 16, FIELDS = 64 };

/* The newest format of logs that is understood; see record.c. */
enum { LOG_VERSION = 1 };

/* The columns: those of the groupings, then numbers. Logs that were cut down may lack the optional ones. */
enum { BYTES = GROUPINGS, DURATION, COLUMNS };

static const struct {
    const char *name;
    bool optional;
} column[COLUMNS] = {
    [BY_SITE] = {"site"},        [BY_ENGINE] = {"engine"},   [BY_REASON] = {"reason"},   [BY_COLLECTIVE] = {"collective"},
    [BY_SIZE] = {"size", true},  [BY_RANK] = {"rank", true}, [BY_COMM] = {"comm", true}, [BYTES] = {"bytes"},
    [DURATION] = {"duration_us"}};

/* Where a log has them. */
struct header {
    int fields;         /* 0: not read yet */
    int where[COLUMNS]; /* -1: nowhere */
};

const char *grouping_name(int grouping)
{
    return column[grouping].name;
}

/* ---- Sums ----------------------------------------------------------------------------------------------------------- */

static void keep_time(struct sum *g, double seconds)
{
    if (g->calls >= g->room) {
        g->room = 2 * g->room + 16;
        double *more = reallocarray(g->each, (size_t)g->room, sizeof *more);
        if (!more)
            cli_fail(STATUS_FAILED, "out of memory");
        g->each = more;
    }
    g->each[g->calls] = seconds;
}

static void count_call(struct sum *g, double bytes, double seconds, bool first)
{
    g->least = g->calls == 0 || seconds < g->least ? seconds : g->least;
    g->most = seconds > g->most ? seconds : g->most;
    g->calls++;
    g->bytes += bytes;
    g->seconds += seconds;
    g->first += first ? seconds : 0;
}

static int by_name(const void *a, const void *b)
{
    const struct sum *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* The sum of that name, which begins empty. */
static struct sum *find_sum(struct sums *all, const char *name)
{
    struct sum wanted = {.name = name};
    struct sum **found = tsearch(&wanted, &all->tree, by_name);
    if (found && *found == &wanted) {
        size_t size = strlen(name) + 1;
        char *copy = memcpy(cli_memory(size, 1), name, size);
        *found = cli_memory(1, sizeof(struct sum));
        **found = (struct sum){.name = copy, .shown = copy, .next = all->newest};
        all->newest = *found;
        all->count++;
    }
    if (found)
        return *found;
    cli_fail(STATUS_FAILED, "out of memory");
}

static int by_seconds(const void *a, const void *b)
{
    const struct sum *x = *(struct sum *const *)a, *y = *(struct sum *const *)b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : by_name(x, y);
}

static int by_time(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void find_median(struct sum *g)
{
    const int64_t middle = g->calls / 2;
    qsort(g->each, (size_t)g->calls, sizeof *g->each, by_time);
    g->median = g->calls % 2 ? g->each[middle] : (g->each[middle - 1] + g->each[middle]) / 2;
}

void summary_sort(struct summary *s)
{
    for (int i = 0; i < GROUPINGS; i++) {
        struct sums *all = &s->by[i];
        int n = 0;
        all->sorted = cli_memory((size_t)all->count + 1, sizeof(struct sum *));
        for (struct sum *g = all->newest; g; g = g->next) {
            all->sorted[n++] = g;
            find_median(g);
        }
        qsort(all->sorted, (size_t)n, sizeof(struct sum *), by_seconds);
    }
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------- */

/* Reads a line, without its newline; false at the end. Not *whole: it is too long, cut off, or has a NUL in it. */
static bool next_line(FILE *f, char line[LINE], bool *whole)
{
    if (!fgets(line, LINE, f))
        return false;
    size_t length = strlen(line);
    *whole = length > 0 && line[length - 1] == '\n';
    if (*whole)
        line[length - 1] = 0;
    else if (length == LINE - 1)
        for (int c; (c = getc(f)) != EOF && c != '\n';)
            ;
    return true;
}

/* Cuts a line at its tabs; returns the number of fields, of which no more than FIELDS are stored. */
static int cut_line(char *line, char *field[FIELDS])
{
    int fields = 0;
    for (char *rest = line, *text; (text = strsep(&rest, "\t")); fields++) {
        for (char *c = text; *c; c++) /* what is shown on a terminal must not steer it */
            if (iscntrl((unsigned char)*c))
                *c = '?';
        if (fields < FIELDS)
            field[fields] = text;
    }
    return fields;
}

/* Finds the columns; returns the name of one that is missing, else NULL. Then the fields are a header. */
static const char *find_columns(int fields, char *const field[FIELDS], struct header *h)
{
    struct header found = {.fields = fields};
    for (int c = 0; c < COLUMNS; c++) {
        int i = 0, most = fields < FIELDS ? fields : FIELDS;
        while (i < most && strcmp(field[i], column[c].name) != 0)
            i++;
        if (i == most && !column[c].optional)
            return column[c].name;
        found.where[c] = i < most ? i : -1;
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

/* The class of a size: up to this, and above half of it. */
static void size_name(double bytes, char name[UNITS_TEXT])
{
    const int size = bytes < 0x1p62 ? rank_report_size((int64_t)bytes) : 62;
    size_print(size < 0 ? 0 : INT64_C(1) << size, name, UNITS_TEXT);
}

/* Kinds of calls that were met (tsearch). */
static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool is_first(void **kinds, const char *collective, const char *comm, double bytes)
{
    char *kind = NULL;
    if (asprintf(&kind, "%s\t%s\t%.0f", collective, comm, bytes) < 0)
        cli_fail(STATUS_FAILED, "out of memory");
    char **found = tsearch(kind, kinds, by_text);
    if (!found)
        cli_fail(STATUS_FAILED, "out of memory");
    if (*found == kind)
        return true;
    free(kind);
    return false;
}

/* Counts a record in all sums that it belongs to; false if the fields are none. */
static bool add_record(struct summary *s, const struct header *h, int fields, char *const field[FIELDS], void **kinds)
{
    double bytes, microseconds;
    char size[UNITS_TEXT];
    const char *name[GROUPINGS];
    if (fields != h->fields || !parse_number(field[h->where[BYTES]], &bytes) ||
        !parse_number(field[h->where[DURATION]], &microseconds))
        return false;
    size_name(bytes, size);
    for (int i = 0; i < GROUPINGS; i++) {
        name[i] = i == BY_SIZE ? size : h->where[i] < 0 ? "-" : field[h->where[i]];
        if (!*name[i])
            return false;
    }
    const bool first = is_first(kinds, name[BY_COLLECTIVE], name[BY_COMM], bytes);
    for (int i = 0; i < GROUPINGS; i++)
        if (s->wanted[i]) {
            struct sum *g = find_sum(&s->by[i], name[i]);
            keep_time(g, 1e-6 * microseconds);
            count_call(g, bytes, 1e-6 * microseconds, first);
        }
    count_call(&s->all, bytes, 1e-6 * microseconds, first);
    s->firsts += first;
    return true;
}

/* A line "# ...". */
static void read_remark(const char *line, const char *name)
{
    static const char frame[] = "# frame ", version[] = "# pleach-log ";
    int number;
    if (strncmp(line, frame, sizeof frame - 1) == 0)
        lines_tell(line + sizeof frame - 1);
    else if (strncmp(line, version, sizeof version - 1) == 0 && sscanf(line + sizeof version - 1, "%d", &number) == 1 &&
             number > LOG_VERSION)
        cli_fail(STATUS_FAILED, "%s is a log of format %d, and this command knows none above %d; take the command of %s",
                 name, number, LOG_VERSION, strstr(line, "Pleach ") ? strstr(line, "Pleach ") : "a newer Pleach");
}

void summary_add(struct summary *s, FILE *f, const char *name)
{
    static char line[LINE];
    char *field[FIELDS];
    struct header h = {0};
    void *kinds = NULL;
    bool whole;
    while (next_line(f, line, &whole)) {
        s->dry |= strcmp(line, "# " DRY_RUN_REMARK) == 0;
        if (*line == '#' && whole)
            read_remark(line, name);
        if (*line == '#' || (!*line && whole))
            continue;
        int fields = cut_line(line, field);
        if (!h.fields) {
            const char *missing = find_columns(fields, field, &h);
            if (missing)
                cli_fail(STATUS_FAILED, "%s is no log of Pleach: its first line lacks the column '%s'", name, missing);
        } else if (!whole || (!add_record(s, &h, fields, field, &kinds) && find_columns(fields, field, &h))) {
            s->broken++; /* not a header again, of a log that was appended */
        }
    }
    tdestroy(kinds, free);
    if (ferror(f))
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, strerror(errno));
}
