/* SPDX-License-Identifier: BSD-2-Clause */
/* Waiting: the ranks that came last, and a map of ranks x calls whose colours show how long ranks waited; see html.h. */
#include "html.h"

#include <math.h>
#include <stdlib.h>

/* ---- The ranks that the others waited for --------------------------------------------------------------------------- */

struct late {
    int rank;       /* index in job.rank */
    double calls;   /* calls to which this rank came last, so that others waited */
    double seconds; /* time that all others together waited in these calls */
};

static int by_seconds(const void *a, const void *b)
{
    const struct late *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1) : x->rank - y->rank;
}

/* The moment of the rank that came last to a call. Sets *waited to the seconds that all others together waited. */
static const struct job_moment *last_of(const struct job *j, const struct job_call *c, double *waited)
{
    const struct job_moment *m = &j->moment[c->first], *last = m;
    *waited = 0;
    for (int i = 0; i < c->ranks; i++) {
        last = m[i].start > last->start ? &m[i] : last;
        *waited += m[i].waited;
    }
    return last;
}

static void put_late(const struct html *h, const struct late *late, double all, double calls)
{
    enum { SHOWN = 8 };
    char seconds[UNITS_TEXT], share[UNITS_TEXT], came[UNITS_TEXT];
    fputs(
        "<section>\n<h2>Ranks that the others waited for</h2>\n"
        "<p>A call of many ranks goes on when the last of them has come. If mostly the same ranks come last, they have more "
        "work than others, or slower cores.</p>\n"
        "<table>\n<thead><tr><th class='t'>rank</th><th class='t'>host</th><th>came last in</th>"
        "<th title='all others together'>others waited</th><th>share</th></tr></thead>\n<tbody>\n",
        h->f);
    for (int i = 0; i < h->j->reported && i < SHOWN && late[i].seconds > 0; i++) {
        const struct job_rank *r = &h->j->rank[late[i].rank];
        fprintf(h->f, "<tr><td class='t'>%d</td><td class='t'>", r->rank);
        html_text(h->f, r->host);
        fprintf(h->f, "</td><td>%s of the calls</td><td>%s</td><td class='part' style='--p:%.0f%%'>%s</td></tr>\n",
                share_about(late[i].calls, calls, came), time_about(late[i].seconds, seconds), 100 * late[i].seconds / all,
                share_about(late[i].seconds, all, share));
    }
    fputs("</tbody>\n</table>\n</section>\n", h->f);
}

bool html_late(const struct html *h)
{
    const struct job *j = h->j;
    double waited, all = 0, calls = 0;
    struct late *late = calloc((size_t)j->reported, sizeof *late);
    if (!late)
        return false;
    for (int i = 0; i < j->reported; i++)
        late[i].rank = i;
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++) {
        struct late *l = &late[html_reported(j, last_of(j, c, &waited)->rank)];
        l->calls += waited > 0 ? (double)c->each : 0;
        l->seconds += waited * (double)c->each;
        all += waited * (double)c->each;
        calls += (double)c->each;
    }
    qsort(late, (size_t)j->reported, sizeof *late, by_seconds);
    if (all > 0)
        put_late(h, late, all, calls);
    free(late);
    return true;
}

/* ---- The map -------------------------------------------------------------------------------------------------------- */

/*
 * Most columns; levels of colour. In pixels: the heights of the heading, of a gap and of the strip, and the greatest width
 * of a column. If there are more than MANY rows, no gaps separate them.
 */
enum { COLUMNS = 200, LEVELS = 7, TOP = 22, GAP = 6, STRIP = 7, WIDEST = 22, MANY = 32 };

struct cell {
    double waited; /* seconds, the sum over its moments */
    int moments;
};

struct map {
    struct rows rows;
    int columns, width;   /* width: of a column, in pixels */
    double least[LEVELS]; /* the least seconds of a cell of each level */
    struct cell cell[ROWS][COLUMNS];
};

static double mean(const struct cell *c)
{
    return c->moments > 0 ? c->waited / c->moments : 0;
}

/* Sets levels 1, 2, 5, 10, 20 .. times a power of ten, so that the last level has cells. */
static void set_levels(struct map *map)
{
    static const double step[] = {1, 2, 5};
    double most = 1e-9;
    for (int r = 0; r < map->rows.count; r++)
        for (int c = 0; c < map->columns; c++)
            most = fmax(most, mean(&map->cell[r][c]));
    double ten = pow(10, floor(log10(most) + 1e-9));
    int which = most >= 5 * ten ? 2 : most >= 2 * ten ? 1 : 0;
    for (int l = LEVELS; l-- > 0;) {
        map->least[l] = step[which] * ten;
        ten /= which ? 1 : 10;
        which = which ? which - 1 : 2;
    }
}

static int level_of(const struct map *map, const struct cell *c)
{
    int level = 0;
    while (level < LEVELS && mean(c) >= map->least[level])
        level++;
    return level;
}

static int column_of(const struct job *j, const struct map *map, int64_t call)
{
    return (int)(call * map->columns / j->calls);
}

