/* SPDX-License-Identifier: BSD-2-Clause */
/* The timeline: ranks down, time across; see html.h. Where calls are many, they are counted in bins of time. */
#include "html.h"

#include "colour.h"

#include <math.h>
#include <stdlib.h>

enum {
    SINGLE = 1000, /* moments, at most, to draw each of them */
    BINS = 440,    /* of time, where all calls were kept and ranks are few */
    COARSE = 110,  /* where those that were kept stand for others, which were around them */
    MANY = 32      /* from so many rows on there are half as many bins, to keep the page small */
};
enum { TOP = 22, WIDTH = 880 }; /* a bin is some whole pixels wide */
enum { WAITED, MOVED, DOINGS };

/* What of a bin's time a row's ranks spent in calls. */
struct bin {
    double part[DOINGS];
    int engine; /* that has most of it */
};

struct timeline {
    struct rows rows;
    int bins;
    double from, to; /* seconds */
    int told[ROWS];  /* ranks of a row */
    float *spent;    /* [rows][bins][engines][DOINGS], in bins of one rank */
};

static float *spent_at(const struct timeline *t, int row, int bin)
{
    return t->spent + ((size_t)row * (size_t)t->bins + (size_t)bin) * (size_t)engine_count() * DOINGS;
}

/* Adds a stretch of time to the bins that it touches. */
static void spend(const struct timeline *t, int row, double from, double to, double times, int which)
{
    const double scale = t->bins / (t->to - t->from), a = (from - t->from) * scale, b = (to - t->from) * scale;
    for (int bin = (int)a; bin < t->bins && bin < b; bin++)
        spent_at(t, row, bin)[which] += (float)(times * (fmin(b, bin + 1) - fmax(a, bin)));
}

/* False: out of memory. */
static bool fill(const struct job *j, struct timeline *t)
{
    bool sampled = false;
    t->rows = html_rows(j);
    t->from = INFINITY;
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++) {
        sampled = sampled || c->each > 1;
        for (const struct job_moment *m = &j->moment[c->first]; m < &j->moment[c->first] + c->ranks; m++) {
            t->from = fmin(t->from, m->start);
            t->to = fmax(t->to, m->start + m->seconds);
        }
    }
    t->to = fmax(t->to, t->from + 1e-9);
    t->bins = sampled ? COARSE : t->rows.count > MANY ? BINS / 2 : BINS;
    t->spent = calloc((size_t)t->rows.count * (size_t)t->bins * (size_t)engine_count() * DOINGS, sizeof *t->spent);
    if (!t->spent)
        return false;
    for (int i = 0; i < j->told; i++)
        t->told[html_row(j, t->rows, j->rank[i].rank)]++;
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++)
        for (const struct job_moment *m = &j->moment[c->first]; m < &j->moment[c->first] + c->ranks; m++) {
            int row = html_row(j, t->rows, m->rank);
            double moving = m->start + m->waited, times = (double)c->each / t->told[row];
            spend(t, row, m->start, moving, times, c->engine * DOINGS + WAITED);
            spend(t, row, moving, m->start + m->seconds, times, c->engine * DOINGS + MOVED);
        }
    return true;
}

static struct bin bin_at(const struct timeline *t, int row, int number)
{
    const float *spent = spent_at(t, row, number);
    struct bin bin = {{0}, 0};
    double most = 0;
    for (int e = 0; e < engine_count(); e++, spent += DOINGS) {
        if (spent[WAITED] + spent[MOVED] > most) {
            most = spent[WAITED] + spent[MOVED];
            bin.engine = e;
        }
        bin.part[WAITED] += spent[WAITED];
        bin.part[MOVED] += spent[MOVED];
    }
    return bin;
}

/* Its two heights in pixels: what moved is below, and something is always seen. */
static void heights(const struct bin *bin, int most, int height[DOINGS])
{
    double all = bin->part[WAITED] + bin->part[MOVED];
    int whole = all > 0 ? (int)fmax(1, fmin(1, all) * most + 0.5) : 0;
    height[MOVED] = all > 0 ? (int)(whole * bin->part[MOVED] / all + 0.5) : 0;
    height[WAITED] = whole - height[MOVED];
}

