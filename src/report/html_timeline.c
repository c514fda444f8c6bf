/* SPDX-License-Identifier: BSD-2-Clause */
/* The timeline, ranks down and time across, as sums over bins of time; see html.h. */
#include "html.h"

#include <math.h>
#include <stdlib.h>

enum {
    BINS = 110, /* bins of time; twice as many if there are at most ROWS / 2 rows */
    MARKS = 13, /* most marks on the axis */
    TOP = 22,
    WIDTH = 880 /* pixels; a multiple of the number of bins */
};

struct timeline {
    struct rows rows;
    bool sampled;       /* some calls stand for others */
    double from, to;    /* seconds */
    int bins, kinds;    /* kinds of time in calls: for each engine, the time of moving data; as the last kind, waiting */
    int reported[ROWS]; /* number of ranks in a row */
    float *spent;       /* [rows][bins][kinds], part of a bin's time; after pile_up(), a bar's upper edge in pixels */
};

static float *spent_at(const struct timeline *t, int row, int bin)
{
    return t->spent + ((size_t)row * (size_t)t->bins + (size_t)bin) * (size_t)t->kinds;
}

/* Spreads spent time evenly over the bins of a stretch of time. */
static void spend(const struct timeline *t, int row, double from, double to, double spent, int kind)
{
    const double scale = t->bins / (t->to - t->from), a = (from - t->from) * scale, b = (fmin(to, t->to) - t->from) * scale;
    for (int bin = (int)a; spent > 0 && bin < t->bins && bin < b; bin++)
        spent_at(t, row, bin)[kind] += (float)(spent * scale * (fmin(b, bin + 1) - fmax(a, bin)) / (b - a));
}

/*
 * The length, in seconds, of the stretch over which to spread a call that stands for others. The stretch ends where a later
 * call starts, the fourth of the same communicator that stands for others; without such a call, it ends with the run. It
 * overlaps the stretches of other calls, so that differences between single calls do not stand out. The size and the first
 * rank identify the communicator. If another communicator has the same size and first rank, the stretch is too short, and
 * bars are higher and thinner.
 */
static double stretch_of(const struct job *j, const struct job_call *c)
{
    enum { LATER = 4, FAR = 1000 };
    const struct job_moment *first = &j->moment[c->first];
    double end = first->start + first->seconds;
    int found = 0;
    for (const struct job_call *next = c + 1; found < LATER && next < j->call + j->calls && next < c + FAR; next++)
        if (next->ranks == c->ranks && j->moment[next->first].rank == first->rank && next->each > 1) {
            end = fmax(end, j->moment[next->first].start);
            found++;
        }
    return found < LATER ? j->elapsed : end - first->start;
}

static void spend_call(const struct job *j, const struct timeline *t, const struct job_call *c)
{
    const double stretch = c->each > 1 ? stretch_of(j, c) : 0;
    for (const struct job_moment *m = &j->moment[c->first]; m < &j->moment[c->first] + c->ranks; m++) {
        const int row = html_row(j, t->rows, m->rank);
        const double times = (double)c->each / t->reported[row], moving = m->start + m->waited, end = m->start + m->seconds;
        if (c->each > 1) {
            spend(t, row, m->start, m->start + stretch, times * m->waited, t->kinds - 1);
            spend(t, row, m->start, m->start + stretch, times * (end - moving), c->engine);
        } else {
            spend(t, row, m->start, moving, times * m->waited, t->kinds - 1);
            spend(t, row, moving, end, times * (end - moving), c->engine);
        }
    }
}

/* Piles up the kinds of time in a bin, no higher than the row; even the shortest time shows as a pixel. */
static void pile_up(float *spent, int kinds, int height)
{
    double all = 0, sum = 0;
    for (int k = 0; k < kinds; k++)
        all += spent[k];
    double scale = all > 1 ? height / all : all > 0 && all * height < 1 ? 1 / all : height;
    for (int k = 0; k < kinds; k++) {
        sum += spent[k];
        spent[k] = (float)floor(sum * scale + 0.5);
    }
}

