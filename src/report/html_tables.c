/* SPDX-License-Identifier: BSD-2-Clause */
/* The page's tables: sums over calls that have something in common; see html.h. */
#include "html.h"
#include "writers.h"

#include "colour.h"

#include <math.h>

/* A table's columns. A cell is its text and what comes around it. */
struct column {
    const char *heading, *help;
    const char *class; /* of the cells; NULL: numbers, on the right */
    void (*put)(const struct html *h, const struct job_group *g);
};

static void put_collective(const struct html *h, const struct job_group *g)
{
    fputs(collective_name(g->collective), h->f);
}

static void put_size(const struct html *h, const struct job_group *g)
{
    char text[UNITS_TEXT];
    fputs(html_size(g->size, text), h->f);
}

static void put_engine(const struct html *h, const struct job_group *g)
{
    fprintf(h->f, "<span class='legend'><b style='background:%s'></b></span>%s%s", engine_colour(engines[g->would]->name),
            g->would != g->engine ? "native, would be " : "", engines[g->would]->name);
}

static void put_reason(const struct html *h, const struct job_group *g)
{
    fputs(reason_word(g->reason), h->f);
}

static void put_site(const struct html *h, const struct job_group *g)
{
    html_text(h->f, *g->site ? g->site : "others");
}

static void put_calls(const struct html *h, const struct job_group *g)
{
    html_count(h->f, g->tally.calls);
}

static void put_bytes(const struct html *h, const struct job_group *g)
{
    char text[UNITS_TEXT];
    fputs(size_about(g->tally.bytes, text), h->f);
}

static void put_seconds(const struct html *h, double seconds)
{
    char text[UNITS_TEXT];
    fputs(seconds > 0 ? time_about(seconds, text) : "-", h->f);
}

static void put_time(const struct html *h, const struct job_group *g)
{
    put_seconds(h, g->tally.seconds / h->j->told);
}

static void put_longest(const struct html *h, const struct job_group *g)
{
    put_seconds(h, g->most);
    fprintf(h->f, " <span class='soft'>%d</span>", g->most_rank);
}

static void put_share(const struct html *h, const struct job_group *g)
{
    char text[UNITS_TEXT];
    fputs(html_percent(g->tally.seconds, job_run(h->j), text), h->f);
}

static void put_mean(const struct html *h, const struct job_group *g)
{
    put_seconds(h, g->tally.seconds / (double)g->tally.calls);
}

static void put_least(const struct html *h, const struct job_group *g)
{
    put_seconds(h, g->tally.least);
}

static void put_most(const struct html *h, const struct job_group *g)
{
    put_seconds(h, g->tally.most);
}

static void put_waited(const struct html *h, const struct job_group *g)
{
    char text[UNITS_TEXT];
    fputs(g->waited >= 0 ? html_percent(g->waited, 1, text) : "-", h->f);
}

static void put_engines(const struct html *h, const struct job_group *g)
{
    char text[UNITS_TEXT];
    fputs(html_percent(g->engines.seconds, g->tally.seconds, text), h->f);
}

/* How the two predictions stand to what was measured: of a call the mean, where they are told. */
static void put_predicted(const struct html *h, const struct job_group *g)
{
    char native[UNITS_TEXT], engine[UNITS_TEXT];
    if (g->tally.predicted > 0) {
        double calls = (double)g->tally.calls * g->tally.predicted / g->tally.seconds; /* about so many have them */
        fprintf(h->f, "%s : %s", time_about(g->tally.native / calls, native), time_about(g->tally.engine / calls, engine));
    } else {
        putc('-', h->f);
    }
}

#define COLLECTIVE                                                                                                          \
    {                                                                                                                       \
        "collective", NULL, "t", put_collective                                                                             \
    }
#define CALLS                                                                                                               \
    {                                                                                                                       \
        "calls", "on all ranks", NULL, put_calls                                                                            \
    }
#define BYTES                                                                                                               \
    {                                                                                                                       \
        "bytes", "on all ranks", NULL, put_bytes                                                                            \
    }
#define TIME                                                                                                                \
    {                                                                                                                       \
        "time", "in these calls: a rank's mean", NULL, put_time                                                             \
    }
#define SHARE                                                                                                               \
    {                                                                                                                       \
        "share", "of the time that all ranks ran", "part", put_share                                                        \
    }
#define LONGEST                                                                                                             \
    {                                                                                                                       \
        "longest rank", "the most time that a rank spent in these calls, and which rank", NULL, put_longest                 \
    }
#define MEAN                                                                                                                \
    {                                                                                                                       \
        "mean", "of a call", NULL, put_mean                                                                                 \
    }
#define LEAST                                                                                                               \
    {                                                                                                                       \
        "min", "of a call", NULL, put_least                                                                                 \
    }
#define MOST                                                                                                                \
    {                                                                                                                       \
        "max", "of a call", NULL, put_most                                                                                  \
    }
#define WAITED                                                                                                              \
    {                                                                                                                       \
        "waited", "part of the time in which ranks waited for others to come", NULL, put_waited                             \
    }
#define ENGINES                                                                                                             \
    {                                                                                                                       \
        "engines", "part of the time that engines served, or in a dry run would have served", NULL, put_engines             \
    }
