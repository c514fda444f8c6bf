/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of the page: sums over calls that share a property; see html.h. */
#include "html.h"
#include "phrases.h"
#include "writers.h"

#include <math.h>

struct html_column {
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
    fprintf(h->f, "<span class='legend'><b style='background:%s'></b></span>%s%s", h->colour[g->would],
            g->would != g->engine ? "native, would be " : "", engines[g->would]->name);
}

static void put_reason(const struct html *h, const struct job_group *g)
{
    fputs(reason_word(g->reason), h->f);
}

static void put_site(const struct html *h, const struct job_group *g)
{
    html_text(h->f, *g->site ? g->site : JOB_OTHERS);
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
    put_seconds(h, g->tally.seconds / h->j->reported);
}

static void put_longest(const struct html *h, const struct job_group *g)
{
    put_seconds(h, g->most);
}

static void put_rank(const struct html *h, const struct job_group *g)
{
    fprintf(h->f, "%d", g->most_rank);
}

static void put_share(const struct html *h, const struct job_group *g)
{
    char text[UNITS_TEXT];
    fputs(share_about(g->tally.seconds, job_run(h->j), text), h->f);
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
    fputs(g->waited >= 0 ? share_about(g->waited, 1, text) : "-", h->f);
}

static void put_engines(const struct html *h, const struct job_group *g)
{
    char text[UNITS_TEXT];
    fputs(share_about(g->engines.seconds, g->tally.seconds, text), h->f);
}

/* Writes the native and the engine's time of a call, by the model or by trials; means over the calls that have both. */
static void put_predicted(const struct html *h, const struct job_group *g)
{
    char native[UNITS_TEXT], engine[UNITS_TEXT];
    if (g->tally.predicted > 0) {
        /* About the number of calls that have both times: */
        double calls = (double)g->tally.calls * g->tally.predicted / g->tally.seconds;
        fprintf(h->f, "%s : %s", time_about(g->tally.native / calls, native), time_about(g->tally.engine / calls, engine));
    } else {
        putc('-', h->f);
    }
}

static const struct html_column collective = {"collective", "a function of MPI", "t", put_collective};
static const struct html_column size = {"up to", "bytes of a call", NULL, put_size};
static const struct html_column engine = {"engine", "the algorithm", "t", put_engine};
static const struct html_column reason = {"reason", "why this engine", "t", put_reason};
static const struct html_column site = {"call site", "innermost function first", "site", put_site};
static const struct html_column calls = {"calls", "on all ranks", NULL, put_calls};
static const struct html_column bytes = {"bytes", "on all ranks", NULL, put_bytes};
static const struct html_column mean_time = {"time", "in these calls: a rank's mean", NULL, put_time};
static const struct html_column most_time = {"most", "the most time that a rank spent in these calls", NULL, put_longest};
static const struct html_column rank = {"rank", "the rank that spent most time", NULL, put_rank};
static const struct html_column share = {"share", "of the time that all ranks ran", "part", put_share};
static const struct html_column mean = {"mean", "of a call", NULL, put_mean};
static const struct html_column least = {"min", "of a call", NULL, put_least};
static const struct html_column most = {"max", "of a call", NULL, put_most};
static const struct html_column waited = {"waited", "part of the time in which ranks waited for other ranks", NULL,
                                          put_waited};
static const struct html_column served = {"engines", "part of the time that engines served", NULL, put_engines};
static const struct html_column would = {"would", "part of the time that engines would have served", NULL, put_engines};
static const struct html_column predicted = {"native : engine", "times of a call, by model or trials", NULL, put_predicted};

static const struct html_column *const columns[TABLES][13] = {
    [BY_COLLECTIVE] = {&collective, &calls, &bytes, &mean_time, &most_time, &rank, &share, &waited, &mean, &least, &most,
                       &served},
    [BY_SIZE] = {&collective, &size, &calls, &mean_time, &most_time, &rank, &share, &waited, &mean, &least, &most, &served},
    [BY_SERVICE] = {&collective, &engine, &reason, &calls, &bytes, &mean_time, &share, &waited, &mean, &predicted},
    [BY_SITE] = {&site, &collective, &calls, &bytes, &mean_time, &most_time, &rank, &share, &waited, &mean},
};

static void choose_columns(const struct job *j, enum dimension d, const struct html_column *shown[13])
{
    bool any = false;
    int n = 0;
    for (int i = 0; i < j->groups[d]; i++)
        any = any || j->group[d][i].tally.predicted > 0;
    for (const struct html_column *const *c = columns[d]; *c; c++)
        if (*c != &predicted || any)
            shown[n++] = *c == &served && j->dry ? &would : *c;
    shown[n] = NULL;
}

static void put_row(const struct html *h, const struct html_column *const *shown, const struct job_group *g)
{
    fputs("<tr>", h->f);
    for (const struct html_column *c; (c = *shown); shown++) {
        if (c == &share)
            fprintf(h->f, "<td class='part' style='--p:%.0f%%'>", fmin(100, 100 * g->tally.seconds / h->j->all.seconds));
        else
            fprintf(h->f, c->class ? "<td class='%s'>" : "<td>", c->class);
        c->put(h, g);
        fputs("</td>", h->f);
    }
    fputs("</tr>\n", h->f);
}

/* Writes the groups that took most time; a line below sums up the others. */
static void put_table(const struct html *h, enum dimension d, int limit)
{
    const struct job *j = h->j;
    const struct html_column *shown[13];
    char text[UNITS_TEXT];
    double rest = 0;
    int left = 0;
    choose_columns(j, d, shown);
    fputs("<table>\n<thead><tr>", h->f);
    for (int i = 0; shown[i]; i++) {
        const char *align = shown[i]->class && shown[i] != &share ? "t" : "n";
        fprintf(h->f, "<th class='%s' title=\"%s\">%s</th>", align, shown[i]->help, shown[i]->heading);
    }
    fputs("</tr></thead>\n<tbody>\n", h->f);
    for (int i = 0; i < j->groups[d]; i++)
        if (job_shows(&j->group[d][i], i, limit)) {
            put_row(h, shown, &j->group[d][i]);
        } else {
            rest += j->group[d][i].tally.seconds;
            left++;
        }
    fputs("</tbody>\n</table>\n", h->f);
    if (left > 0)
        fprintf(h->f, "<p class='note'>And %d more, with %s of the run.</p>\n", left, share_about(rest, job_run(j), text));
    if (d == BY_SITE && job_has_others(j))
        fputs("<p class='note'>" JOB_OTHERS_NOTE "</p>\n", h->f);
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
        const struct rank_other *o = &j->other[i];
        fputs("<tr><td class='t'>", h->f);
        html_text(h->f, o->name);
        fputs("</td><td>", h->f);
        html_count(h->f, o->calls);
        fprintf(h->f, "</td><td>%s</td><td>", size_about(o->bytes, bytes));
        put_seconds(h, o->seconds / (j->reported > 0 ? j->reported : 1));
        fputs("</td><td>", h->f);
        put_seconds(h, o->calls > 0 ? o->seconds / (double)o->calls : 0);
        fputs("</td></tr>\n", h->f);
    }
    fputs("</tbody>\n</table>\n</section>\n", h->f);
}
