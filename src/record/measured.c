/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes the measured figures in log and report. */
#include "record.h"
#include "report.h"
#include "units.h"

#include <stdio.h>

static void put_link(const struct machine *m, enum link link, const char *where, bool late, char *text, size_t size)
{
    const struct figures *f = &m->figures[link];
    char bandwidth[UNITS_TEXT], latency[UNITS_TEXT];
    snprintf(text, size, "%s: %sB/s, %s%s", where, size_about(1 / f->beta, bandwidth), time_about(f->alpha, latency),
             !m->noisy[link] ? ""
             : late          ? " (nominal: measuring took too long)"
                             : " (nominal: measuring was disturbed)");
}

static void report_figures(const struct machine *m, bool late)
{
    char within[96] = "", between[96] = "";
    if (m->node_ranks > 1)
        put_link(m, LINK_NODE, "within a node", late, within, sizeof within);
    if (m->nodes > 1)
        put_link(m, LINK_NETWORK, "between nodes", late, between, sizeof between);
    report_note("%s%s%s", within, within[0] && between[0] ? "; " : "", between);
}

enum { SHARED_TEXT = 160 };

static const char *shared_text(const struct segment_figures *f, char text[SHARED_TEXT])
{
    snprintf(text, SHARED_TEXT,
             f->fold > 0 ? "shared memory: wait %.3g us, copy %.3g ns/B, stream %.3g ns/B, spread %.3g ns/B, fold %.3g ns/B"
                         : "shared memory: its parameters are nominal",
             f->wait * 1e6, f->copy * 1e9, f->stream * 1e9, f->spread * 1e9, f->fold * 1e9);
    return text;
}

void record_shared(const struct segment_figures *f, double seconds)
{
    char shared[SHARED_TEXT];
    const locale_t before = uselocale(c_locale()); /* no comma in numbers */
    record_note("%s; in %.2g s", shared_text(f, shared), seconds);
    uselocale(before);
}

void record_unshared(const char *why)
{
    if (report_unshared(why))
        record_note("no shared memory on some communicator: %s", why);
}

void record_measured(const struct machine *m, double seconds, bool late)
{
    static const char *const nominal[] = {"", "; nominal: within a node", "; nominal: between nodes", "; nominal: all"};
    const int noisy = m->noisy[LINK_NODE] + 2 * m->noisy[LINK_NETWORK];
    const struct figures *n = &m->figures[LINK_NODE], *w = &m->figures[LINK_NETWORK];
    char places[120], shared[SHARED_TEXT] = "";
    const locale_t before = uselocale(c_locale());
    if (m->cell)
        shared_text(&m->segment, shared);
    record_note(
        "measured: within a node alpha %.3g us, beta %.3g ns/B, hop %.3g us, gap %.3g us, jump %.3g us; between nodes "
        "alpha %.3g us, beta %.3g ns/B, hop %.3g us, gap %.3g us, jump %.3g us; gamma %.3g ns/B; %d nodes, at most %d ranks "
        "on one%s%s; topology: %s; in %.2g s%s%s",
        n->alpha * 1e6, n->beta * 1e9, n->hop * 1e6, n->gap * 1e6, n->jump * 1e6, w->alpha * 1e6, w->beta * 1e9,
        w->hop * 1e6, w->gap * 1e6, w->jump * 1e6, n->gamma * 1e9, m->nodes, m->node_ranks,
        late    ? "; given up, as it took too long"
        : noisy ? "; disturbed"
                : "",
        nominal[noisy], places_text(m->places[SOURCE_MEASURED], places, sizeof places), seconds, *shared ? "; " : "",
        shared);
    uselocale(before);
    report_figures(m, late);
}