#define PREDICTED                                                                                                           \
    {                                                                                                                       \
        "native : engine", "what the model predicts of a call, served natively and by the engine", NULL, put_predicted      \
    }

static const struct column columns[DIMENSIONS][13] = {
    [BY_COLLECTIVE] = {COLLECTIVE, CALLS, BYTES, TIME, SHARE, LONGEST, MEAN, LEAST, MOST, WAITED, ENGINES, {0}},
    [BY_SIZE] = {COLLECTIVE,
                 {"bytes of a call", NULL, NULL, put_size},
                 CALLS,
                 TIME,
                 SHARE,
                 LONGEST,
                 MEAN,
                 LEAST,
                 MOST,
                 WAITED,
                 ENGINES,
                 {0}},
    [BY_SERVICE] = {COLLECTIVE,
                    {"engine", NULL, "t", put_engine},
                    {"reason", "why this engine", "t", put_reason},
                    CALLS,
                    BYTES,
                    TIME,
                    SHARE,
                    MEAN,
                    WAITED,
                    PREDICTED,
                    {0}},
    [BY_SITE] = {{"call site", "innermost function first", "site", put_site},
                 COLLECTIVE,
                 CALLS,
                 BYTES,
                 TIME,
                 SHARE,
                 LONGEST,
                 MEAN,
                 WAITED,
                 ENGINES,
                 {0}},
};

static void put_row(const struct html *h, const struct column *c, const struct job_group *g)
{
    fputs("<tr>", h->f);
    for (; c->heading; c++) {
        if (c->put == put_share)
            fprintf(h->f, "<td class='part' style='--p:%.0f%%'>", fmin(100, 100 * g->tally.seconds / h->j->all.seconds));
        else
            fprintf(h->f, c->class ? "<td class='%s'>" : "<td>", c->class);
        c->put(h, g);
        fputs("</td>", h->f);
    }
    fputs("</tr>\n", h->f);
}

/* The groups that took most time; what the others took is told below. */
static void put_table(const struct html *h, enum dimension d, int most)
{
    const struct job *j = h->j;
    char share[UNITS_TEXT];
    fputs("<table>\n<thead><tr>", h->f);
    for (const struct column *c = columns[d]; c->heading; c++) {
        fprintf(h->f, c->class && *c->class != 'p' ? "<th class='t'" : "<th");
        fprintf(h->f, c->help ? " title=\"%s\">%s</th>" : "%.0s>%s</th>", c->help ? c->help : "", c->heading);
    }
    fputs("</tr></thead>\n<tbody>\n", h->f);
    double rest = 0;
    for (int i = 0; i < j->groups[d]; i++)
        if (i < most)
            put_row(h, columns[d], &j->group[d][i]);
        else
            rest += j->group[d][i].tally.seconds;
    fputs("</tbody>\n</table>\n", h->f);
    if (j->groups[d] > most)
        fprintf(h->f, "<p class='note'>And %d more, with %s of the run.</p>\n", j->groups[d] - most,
                html_percent(rest, job_run(j), share));
}

void html_size_table(const struct html *h)
{
    enum { SHOWN = 100 };
    fputs("<details><summary>The same as a table</summary>\n", h->f);
    put_table(h, BY_SIZE, SHOWN);
    fputs("</details>\n", h->f);
}

void html_tables(const struct html *h)
{
    enum { SHOWN = 40 };
    fputs("<section>\n<h2>By collective</h2>\n", h->f);
    put_table(h, BY_COLLECTIVE, SHOWN);
    fputs("</section>\n<section>\n<h2>By call site</h2>\n", h->f);
    put_table(h, BY_SITE, SHOWN);
    fputs("</section>\n<section>\n<h2>By engine and reason</h2>\n", h->f);
    put_table(h, BY_SERVICE, SHOWN);
    fputs("</section>\n", h->f);
}

void html_others(const struct html *h)
{
    const struct job *j = h->j;
    char bytes[UNITS_TEXT];
    if (!j->others)
        return;
    fputs(
        "<section>\n<h2>Other collectives</h2>\n<p>Pleach does not serve these. Bytes are those of the send buffers.</p>\n"
        "<table>\n<thead><tr><th class='t'>function</th><th>calls</th><th>bytes</th><th title='a rank&#39;s mean'>time</th>"
        "<th title='of a call'>mean</th></tr></thead>\n<tbody>\n",
        h->f);
    for (int i = 0; i < j->others; i++) {
        const struct part_other *o = &j->other[i];
        fputs("<tr><td class='t'>", h->f);
        html_text(h->f, o->name);
        fputs("</td><td>", h->f);
        html_count(h->f, o->calls);
        fprintf(h->f, "</td><td>%s</td><td>", size_about(o->bytes, bytes));
        put_seconds(h, o->seconds / (j->told > 0 ? j->told : 1));
        fputs("</td><td>", h->f);
        put_seconds(h, o->calls > 0 ? o->seconds / (double)o->calls : 0);
        fputs("</td></tr>\n", h->f);
    }
    fputs("</tbody>\n</table>\n</section>\n", h->f);
}
