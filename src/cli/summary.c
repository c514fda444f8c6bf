/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums over the records of logs; see summary.h. */
#include "summary.h"

#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* LINE: more than a record can have. FIELDS: far more than it has. */
enum { LINE = 1 << 16, FIELDS = 64 };

/* The columns that are wanted: those of the groupings, then numbers. */
enum { BYTES = GROUPINGS, DURATION, COLUMNS };

static const char *const column[COLUMNS] = {
    [BY_SITE] = "site", [BY_ENGINE] = "engine",    [BY_REASON] = "reason", [BY_COLLECTIVE] = "collective",
    [BYTES] = "bytes",  [DURATION] = "duration_us"};

/* Where a log has them. */
struct header {
    int fields; /* 0: not read yet */
    int where[COLUMNS];
};

const char *grouping_name(int grouping)
{
    return column[grouping];
}

/* ---- Sums ----------------------------------------------------------------------------------------------------------- */

static void count_call(struct sum *g, double bytes, double seconds)
{
    g->least = g->calls == 0 || seconds < g->least ? seconds : g->least;
    g->most = seconds > g->most ? seconds : g->most;
    g->calls++;
    g->bytes += bytes;
    g->seconds += seconds;
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
        **found = (struct sum){.name = copy, .next = all->newest};
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

void summary_sort(struct summary *s)
{
    for (int i = 0; i < GROUPINGS; i++) {
        struct sums *all = &s->by[i];
        int n = 0;
        all->sorted = cli_memory((size_t)all->count + 1, sizeof(struct sum *));
        for (struct sum *g = all->newest; g; g = g->next)
            all->sorted[n++] = g;
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
static int split(char *line, char *field[FIELDS])
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
        while (i < most && strcmp(field[i], column[c]) != 0)
            i++;
        if (i == most)
            return column[c];
        found.where[c] = i;
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

/* Counts a record in all sums that it belongs to; false if the fields are none. */
static bool add_record(struct summary *s, const struct header *h, int fields, char *const field[FIELDS])
{
    double bytes, microseconds;
    if (fields != h->fields || !parse_number(field[h->where[BYTES]], &bytes) ||
        !parse_number(field[h->where[DURATION]], &microseconds))
        return false;
    for (int i = 0; i < GROUPINGS; i++)
        if (!*field[h->where[i]])
            return false;
    for (int i = 0; i < GROUPINGS; i++)
        count_call(find_sum(&s->by[i], field[h->where[i]]), bytes, 1e-6 * microseconds);
    count_call(&s->all, bytes, 1e-6 * microseconds);
    return true;
}

void summary_add(struct summary *s, FILE *f, const char *name)
{
    static char line[LINE];
    char *field[FIELDS];
    struct header h = {0};
    bool whole;
    while (next_line(f, line, &whole)) {
        s->dry |= strcmp(line, "# " DRY_RUN_REMARK) == 0;
        if (*line == '#' || (!*line && whole))
            continue;
        int fields = split(line, field);
        if (!h.fields) {
            const char *missing = find_columns(fields, field, &h);
            if (missing)
                cli_fail(STATUS_FAILED, "%s is no log of Pleach: its first line lacks the column '%s'", name, missing);
        } else if (!whole || (!add_record(s, &h, fields, field) && find_columns(fields, field, &h))) {
            s->broken++; /* not a header again, of a log that was appended */
        }
    }
    if (ferror(f))
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, strerror(errno));
}
