/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a job as text: the program and its run, then tables by collective, size, engine and reason, and call site. */
#include "columns.h"
#include "next_step.h"
#include "units.h"
#include "writers.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = TOP_SITES, RANGES = 8 }; /* most sizes and most sites in a table; most ranges in a list of ranks */

struct page {
    const struct job *j;
    double run; /* seconds, of all ranks */
    int width;
    FILE *f;
};

static const char *percent(double part, double whole, char text[UNITS_TEXT])
{
    int tenths = whole > 0 && part > 0 ? part < 1e5 * whole ? (int)(1000 * part / whole + 0.5) : 100000000 : 0;
    snprintf(text, UNITS_TEXT, "%d.%d%%", tenths / 10, tenths % 10);
    return text;
}

/* ---- The head ------------------------------------------------------------------------------------------------------- */

/* Writes a line of the head, with its name before it. Cuts a long line as tables cut theirs. */
__attribute__((format(printf, 3, 4))) static void put_line(const struct page *p, const char *name, const char *format, ...)
{
    char *line = NULL;
    va_list ap;
    va_start(ap, format);
    int length = vasprintf(&line, format, ap), room = p->width - 12;
    va_end(ap);
    if (length < 0)
        return;
    bool cut = p->width > 0 && length > room && room > 2;
    for (length = cut ? room - 2 : length; cut && length > 0 && ((unsigned char)line[length] & 0xc0) == 0x80;)
        length--; /* do not cut a character of several bytes */
    fprintf(p->f, "  %-10s%.*s%s\n", name, length, line, cut ? ".." : "");
    free(line);
}

/* A list of ranks: 0-3,8 */
struct ranges {
    char text[RANGES * 24 + 8];
    int used, count;
};

static void add_range(struct ranges *r, int first, int last)
{
    if (r->count++ < RANGES) {
        r->used += snprintf(r->text + r->used, sizeof r->text - (size_t)r->used, "%s%d", r->used ? "," : "", first);
        if (last > first)
            r->used += snprintf(r->text + r->used, sizeof r->text - (size_t)r->used, "-%d", last);
    } else if (r->count == RANGES + 1) {
        strcpy(r->text + r->used, ",...");
    }
}

static struct ranges missing(const struct job *j)
{
    struct ranges r = {.count = 0};
    int next = 0;
    for (int i = 0; i < j->reported; next = j->rank[i++].rank + 1)
        if (j->rank[i].rank > next)
            add_range(&r, next, j->rank[i].rank - 1);
    if (j->ranks > next)
        add_range(&r, next, j->ranks - 1);
    return r;
}

static struct ranges ended(const struct job *j, enum rank_end end)
{
    struct ranges r = {.count = 0};
    for (int i = 0, first = 0; i < j->reported; first = ++i) {
        while (i + 1 < j->reported && j->rank[i + 1].rank == j->rank[i].rank + 1 && j->rank[i + 1].end == j->rank[first].end)
            i++;
        if (j->rank[first].end == end)
            add_range(&r, j->rank[first].rank, j->rank[i].rank);
    }
    return r;
}

static void put_ranks(const struct page *p)
{
    const struct job *j = p->j;
    struct ranges lost = missing(j), killed = ended(j, END_RUNNING), left = ended(j, END_EXIT);
    if (lost.count)
        put_line(p, "ranks", "%d, of which %d on %d node%s have reported; missing: %s", j->ranks, j->reported, j->nodes,
                 plural(j->nodes), lost.text);
    else
        put_line(p, "ranks", "%d on %d node%s", j->reported, j->nodes, plural(j->nodes));
    if (killed.count)
        put_line(p, "unended", "%s: they were killed, or are still running", killed.text);
    if (left.count)
        put_line(p, "exit", "%s: they ended without MPI_Finalize", left.text);
}

static const struct job_rank *busiest(const struct job *j)
{
    const struct job_rank *most = j->rank;
    for (const struct job_rank *r = j->rank; r < j->rank + j->reported; r++)
        most = r->seconds > most->seconds ? r : most;
    return most;
}

