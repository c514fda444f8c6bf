/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of a benchmark; see plot.h. A panel for each collective and kind of operation; gnuplot draws them. */
#include "plot.h"

#include "draw.h"
#include "newfile.h"
#include "process.h"

#include <assert.h>
#include <stdlib.h>

enum { WHY = 400, WIDTH = 640, HEIGHT = 420 };

struct point {
    struct item item;
    const struct engine *engine; /* NULL: the library's choice */
    double bandwidth;            /* bytes per second */
};

static struct point *point;
static int points, room;

void plot_check(void)
{
    char why[WHY] = "";
    if (options.plot && process.rank == 0 && newfile_possible(options.plot, why, sizeof why) && !draw_can(draw_gnuplot))
        snprintf(why, sizeof why, "--plot: gnuplot, which draws, cannot be run (Debian: gnuplot-nox)");
    job_check(why);
}

void plot_add(const struct item *item, const struct contender *c)
{
    if (points == room)
        point = job_memory(point, room = 2 * room + 256, sizeof *point);
    point[points++] = (struct point){*item, c->chosen ? NULL : c->timing.engine, (double)item->bytes / c->timing.median};
}

/* The points of an engine in the panel of points first .. end-1, as a block of data; false if there are none. */
static bool put_data(FILE *f, int panel, int first, int end, const struct engine *e)
{
    bool any = false;
    for (int i = first; i < end; i++)
        if (point[i].engine == e) {
            if (!any)
                fprintf(f, "$p%d_%d << EOD\n", panel, e ? engine_row(e) : engine_count());
            any = true;
            fprintf(f, "%lld %.6g\n", (long long)point[i].item.bytes, point[i].bandwidth / 1e6);
        }
    if (any)
        fputs("EOD\n", f);
    return any;
}

static void put_panel(FILE *f, int panel, int first, int end)
{
    const char *comma = "";
    char curves[8192] = "", title[TITLE];
    int used = 0;
    for (int i = 0; i <= engine_count(); i++) { /* the library's choice comes last */
        const struct engine *e = engines[i];
        if (put_data(f, panel, first, end, e)) {
            used += snprintf(curves + used, sizeof curves - (size_t)used,
                             "%s$p%d_%d using 1:2 with linespoints pt 7 ps 0.4 lw %s dt %d%s title '%s'", comma, panel, i,
                             i == 0 ? "4" : "1.5", e ? 1 : 2, i == 0 ? " lc rgb 'black'" : "", e ? e->name : "auto");
            assert(used < (int)sizeof curves);
            comma = ", ";
        }
    }
    fprintf(f, "set title '%s, %d ranks'\nplot %s\n", agenda_title(&point[first].item, ", operation: ", title), job.ranks,
            curves);
}

static void put_script(FILE *f)
{
    int panels = 0;
    for (int i = 0; i < points; i++)
        panels += i == 0 || !agenda_same_call(&point[i].item, &point[i - 1].item);
    int columns = panels > 1 ? 2 : 1, rows = (panels + columns - 1) / columns;
    fprintf(f,
            "set terminal svg size %d,%d dynamic font 'sans-serif,11'\n"
            "set multiplot layout %d,%d\n"
            "set logscale x 2\nset logscale y\nset format x '%%.0b%%B'\nset xlabel 'message size'\n"
            "set ylabel 'bandwidth, MB/s'\nset grid lc rgb '#dddddd'\nset key outside right\n",
            columns * WIDTH, rows * HEIGHT, rows, columns);
    for (int first = 0, end, panel = 0; first < points; first = end, panel++) {
        for (end = first; end < points && agenda_same_call(&point[first].item, &point[end].item);)
            end++;
        put_panel(f, panel, first, end);
    }
    fputs("unset multiplot\n", f);
}

void plot_write(void)
{
    char why[WHY], *text = NULL;
    size_t size;
    if (!points || !options.plot)
        return;
    FILE *script = draw_script(), *svg = open_memstream(&text, &size);
    put_script(script);
    if (svg)
        draw_run(script, draw_gnuplot, svg);
    if (!svg || fclose(svg) != 0)
        cli_fail(STATUS_FAILED, "out of memory");
    if (!newfile_write(options.plot, text, why, sizeof why))
        cli_fail(STATUS_FAILED, "%s", why);
    free(text);
}