static bool fill(const struct job *j, struct timeline *t)
{
    t->rows = html_rows(j);
    t->bins = t->rows.count > ROWS / 2 ? BINS : 2 * BINS;
    t->kinds = engine_count() + 1;
    t->spent = calloc((size_t)t->rows.count * (size_t)t->bins * (size_t)t->kinds, sizeof *t->spent);
    if (!t->spent)
        return false;
    t->from = INFINITY;
    for (const struct job_moment *m = j->moment; m < j->moment + j->moments; m++) {
        t->from = fmin(t->from, m->start);
        t->to = fmax(t->to, m->start + m->seconds);
    }
    t->to = fmax(t->to, nextafter(t->from + 1e-9, INFINITY));
    for (int i = 0; i < j->reported; i++)
        t->reported[html_row(j, t->rows, j->rank[i].rank)]++;
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++) {
        spend_call(j, t, c);
        t->sampled = t->sampled || c->each > 1;
    }
    for (int row = 0; row < t->rows.count; row++)
        for (int bin = 0; bin < t->bins; bin++)
            pile_up(spent_at(t, row, bin), t->kinds, t->rows.height - 1);
    return true;
}

/* Draws all bars of a kind; neighbouring bins of the same height are one bar. */
static void put_bars(const struct html *h, const struct timeline *t, int kind)
{
    const int wide = WIDTH / t->bins;
    bool any = false;
    for (int row = 0; row < t->rows.count; row++)
        for (int bin = 0, next; bin < t->bins; bin = next) {
            const float *edge = spent_at(t, row, bin) + kind;
            const int low = kind ? (int)edge[-1] : 0, high = (int)edge[0];
            for (next = bin + 1; next < t->bins; next++) {
                edge += t->kinds;
                if ((kind ? (int)edge[-1] : 0) != low || (int)edge[0] != high)
                    break;
            }
            if (high == low)
                continue;
            if (!any && kind < engine_count())
                fprintf(h->f, "<path fill='%s' d='", h->colour[kind]);
            else if (!any)
                fputs("<path class='waiting' d='", h->f);
            any = true;
            fprintf(h->f, "M%d %dh%dv-%dh-%dz", GUTTER + bin * wide, TOP + (row + 1) * t->rows.height - 1 - low,
                    (next - bin) * wide, high - low, (next - bin) * wide);
        }
    if (any)
        fputs("'/>\n", h->f);
}

/* Draws five to thirteen marks, at multiples of 1, 2 or 5 times a power of ten. */
static void put_axis(const struct html *h, const struct timeline *t)
{
    const double all = t->to - t->from;
    const int bottom = TOP + t->rows.count * t->rows.height;
    char text[UNITS_TEXT];
    double step = pow(10, floor(log10(all / 5)));
    step *= all / step > 25 ? 5 : all / step > 12 ? 2 : 1;
    fprintf(h->f, "<rect class='field' x='%d' y='%d' width='%d' height='%d'/>\n", GUTTER, TOP, WIDTH, bottom - TOP);
    for (int i = 0; i < MARKS; i++) {
        const double s = (ceil(t->from / step) + i) * step;
        if (s > t->to)
            break;
        int x = GUTTER + (int)((s - t->from) / all * WIDTH);
        fprintf(h->f, "<path class='axis' d='M%d %dV%d'/><text class='%s' x='%d' y='%d'>%s</text>\n", x, TOP - 4, bottom,
                x < GUTTER + 20           ? ""
                : x > GUTTER + WIDTH - 20 ? "r"
                                          : "m",
                x, TOP - 8, s > step / 2 ? time_about(s, text) : "0");
    }
}

static void put_picture(const struct html *h, const struct timeline *t)
{
    fprintf(h->f,
            "<div class='scroll'><svg viewBox='0 0 %d %d' role='img' aria-label='when ranks were in calls'>\n<text "
            "class='r' x='%d' "
            "y='14'>rank</text>\n",
            PAGE, TOP + t->rows.count * t->rows.height + 6, GUTTER - 6);
    put_axis(h, t);
    html_row_names(h, t->rows, TOP);
    for (int kind = 0; kind < t->kinds; kind++)
        put_bars(h, t, kind);
    fputs("</svg></div>\n", h->f);
}

bool html_timeline(const struct html *h)
{
    struct timeline t = {0};
    if (!h->j->calls)
        return true;
    if (!fill(h->j, &t))
        return false;
    fputs("<section>\n<h2>Timeline</h2>\n<p>The bars show how much of their time ranks spent in calls: a full row is all of "
          "it. "
          "Time of waiting for others is pale and on top; the rest is below, in the colour of the engine.",
          h->f);
    if (t.sampled)
        fputs(" The first 256 calls of a communicator all count; of later calls, some count for several.", h->f);
    fputs("</p>\n", h->f);
    html_legend(h);
    put_picture(h, &t);
    fputs("</section>\n", h->f);
    free(t.spent);
    return true;
}