static void put_times(const struct page *p)
{
    const struct job *j = p->j;
    const struct job_rank *most = busiest(j);
    char run[UNITS_TEXT], mean[UNITS_TEXT], share[UNITS_TEXT], longest[UNITS_TEXT], waited[UNITS_TEXT], bytes[UNITS_TEXT];
    put_line(p, "run", "%s", time_about(j->run > j->elapsed ? j->run : j->elapsed, run));
    put_line(p, "calls", "%" PRId64 ", %s bytes: %s a rank, which is %s of its run; the most %s, of rank %d", j->all.calls,
             size_about(j->all.bytes, bytes), time_about(j->all.seconds / j->reported, mean),
             percent(j->all.seconds, p->run, share), time_about(most->seconds, longest), most->rank);
    if (j->waited >= 0)
        put_line(p, "waited", "%s of the calls' time, for ranks that came later; in the rest data moved",
                 percent(j->waited, 1, waited));
    if (j->measuring > 0)
        put_line(p, "measuring", "the machine, once: %s a rank, which no call's time includes",
                 time_about(j->measuring / j->reported, run));
    if (j->dry && j->lost > 0)
        put_line(p, "beside", "%s beside the calls, for the trials of the dry run", time_about(j->lost, run));
    else if (j->lost > 0)
        put_line(p, "learned", "%d kind%s of calls; the trials lost %s, which is %s of the calls' time", j->learned,
                 plural(j->learned), time_about(j->lost, run), percent(j->lost, most->seconds, share));
}

static void put_head(const struct page *p)
{
    const struct job *j = p->j;
    char date[DATE_TEXT], text[NEXT_STEP];
    job_date(j->began, date);
    if (p->j->dry)
        fprintf(p->f, "Pleach report of a dry run: all calls were native; WOULD shows what would have served\n");
    else
        fprintf(p->f, "Pleach report\n");
    fprintf(p->f, "%s\n", next_step(j, text));
    put_line(p, "command", "%s", *j->command ? j->command : "unknown");
    put_line(p, "date", "%s UTC", date);
    put_line(p, "versions", "Pleach %s, %s", *j->pleach ? j->pleach : "unknown", *j->mpi ? j->mpi : "MPI unknown");
    put_ranks(p);
    put_line(p, "settings", "%s", *j->settings ? j->settings : "all default");
    if (*j->note)
        put_line(p, "figures", "%s", j->note);
    put_times(p);
}

/* ---- Tables --------------------------------------------------------------------------------------------------------- */

/* All tables have the columns of numbers; columns of words follow. */
enum { CALLS, BYTES, TIME, MOST, RANK, SHARE, WAITED, MEAN, NUMBERS, WORDS = 4, COLUMNS = NUMBERS + WORDS };

/* The words of a row. `text` is memory for words that are no constants. */
struct words {
    const char *cell[WORDS];
    char text[2][UNITS_TEXT];
};

static const char *const headings[NUMBERS] = {"CALLS", "BYTES", "TIME", "MOST", "RANK", "SHARE", "WAITED", "MEAN"};

/* Fills in the words of a group's row or, if g is NULL, their headings; returns their number. */
static int put_words(const struct page *p, int dimension, const struct job_group *g, struct words *w)
{
    bool by_engines = dimension == BY_COLLECTIVE || dimension == BY_SIZE;
    int n = 0;
    if (by_engines)
        w->cell[n++] = !g ? p->j->dry ? "WOULD" : "ENGINES" : percent(g->engines.seconds, g->tally.seconds, w->text[0]);
    if (dimension == BY_SIZE) {
        if (g && g->size >= 0)
            size_print(INT64_C(1) << g->size, w->text[1], UNITS_TEXT);
        w->cell[n++] = !g ? "UP TO" : g->size < 0 ? "0" : w->text[1];
    }
    w->cell[n++] = g ? collective_name(g->collective) : "COLLECTIVE";
    if (dimension == BY_SERVICE) {
        w->cell[n++] = g ? engines[g->engine]->name : "ENGINE";
        if (p->j->dry)
            w->cell[n++] = g ? engines[g->would]->name : "WOULD";
        w->cell[n++] = g ? reason_word(g->reason) : "REASON";
    }
    if (dimension == BY_SITE)
        w->cell[n++] = !g ? "SITE" : *g->site ? g->site : JOB_OTHERS;
    return n;
}

