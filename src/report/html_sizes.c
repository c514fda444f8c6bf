/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Draws the time of each size class: the part that engines served, and the native part. A thin bar below shows the predicted
 * time with the other choice; see otherwise().
 */
#include "advice_sums.h"
#include "html.h"
#include "phrases.h"
#include "writers.h"

#include <math.h>

enum { WIDTH = 462, NAME = 62, BAR = 250, LINE = 22, THICK = 11, LARGEST = 62 };

/*
 * The predicted seconds of a group's calls with the other choice: native seconds for the calls that engines served or, in a
 * dry run, engines' seconds for the calls that engines would have served. 0: not predicted. As in advice_sums.c, only the
 * ratio of the two predictions counts, and the seconds in which ranks wait for each other stay.
 */
static double otherwise(const struct job *j, const struct job_group *g)
{
    const struct tally *e = &g->engines;
    const double waited = fmax(g->waited, 0);
    if (!(e->predicted > 0) || !(e->native > 0) || !(e->engine > 0))
        return 0;
    double saved = 0;
    for (const struct job_group *p = j->group[BY_SIZE_AND_SITE]; j->dry && p < parts_end(j); p++)
        saved += p->collective == g->collective && p->size == g->size ? claim_of(j, p).likely : 0;
    if (j->dry)
        return e->seconds - saved;
    return e->seconds * (waited + (1 - waited) * e->native / e->engine);
}

static void put_bar(FILE *f, const char *class, int x, int y, double length, int thick)
{
    if (length > 0)
        fprintf(f, "<rect class='%s' x='%d' y='%d' width='%.1f' height='%d'/>", class, x, y, fmax(length, 0.5), thick);
}

static void put_line(const struct html *h, const struct job_group *g, int y, double scale)
{
    char size[UNITS_TEXT], time[UNITS_TEXT], served[UNITS_TEXT], other[UNITS_TEXT];
    const struct tally *t = &g->tally, *e = &g->engines;
    double engine = e->seconds * scale, all = t->seconds * scale, instead = otherwise(h->j, g);
    fprintf(h->f, "<g><title>%s calls of %s bytes: %s of their time %s engines", collective_name(g->collective),
            html_size(g->size, size), share_about(e->seconds, t->seconds, served), h->j->dry ? "would be with" : "with");
    if (instead > 0)
        fprintf(h->f, "; predicted %s: %s instead of %s", h->j->dry ? "with engines" : "natively",
                time_about(instead / h->j->reported, other), time_about(e->seconds / h->j->reported, time));
    fprintf(h->f, "</title><text class='r ink' x='%d' y='%d'>%s</text>", NAME, y + 11, html_size(g->size, size));
    put_bar(h->f, "field", NAME + 8, y, BAR, LINE - 4);
    put_bar(h->f, h->j->dry ? "would" : "engines", NAME + 8, y + 2, engine, THICK);
    put_bar(h->f, "native", NAME + 8 + (int)engine, y + 2, all - engine, THICK);
    put_bar(h->f, h->j->dry ? "engines" : "native", NAME + 8, y + 2 + THICK + 1, fmin(instead * scale, BAR), 3);
    fprintf(h->f, "<text x='%d' y='%d'>%s in ", NAME + BAR + 16, y + 11, time_about(t->seconds / h->j->reported, time));
    html_count(h->f, t->calls);
    fprintf(h->f, " call%s</text></g>\n", plural(t->calls));
}

static void put_collective(const struct html *h, const struct job_group *all)
{
    double longest = 0;
    int lines = 0, y = 4;
    char share[UNITS_TEXT];
    for (int size = -1; size <= LARGEST; size++) {
        const struct job_group *g = size_group(h->j, all->collective, size);
        if (g) {
            longest = fmax(longest, fmax(g->tally.seconds, otherwise(h->j, g)));
            lines++;
        }
    }
    fprintf(h->f,
            "<div>\n<h3>%s <span class='soft'>%s of the run</span></h3>\n<svg viewBox='0 0 %d %d' role='img' "
            "aria-label='time by size'>\n",
            collective_name(all->collective), share_about(all->tally.seconds, job_run(h->j), share), WIDTH,
            lines * LINE + 6);
    for (int size = -1; size <= LARGEST; size++) {
        const struct job_group *g = size_group(h->j, all->collective, size);
        if (g) {
            put_line(h, g, y, longest > 0 ? BAR / longest : 0);
            y += LINE;
        }
    }
    fputs("</svg>\n</div>\n", h->f);
}

static void put_legend(const struct html *h)
{
    const struct job *j = h->j;
    bool any = false;
    for (int i = 0; i < j->groups[BY_SIZE]; i++)
        any = any || otherwise(j, &j->group[BY_SIZE][i]) > 0;
    fputs("<p class='legend'>", h->f);
    fputs(j->dry ? "<span><b class='would'></b>time that engines would have served</span> <span><b "
                   "class='native'></b>native</span> "
                 : "<span><b class='engines'></b>served by engines</span> <span><b class='native'></b>native</span> ",
          h->f);
    if (any)
        fputs(j->dry
                  ? "<span><b class='engines thin'></b>below: predicted time with engines</span>"
                  : "<span><b class='native thin'></b>below: predicted native time of the calls that engines served</span>",
              h->f);
    fputs("</p>\n", h->f);
}

void html_sizes(const struct html *h)
{
    const struct job *j = h->j;
    fputs("<section>\n<h2>Time by size</h2>\n", h->f);
    put_legend(h);
    fputs("<div class='two'>\n", h->f);
    for (int i = 0; i < j->groups[BY_COLLECTIVE]; i++)
        put_collective(h, &j->group[BY_COLLECTIVE][i]);
    fputs("</div>\n", h->f);
    html_size_table(h);
    fputs("</section>\n", h->f);
}
