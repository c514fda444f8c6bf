/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranks that the others waited for; see html.h. */
#include "html.h"

#include <stdlib.h>

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