/* All bars of an engine: bins of the same height side by side are one. */
static void put_bars(const struct html *h, const struct timeline *t, int engine, int doing)
{
    const int most = t->rows.height - 1, wide = WIDTH / t->bins;
    const char *begin = doing == WAITED ? "<path class='wait' fill='%s' d='" : "<path fill='%s' d='";
    bool any = false;
    for (int row = 0; row < t->rows.count; row++) {
        int from = 0, was[DOINGS] = {0};
        for (int b = 0; b <= t->bins; b++) {
            int is[DOINGS] = {0};
            struct bin bin = b < t->bins ? bin_at(t, row, b) : (struct bin){{0}, engine};
            if (bin.engine == engine)
                heights(&bin, most, is);
            if (is[WAITED] == was[WAITED] && is[MOVED] == was[MOVED])
                continue;
            if (was[doing] > 0) {
                int bottom = TOP + row * t->rows.height + most - (doing == WAITED ? was[MOVED] : 0);
                if (!any)
                    fprintf(h->f, begin, engine_colour(engines[engine]->name));
                fprintf(h->f, "M%d %dh%dv-%dh-%dz", GUTTER + from * wide, bottom, (b - from) * wide, was[doing],
                        (b - from) * wide);
                any = true;
            }
            from = b;
            was[WAITED] = is[WAITED];
            was[MOVED] = is[MOVED];
        }
    }
    if (any)
        fputs("'/>\n", h->f);
}

/* Marks at whole steps of 1, 2 or 5 times a power of ten, five to twelve of them. */
static void put_axis(const struct html *h, const struct timeline *t)
{
    const double all = t->to - t->from;
    const int bottom = TOP + t->rows.count * t->rows.height;
    char text[UNITS_TEXT];
    double step = pow(10, floor(log10(all / 5)));
    step *= all / step > 25 ? 5 : all / step > 12 ? 2 : 1;
    fprintf(h->f, "<rect class='field' x='%d' y='%d' width='%d' height='%d'/>\n", GUTTER, TOP, WIDTH, bottom - TOP);
    for (double s = ceil(t->from / step) * step; s <= t->to; s += step) {
        int x = GUTTER + (int)((s - t->from) / all * WIDTH);
        fprintf(h->f, "<path class='axis' d='M%d %dV%d'/><text class='%s' x='%d' y='%d'>%s</text>\n", x, TOP - 4, bottom,
                x < GUTTER + 20           ? ""
                : x > GUTTER + WIDTH - 20 ? "r"
                                          : "m",
                x, TOP - 8, s > step / 2 ? time_about(s, text) : "0");
    }
}

/* Few calls are drawn one by one, each with a text to be hovered over. */
static void put_calls(const struct html *h, const struct timeline *t)
{
    const struct job *j = h->j;
    const double scale = WIDTH / (t->to - t->from);
    char seconds[UNITS_TEXT], waited[UNITS_TEXT];
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++)
        for (const struct job_moment *m = &j->moment[c->first]; m < &j->moment[c->first] + c->ranks; m++) {
            const double x = GUTTER + (m->start - t->from) * scale, moving = x + m->waited * scale;
            const double end = fmax(moving + 1, x + m->seconds * scale); /* all can be seen */
            const int y = TOP + html_row(j, t->rows, m->rank) * t->rows.height, high = t->rows.height - 1;
            fprintf(h->f, "<g fill='%s'><title>rank %d: ", engine_colour(engines[c->engine]->name), m->rank);
            html_call(h->f, c);
            fprintf(h->f, ", %s, of which it waited %s</title>", time_about(m->seconds, seconds),
                    time_about(m->waited, waited));
            fprintf(h->f, "<rect class='wait' x='%.1f' y='%d' width='%.1f' height='%d'/>", x, y, moving - x, high);
            fprintf(h->f, "<rect x='%.1f' y='%d' width='%.1f' height='%d'/></g>\n", moving, y, end - moving, high);
        }
}

static void put_picture(const struct html *h, const struct timeline *t, bool single)
{
    fprintf(h->f, "<svg viewBox='0 0 %d %d' role='img'>\n<text class='r' x='%d' y='14'>rank</text>\n", PAGE,
            TOP + t->rows.count * t->rows.height + 6, GUTTER - 6);
    put_axis(h, t);
    html_row_names(h, t->rows, TOP);
    if (single)
        put_calls(h, t);
    for (int e = 0; e < engine_count() && !single; e++)
        for (int doing = WAITED; doing <= MOVED; doing++)
            put_bars(h, t, e, doing);
    fputs("</svg>\n", h->f);
}

bool html_timeline(const struct html *h)
{
    struct timeline t = {0};
    if (!h->j->calls)
        return true;
    if (!fill(h->j, &t))
        return false;
    const bool single = h->j->moments <= SINGLE && h->j->told <= ROWS;
    fputs("<section>\n<h2>Timeline</h2>\n<p>Bars are calls, in the colour of their engine; the pale part of a bar is what a "
          "rank waited for others.",
          h->f);
    if (!single)
        fputs(" A bar is as high as the part of that time which ranks spent in calls.", h->f);
    if (t.bins == COARSE)
        fputs(" Of a communicator's first 256 calls all are counted; later on, one stands for those around it.", h->f);
    fputs("</p>\n", h->f);
    html_legend(h);
    put_picture(h, &t, single);
    fputs("</section>\n", h->f);
    free(t.spent);
    return true;
}
