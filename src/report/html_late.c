/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranks that the others waited for; see html.h. */
#include "html.h"

#include <stdlib.h>

/* Most seconds first. */
static int by_late(const void *a, const void *b)
{
    const struct job_rank *const *x = a, *const *y = b;
    return (*x)->late != (*y)->late ? ((*x)->late < (*y)->late ? 1 : -1) : (*x)->rank - (*y)->rank;
}

static void put_late(const struct html *h, const struct job_rank *const *late, double all, double calls)
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
    for (int i = 0; i < h->j->reported && i < SHOWN && late[i]->late > 0; i++) {
        const struct job_rank *r = late[i];
        fprintf(h->f, "<tr><td class='t'>%d</td><td class='t'>", r->rank);
        html_text(h->f, r->host);
        fprintf(h->f, "</td><td>%s of the calls</td><td>%s</td><td class='part' style='--p:%.0f%%'>%s</td></tr>\n",
                share_about(r->late_calls, calls, came), time_about(r->late, seconds), 100 * r->late / all,
                share_about(r->late, all, share));
    }
    fputs("</tbody>\n</table>\n</section>\n", h->f);
}

bool html_late(const struct html *h)
{
    const struct job *j = h->j;
    double all = 0, calls = 0;
    const struct job_rank **late = calloc((size_t)j->reported, sizeof *late);
    if (!late)
        return false;
    for (int i = 0; i < j->reported; i++) {
        late[i] = &j->rank[i];
        all += j->rank[i].late;
    }
    for (const struct job_call *c = j->call; c < j->call + j->calls; c++)
        calls += (double)c->each;
    qsort(late, (size_t)j->reported, sizeof *late, by_late);
    if (all > 0)
        put_late(h, late, all, calls);
    free(late);
    return true;
}
