/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of a benchmark; see plot.h. gnuplot draws it. Each collective and operation class has a panel. */
#include "plot.h"

#include "colour.h"
#include "draw.h"
#include "newfile.h"
#include "process.h"
#include "units.h"

#include <assert.h>
#include <stdlib.h>

enum { WHY = 400, WIDTH = 640, HEIGHT = 420 };

struct point {
    struct agenda_item item;
    const struct engine *engine; /* NULL: the library's choice */
    double bandwidth;            /* bytes per second */
    bool drawn;
};

static struct point *point;
static int points, room;

void plot_check(void)
{
    char why[WHY] = "";
    if (options.plot && process.rank == 0 && newfile_possible(options.plot, why, sizeof why) && !draw_can(draw_gnuplot))
        snprintf(why, sizeof why, "--plot: gnuplot cannot be run (Debian: gnuplot-nox)");
    job_check(why);
}

void plot_add(const struct agenda_item *item, const struct contender *c)
{
    if (points == room)
        point = job_memory(point, room = 2 * room + 256, sizeof *point);
    point[points++] =
        (struct point){*item, c->chosen ? NULL : c->timing.engine, (double)item->bytes / c->timing.median, false};
}

/* Returns true if point i is within 3 % of the fastest of its size. The panel has the points first .. end-1. */
static bool fast(int i, int first, int end)
{
    for (int j = first; j < end; j++)
        if (point[j].item.bytes == point[i].item.bytes && point[j].bandwidth > 1.03 * point[i].bandwidth)
            return false;
    return true;
}

/* Returns true if some engine that has a curve is fast at the size of point i. */
static bool covered(int i, int first, int end)
{
    for (int j = first; j < end; j++)
        if (point[j].item.bytes == point[i].item.bytes && point[j].engine && point[j].drawn && fast(j, first, end))
            return true;
    return false;
}

/* Returns the number of sizes at which this engine is fast, but no engine with a curve is fast. */
static int adds(const struct engine *e, int first, int end)
{
    int sizes = 0;
    for (int i = first; i < end; i++)
        sizes += point[i].engine == e && fast(i, first, end) && !covered(i, first, end);
    return sizes;
}

static void draw(const struct engine *e, int first, int end)
{
    for (int i = first; i < end; i++)
        point[i].drawn = point[i].drawn || point[i].engine == e;
}

/*
 * Chooses the curves: native, the library's choice, and so many engines that some engine with a curve is fast at each size.
 * The other engines get no curve.
 */
static void choose_engines(int first, int end)
{
    draw(NULL, first, end);
    for (const struct engine *next = engines[0]; next;) {
        int most = 0;
        draw(next, first, end);
        next = NULL;
        for (int row = 1; row < engine_count(); row++) {
            int sizes = adds(engines[row], first, end);
            if (sizes > most) {
                most = sizes;
                next = engines[row];
            }
        }
    }
}

/* Writes the points of an engine, among points first .. end-1, as a block of data. Returns false if it has no points. */
static bool put_data(FILE *f, int panel, int first, int end, const struct engine *e)
{
    bool any = false;
    for (int i = first; i < end; i++)
        if (point[i].engine == e && point[i].drawn) {
            if (!any)
                fprintf(f, "$p%d_%d << EOD\n", panel, e ? engine_row(e) : engine_count());
            any = true;
            fprintf(f, "%lld %.6g\n", (long long)point[i].item.bytes, point[i].bandwidth / 1e6);
        }
    if (any)
        fputs("EOD\n", f);
    return any;
}

/* Returns the bandwidth that no algorithm exceeds, in bytes per second. An all-reduce moves the message nearly twice. */
static double limit(enum collective c)
{
    int nodes = job.comm->known.machine.nodes, ends = nodes > 1 ? nodes : job.ranks;
    return collective_flow(c) == FLOW_ALL_TO_ALL && ends > 1 ? ends / (2.0 * (ends - 1) * job.beta) : 1 / job.beta;
}

/* Labels at most six sizes on the axis, at even distances. */
static void put_sizes(FILE *f, int first, int end)
{
    int64_t last = 0;
    int sizes = 0, n = 0;
    for (int i = first; i < end; last = point[i++].item.bytes)
        sizes += point[i].item.bytes != last;
    last = 0;
    const char *before = "set xtics (";
    for (int i = first; i < end; last = point[i++].item.bytes)
        if (point[i].item.bytes != last && n++ % ((sizes + 5) / 6) == 0) {
            char text[UNITS_TEXT];
            fprintf(f, "%s'%s' %lld", before, size_about((double)point[i].item.bytes, text), (long long)point[i].item.bytes);
            before = ", ";
        }
    fputs(")\n", f);
}

/* Writes a panel. gnuplot draws the limit first, below all curves, and the library's choice last. */
static void put_panel(FILE *f, int panel, int first, int end, const char *const colour[])
{
    char curves[8192], title[TITLE];
    int used = snprintf(curves, sizeof curves, "%.6g with lines lw 1.5 dt 3 lc rgb '#cc0000' title 'wire'",
                        limit(point[first].item.collective) / 1e6);
    for (int i = 0; i <= engine_count(); i++) {
        const struct engine *e = engines[i]; /* NULL, the library's choice, comes last */
        if (put_data(f, panel, first, end, e)) {
            used += snprintf(curves + used, sizeof curves - (size_t)used,
                             ", $p%d_%d using 1:2 with linespoints pt 7 ps 0.3 lw %s lc rgb '%s' title '%s'", panel, i,
                             !e ? "3.5" : "1.5", e ? colour[i] : "#000000", e ? e->name : "auto");
            assert(used < (int)sizeof curves);
        }
    }
    put_sizes(f, first, end);
    fprintf(f, "set title '%s, %d ranks'\nplot %s\n", agenda_title(&point[first].item, ", operation: ", title), job.ranks,
            curves);
}

/* The end of the panel that begins with this point. */
static int panel_end(int first)
{
    int end = first;
    while (end < points && agenda_same_call(&point[first].item, &point[end].item))
        end++;
    return end;
}

static void put_script(FILE *f)
{
    const char *colour[COLOURED];
    uint64_t shown = 0;
    int panels = 0;
    for (int first = 0; first < points; first = panel_end(first), panels++)
        choose_engines(first, panel_end(first));
    for (int i = 0; i < points; i++)
        shown |= point[i].drawn && point[i].engine ? (uint64_t)1 << engine_row(point[i].engine) : 0;
    engine_colours(shown, colour);
    int columns = panels > 1 ? 2 : 1, rows = (panels + columns - 1) / columns;
    fprintf(f,
            "set terminal svg size %d,%d dynamic font 'sans-serif,11' background 'white'\n"
            "set multiplot layout %d,%d\n"
            "set logscale x 2\nset logscale y\nset xlabel 'bytes'\nset ylabel 'bandwidth, MB/s'\n"
            "set autoscale noextend\nset offsets graph 0.02, graph 0.02, graph 0.08, graph 0.08\nset ytics (0.01",
            columns * WIDTH, rows * HEIGHT, rows, columns);
    for (int exponent = -2; exponent < 7; exponent++)
        fprintf(f, ", 2e%d, 5e%d, 1e%d", exponent, exponent, exponent + 1);
    fputs(")\nset grid lc rgb '#dddddd'\nset key outside right samplen 2\n", f);
    for (int first = 0, panel = 0; panel < panels; first = panel_end(first), panel++)
        put_panel(f, panel, first, panel_end(first), colour);
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