static void put_numbers(const struct page *p, const struct job_group *g, char text[NUMBERS][UNITS_TEXT])
{
    snprintf(text[CALLS], UNITS_TEXT, "%" PRId64, g->tally.calls);
    size_about(g->tally.bytes, text[BYTES]);
    time_about(g->tally.seconds / p->j->reported, text[TIME]);
    time_about(g->most, text[MOST]);
    snprintf(text[RANK], UNITS_TEXT, "%d", g->most_rank);
    percent(g->tally.seconds, p->run, text[SHARE]);
    if (g->waited >= 0)
        percent(g->waited, 1, text[WAITED]);
    time_about(g->tally.seconds / (double)g->tally.calls, text[MEAN]);
}

static bool put_table(const struct page *p, int dimension)
{
    const struct job *j = p->j;
    const int all = j->groups[dimension], top = dimension == BY_SIZE || dimension == BY_SITE ? TOP : all;
    const size_t most = (size_t)(all < top ? all : top + COLLECTIVES) + 1;
    char(*number)[NUMBERS][UNITS_TEXT] = calloc(most, sizeof *number), rest[UNITS_TEXT];
    struct words *words = calloc(most, sizeof *words);
    const char **cell = calloc(most * COLUMNS, sizeof *cell), **next = cell;
    const bool good = number && words && cell;
    double left = 0;
    int rows = 0;
    for (int i = -1; good && i < all; i++) {
        const struct job_group *g = i < 0 ? NULL : &j->group[dimension][i];
        if (g && !job_shows(g, i, top)) {
            left += g->tally.seconds;
            continue;
        }
        const int named = put_words(p, dimension, g, &words[rows]);
        if (g)
            put_numbers(p, g, number[rows]);
        for (int c = 0; c < NUMBERS; c++)
            *next++ = g ? number[rows][c] : headings[c];
        for (int c = 0; c < named; c++)
            *next++ = words[rows].cell[c];
        rows++;
    }
    if (good && all > 0) {
        putc('\n', p->f);
        columns_put(p->f, rows, (int)(next - cell) / rows, cell, p->width);
        if (rows <= all)
            fprintf(p->f, "... and %d more, with %s of the run\n", all + 1 - rows, percent(left, p->run, rest));
        if (dimension == BY_SITE && j->missed > 0)
            fprintf(p->f, "%s had no room in the tables; a site may have taken up to %s more than shown.\n", JOB_OTHERS,
                    time_about(j->missed / j->reported, rest));
    }
    free(number);
    free(words);
    free(cell);
    return good;
}

/* Writes the table of collectives that Pleach does not serve. */
static bool put_others(const struct page *p)
{
    enum { NAME = 5, OTHER_COLUMNS };
    static const char *const heading[OTHER_COLUMNS] = {"CALLS", "BYTES", "TIME", "SHARE", "MEAN", "NOT SERVED"};
    const struct job *j = p->j;
    char(*text)[NAME][UNITS_TEXT] = calloc((size_t)j->others + 1, sizeof *text);
    const char *(*cell)[OTHER_COLUMNS] = calloc((size_t)j->others + 1, sizeof *cell);
    const bool good = text && cell;
    for (int i = 0; good && i < j->others; i++) {
        const struct rank_other *o = &j->other[i];
        snprintf(text[i][0], UNITS_TEXT, "%" PRId64, o->calls);
        size_about(o->bytes, text[i][1]);
        time_about(o->seconds / j->reported, text[i][2]);
        percent(o->seconds, p->run, text[i][3]);
        time_about(o->seconds / (double)o->calls, text[i][4]);
        for (int c = 0; c < NAME; c++)
            cell[i + 1][c] = text[i][c];
        cell[i + 1][NAME] = o->name;
    }
    if (good && j->others > 0) {
        memcpy(cell[0], heading, sizeof heading);
        putc('\n', p->f);
        columns_put(p->f, j->others + 1, OTHER_COLUMNS, cell[0], p->width);
    }
    free(text);
    free(cell);
    return good;
}

bool job_text(const struct job *j, int columns, FILE *f)
{
    const struct page p = {j, job_run(j), columns, f};
    bool good = true;
    put_head(&p);
    for (int d = 0; good && d < DIMENSIONS; d++)
        good = put_table(&p, d);
    good = good && put_others(&p);
    if (j->all.calls > 0)
        fputs("\nTIME is that of a rank, on average; MOST is that of the rank in the column RANK.\n"
              "SHARE is the part of the run. WAITED is the part of the time that passed before\n"
              "the last rank came. MEAN is the time of a call.\n",
              f);
    return good && !ferror(f);
}