static void fill_cells(const struct job *j, struct map *map)
{
    for (int64_t i = 0; i < j->calls; i++) {
        const struct job_call *c = &j->call[i];
        for (const struct job_moment *m = &j->moment[c->first]; m < &j->moment[c->first] + c->ranks; m++) {
            struct cell *cell = &map->cell[html_row(j, map->rows, m->rank)][column_of(j, map, i)];
            cell->waited += m->waited;
            cell->moments++;
        }
    }
}

/* Draws the cells of a level; neighbours in a row are one stroke. */
static void put_level(const struct html *h, const struct map *map, int level)
{
    const struct rows rows = map->rows;
    fprintf(h->f, "<path class='w%d' stroke-width='%d' d='", level, rows.count > MANY ? rows.height : rows.height - 1);
    for (int r = 0; r < rows.count; r++)
        for (int c = 0, end; c < map->columns; c = end) {
            for (end = c; end < map->columns && map->cell[r][end].moments && level_of(map, &map->cell[r][end]) == level;)
                end++;
            if (end > c)
                fprintf(h->f, "M%d %dh%d", GUTTER + c * map->width, TOP + GAP + STRIP + r * rows.height + rows.height / 2,
                        (end - c) * map->width);
            else
                end++;
        }
    fputs("'/>\n", h->f);
}

/*
 * Returns the call in which ranks waited most, among those in the column of call `first`. Sets *end to the next column's
 * first call.
 */
static const struct job_call *worst_of(const struct job *j, const struct map *map, int64_t first, int64_t *end)
{
    const struct job_call *worst = &j->call[first];
    double most, waited;
    last_of(j, worst, &most);
    for (*end = first + 1; *end < j->calls && column_of(j, map, *end) == column_of(j, map, first); ++*end) {
        last_of(j, &j->call[*end], &waited);
        if (waited > most) {
            most = waited;
            worst = &j->call[*end];
        }
    }
    return worst;
}

/* Draws a strip over each column, in the colour of the engine of its worst_of() call, and adds a text about this call. */
static void put_columns(const struct html *h, const struct map *map)
{
    const struct job *j = h->j;
    char seconds[UNITS_TEXT];
    double waited;
    for (int64_t first = 0, end; first < j->calls; first = end) {
        const int x = GUTTER + column_of(j, map, first) * map->width;
        const struct job_call *worst = worst_of(j, map, first, &end);
        const struct job_moment *last = last_of(j, worst, &waited);
        fprintf(h->f, "<rect x='%d' y='%d' width='%d' height='%d' fill='%s'/>", x, TOP, map->width, STRIP,
                h->colour[worst->engine]);
        fprintf(h->f, "<rect class='over' x='%d' y='%d' width='%d' height='%d'><title>", x, TOP + STRIP + GAP, map->width,
                map->rows.count * map->rows.height);
        html_call(h->f, worst);
        fprintf(h->f, ": rank %d came last; the others waited %s on average</title></rect>\n", last->rank,
                time_about(worst->ranks > 1 ? waited / (worst->ranks - 1) : 0, seconds));
    }
}

static void put_map(const struct html *h, const struct map *map)
{
    const struct job *j = h->j;
    const int top = TOP + GAP + STRIP, height = map->rows.count * map->rows.height;
    char seconds[UNITS_TEXT];
    fputs("<p class='legend'>", h->f);
    for (int l = 0; l < LEVELS; l++)
        fprintf(h->f, "<span><b class='w%d'></b>%s%s</span> ", l + 1, l ? "" : "waited from ",
                time_about(map->least[l], seconds));
    fputs("</p>\n", h->f);
    html_legend(h, false);
    fprintf(h->f,
            "<svg viewBox='0 0 %d %d' role='img' aria-label='how long ranks waited in calls'>\n<text class='r' x='%d' "
            "y='14'>rank</text>"
            "<text x='%d' y='14'>",
            PAGE, top + height + 6, GUTTER - 6, GUTTER);
    html_count(h->f, j->calls);
    fprintf(h->f, " calls, in the order of their start%s; the strip: their engines</text>\n",
            j->calls > map->columns ? ", several in a column" : "");
    html_row_names(h, map->rows, top);
    for (int level = 0; level <= LEVELS; level++)
        put_level(h, map, level);
    put_columns(h, map);
    fputs("</svg>\n", h->f);
}

bool html_waiting(const struct html *h)
{
    const struct job *j = h->j;
    if (!j->calls)
        return true;
    struct map *map = calloc(1, sizeof *map);
    if (!map)
        return false;
    map->rows = html_rows(j, ROWS);
    map->columns = j->calls < COLUMNS ? (int)j->calls : COLUMNS;
    map->width = (PAGE - GUTTER) / map->columns < WIDEST ? (PAGE - GUTTER) / map->columns : WIDEST;
    fill_cells(j, map);
    set_levels(map);
    fputs(
        "<section>\n<h2>Waiting, by rank and call</h2>\n"
        "<p>The colour shows how long a rank waited in a call until all others had come. An empty row is a rank that others "
        "wait for; a full column is a call to which some rank came late.</p>\n",
        h->f);
    put_map(h, map);
    fputs("</section>\n", h->f);
    free(map);
    return true;
}
