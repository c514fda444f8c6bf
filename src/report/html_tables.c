/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of the page: sums over calls that share a property; see html.h. */
#include "html.h"
#include "job_tables.h"
#include "phrases.h"

#include <math.h>
#include <string.h>

/* A table that is being written. */
struct html_table {
    const struct html *h;
    const struct table_column *shown[TABLE_COLUMNS];
    int columns;
};

/* Writes a row. The name of an engine has its colour before it. A number of 0 seconds is none. */
static void put_row(void *to, const struct job_row *r)
{
    static const char *const classes[] = {
        [VALUE_TEXT] = " class='t'", [VALUE_ENGINE] = " class='t'", [VALUE_SITE] = " class='site'", [VALUE_PART] = ""};
    const struct html_table *t = to;
    FILE *f = t->h->f;
    fputs("<tr>", f);
    for (int i = 0; i < t->columns; i++) {
        const struct table_column *c = t->shown[i];
        char text[TABLE_VALUE];
        const char *value = table_value(c, r, false, text);
        if (c->type == VALUE_PART)
            fprintf(f, "<td class='part' style='--p:%.0f%%'>",
                    fmin(100, 100 * r->sums.tally.seconds / t->h->j->all.seconds));
        else
            fprintf(f, "<td%s>", c->type <= VALUE_SITE ? classes[c->type] : "");
        if (c->type == VALUE_ENGINE)
            fprintf(f, "<span class='legend'><b style='background:%s'></b></span>",
                    t->h->colour[engine_row(engine_find(value))]);
        if (c->type == VALUE_COUNT)
            html_count(f, r->sums.tally.calls);
        else
            html_text(f, strcmp(value, "0ns") == 0 ? "-" : value);
        fputs("</td>", f);
    }
    fputs("</tr>\n", f);
}

/* Writes the groups that took most time; a line below sums up the others. */
static void put_table(const struct html *h, int table, int limit)
{
    const struct job *j = h->j;
    struct html_table t = {.h = h, .columns = job_columns(j, table, true, t.shown)};
    char text[UNITS_TEXT];
    fputs("<table>\n<thead><tr>", h->f);
    for (int i = 0; i < t.columns; i++)
        fprintf(h->f, "<th class='%s' title=\"%s\">%s</th>", t.shown[i]->type <= VALUE_SITE ? "t" : "n", t.shown[i]->help,
                t.shown[i]->heading);
    fputs("</tr></thead>\n<tbody>\n", h->f);
    const struct job_rest rest = job_rows(j, table, limit, put_row, &t);
    fputs("</tbody>\n</table>\n", h->f);
    if (rest.groups > 0)
        fprintf(h->f, "<p class='note'>And %d more, with %s of the run.</p>\n", rest.groups,
                share_about(rest.seconds, job_run(j), text));
    if (table == BY_SITE && job_has_others(j))
        fputs("<p class='note'>" JOB_OTHERS_NOTE "</p>\n", h->f);
}

void html_size_table(const struct html *h)
{
    enum { SHOWN = 100 };
    fputs("<details><summary>The same as a table</summary>\n", h->f);
    put_table(h, BY_SIZE, SHOWN);
    fputs("</details>\n", h->f);
}

static void put_section(const struct html *h, const char *title, int table)
{
    enum { SHOWN = 40 };
    fprintf(h->f, "<section>\n<h2>%s</h2>\n", title);
    put_table(h, table, SHOWN);
    fputs("</section>\n", h->f);
}

static void put_reason(void *to, enum reason r)
{
    const struct html *h = to;
    fprintf(h->f, "<dt>%s</dt><dd>%s</dd>\n", reason_word(r), phrase_reason(r));
}

void html_tables(const struct html *h)
{
    put_section(h, "By collective", BY_COLLECTIVE);
    put_section(h, "By call site", BY_SITE);
    put_section(h, "By engine and reason", BY_SERVICE);
    fputs("<dl class='reasons'>\n", h->f);
    phrase_reasons(h->j, put_reason, (void *)h);
    fputs("</dl>\n", h->f);
}

void html_others(const struct html *h)
{
    if (h->j->others)
        put_section(h, "Beside served calls: other collectives, and sums", OTHER_TABLE);
}
