/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the page of a job, and its head: the program, and the results in sentences; see html.h. */
#include "html.h"
#include "next_step.h"
#include "phrases.h"
#include "verdict.h"
#include "writers.h"

#include <math.h>
#include <string.h>

/* ---- The results in sentences -------------------------------------------------------------------------------------- */

/* Sums over the calls that engines served or, in a dry run, would have served. */
static struct tally by_engines(const struct job *j)
{
    struct tally sum = {0};
    for (int i = 0; i < j->groups[BY_COLLECTIVE]; i++)
        tally_add(&sum, &j->group[BY_COLLECTIVE][i].engines);
    return sum;
}

/* A percentage in a sentence. */
static const char *about(double part, double whole, char *text)
{
    double percent = whole > 0 ? 100 * part / whole : 0;
    const bool finer = percent < 9.95 || (percent >= 99.5 && percent < 100); /* 100% means all */
    snprintf(text, UNITS_TEXT, "%.*f%%", finer ? 1 : 0, finer ? fmin(percent, 99.9) : percent);
    return text;
}

static void put_sentence(const struct html *h, const struct tally *engine, double run)
{
    const struct job *j = h->j;
    char share[UNITS_TEXT], served[UNITS_TEXT], waited[UNITS_TEXT];
    fprintf(h->f,
            "<p class='lede'>Collectives that Pleach serves took <b>%s</b> of the run. Of that time, engines %s <b>%s</b>",
            about(j->all.seconds, run, share), j->dry ? "would have served" : "served",
            about(engine->seconds, j->all.seconds, served));
    if (j->waited >= 0)
        fprintf(h->f, "; ranks waited for each other for <b>%s</b>", about(j->waited, 1, waited));
    fputs(".</p>\n", h->f);
}

static void put_costliest(const struct html *h)
{
    const struct job *j = h->j;
    const struct job_group *g = j->group[BY_SITE];
    char share[UNITS_TEXT], waited[UNITS_TEXT];
    if (j->groups[BY_SITE] == 0 || !*g->site)
        return;
    fprintf(h->f, "<p>Most time went to <b>%s</b> at <code>", collective_name(g->collective));
    html_text(h->f, job_name(g, BY_SITE, NULL));
    fprintf(h->f, "</code>: %s of the run", about(g->tally.seconds, job_run(j), share));
    if (g->waited >= 0)
        fprintf(h->f, "; for %s of this time, ranks waited for each other", about(g->waited, 1, waited));
    fputs(".</p>\n", h->f);
}

static void put_tile(FILE *f, double part, double whole, const char *text)
{
    char share[UNITS_TEXT];
    fprintf(f, "<div><b>%s</b><span>%s</span><i style='--p:%d%%'></i></div>\n", about(part, whole, share), text,
            whole > 0 && part < whole ? (int)(100 * part / whole + 0.5)
            : part > 0                ? 100
                                      : 0);
}

/* What the run gained, in one number; none if there is no difference. */
static void put_gain_tile(const struct html *h)
{
    const struct advice_totals s = sums_of(h->j);
    char saved[PHRASE], run[PHRASE];
    const double measuring = h->j->measuring / s.ranks;
    if (h->j->dry || h->j->log || fabs(s.saved.likely) < WORTH * s.run)
        return;
    fprintf(h->f, "<div><b>%s</b><span>%s by Pleach, of %s</span></div>\n", phrase_time(fabs(s.saved.likely), saved),
            s.saved.likely < 0     ? "lost"
            : verdict_measured(&s) ? "saved"
                                   : "at most saved",
            phrase_time(fmax(s.run - measuring + s.saved.likely, s.calls), run));
}

static void put_tiles(const struct html *h, const struct tally *engine, double run)
{
    const struct job *j = h->j;
    char time[UNITS_TEXT], most[UNITS_TEXT];
    const struct job_rank *longest = j->rank;
    for (int i = 1; i < j->reported; i++)
        if (j->rank[i].seconds > longest->seconds)
            longest = &j->rank[i];
    fputs("<div class='tiles'>\n", h->f);
    put_gain_tile(h);
    put_tile(h->f, j->all.seconds, run, "of the run in collectives that Pleach serves");
    put_tile(h->f, engine->seconds, j->all.seconds,
             j->dry ? "of the collectives' time would be served by engines" : "of the collectives' time served by engines");
    if (j->waited >= 0)
        put_tile(h->f, j->waited, 1, "of the collectives' time spent waiting for other ranks");
    fprintf(
        h->f,
        "<div><b>%s</b><span>in these collectives, on average over the ranks; most: %s, on rank %d</span></div>\n</div>\n",
        time_about(j->all.seconds / j->reported, time), time_about(longest->seconds, most), longest->rank);
}

/* ---- The program ---------------------------------------------------------------------------------------------------- */

static const char *ranks(const struct job *j, enum rank_end end, char text[RANK_LIST])
{
    phrase_ranks(j, end, 12, ", ", "&#8211;", text);
    return text;
}

static void put_alarms(const struct html *h)
{
    const struct job *j = h->j;
    char text[RANK_LIST];
    if (j->dry)
        fputs("<p class='alarm'><span class='dry'>A DRY RUN</span><br/>Pleach served no call: all ran natively. The "
              "page names the engines that would have served; their times come from the model or from trials.</p>\n",
              h->f);
    if (j->reported > 0 && j->reported < j->ranks && !j->own)
        fprintf(h->f, "<p class='alarm'>%d of %d ranks have not reported: %s.</p>\n", j->ranks - j->reported, j->ranks,
                ranks(j, ENDS, text));
    if (j->reported > 0 && j->end == END_RUNNING)
        fprintf(h->f,
                "<p class='alarm'>When this was written, the program was still running or had been killed: rank %s.</p>\n",
                ranks(j, END_RUNNING, text));
    else if (j->reported > 0 && j->end == END_EXIT)
        fputs("<p class='note'>The program ended without MPI_Finalize.</p>\n", h->f);
}

static void put_fact(FILE *f, const char *name, const char *text)
{
    if (!*text)
        return;
    fprintf(f, "<dt>%s</dt><dd>", name);
    html_text(f, text);
    fputs("</dd>\n", f);
}

static void put_facts(const struct html *h)
{
    const struct job *j = h->j;
    char text[PHRASE_FACT], date[DATE_TEXT];
    fputs("<dl>\n", h->f);
    job_date(j->began, date);
    snprintf(text, sizeof text, "%s UTC", date);
    put_fact(h->f, "Date", text);
    if (j->own)
        snprintf(text, sizeof text, "rank %d of %d", j->rank->rank, j->ranks);
    else
        snprintf(text, sizeof text, "%d on %d node%s", j->ranks > j->reported ? j->ranks : j->reported, j->nodes,
                 plural(j->nodes));
    put_fact(h->f, "Ranks", text);
    put_fact(h->f, "Run", time_about(fmax(j->run, j->elapsed), text));
    put_fact(h->f, "Pleach", j->pleach);
    put_fact(h->f, "MPI", j->mpi);
    put_fact(h->f, "Settings", *j->settings ? j->settings : "all at their defaults");
    put_fact(h->f, "Parameters", j->note);
    put_fact(h->f, "Memory not shared", j->unshared);
    put_fact(h->f, "Measuring", phrase_measuring(j, text));
    put_fact(h->f, j->dry ? "Beside" : "Learned", phrase_trials(j, text));
    put_fact(h->f, "Slow", phrase_slow(j, text));
    fputs("</dl>\n", h->f);
}

static void put_gain(const struct html *h)
{
    const struct advice_totals s = sums_of(h->j);
    char text[GAIN];
    verdict_gain(h->j, &s, text);
    fputs("<p class='gain'>", h->f);
    html_text(h->f, text);
    fputs("</p>\n", h->f);
}

static void put_head(const struct html *h)
{
    const struct job *j = h->j;
    const struct tally engine = by_engines(j);
    char text[NEXT_STEP];
    fputs("<header>\n<h1>Pleach report</h1>\n<code class='command'>", h->f);
    html_text(h->f, *j->command ? j->command : "(unknown program)");
    fputs("</code>\n", h->f);
    if (!j->dry && !j->log)
        put_gain(h);
    fputs("<p class='next'>", h->f);
    html_text(h->f, next_step(j, text));
    fputs("</p>\n", h->f);
    put_alarms(h);
    if (j->all.calls > 0 && j->reported > 0) {
        put_sentence(h, &engine, job_run(j));
        put_costliest(h);
        put_tiles(h, &engine, job_run(j));
    } else {
        fputs("<p class='lede'>No collective that Pleach serves was called.</p>\n", h->f);
    }
    put_facts(h);
    fputs("</header>\n", h->f);
}

/* ---- The page ------------------------------------------------------------------------------------------------------- */

static bool put_page(const struct html *h)
{
    /* With this policy a browser loads no script, picture or other file, even if a name smuggled one in. */
    fputs("<!DOCTYPE html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'/>\n"
          "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n"
          "<meta name='viewport' content='width=device-width, initial-scale=1'/>\n<title>Pleach: ",
          h->f);
    html_text(h->f, *h->j->command ? h->j->command : "report");
    fputs("</title>\n", h->f);
    html_style(h->f);
    fputs("</head>\n<body>\n", h->f);
    put_head(h);
    bool whole = true;
    if (h->j->all.calls > 0 && h->j->reported > 0) {
        html_sizes(h);
        html_tables(h);
        whole = html_late(h) && html_timeline(h);
    }
    html_others(h);
    fputs("<script type='application/json' id='pleach-report'>\n", h->f); /* data; pleach report reads it again */
    whole = job_json(h->j, h->f) && whole;
    fputs("</script>\n</body>\n</html>\n", h->f);
    return whole;
}

bool job_html(const struct job *j, FILE *f)
{
    struct html h = {.f = f, .j = j};
    uint64_t shown = 0;
    for (const struct job_group *g = j->group[BY_SERVICE]; g < j->group[BY_SERVICE] + j->groups[BY_SERVICE]; g++)
        shown |= (uint64_t)1 << g->engine | (uint64_t)1 << g->would;
    engine_colours(shown, h.colour);
    locale_t before = uselocale(c_locale());
    bool whole = put_page(&h);
    uselocale(before);
    return whole && !ferror(f);
}
