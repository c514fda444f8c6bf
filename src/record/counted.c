/* SPDX-License-Identifier: BSD-2-Clause */
/* counted_text() copies the tables under the lock and formats without it; record.c says why. */
#include "counted.h"

#include "faults.h"
#include "hold.h"
#include "othercalls.h"
#include "own_memory.h"
#include "report.h"
#include "seconds.h"
#include "tables.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 2 }; /* seconds */

static struct {
    pthread_mutex_t lock; /* of the fields up to `lost` */
    struct tables tables;
    char note[RECORD_NOTE], unshared[RECORD_NOTE];
    double measuring;
    int nodes, learned;
    double lost;

    /* Constant after counted_open(): */
    struct rank_report facts;
    double opened; /* in seconds_now() */
    double clock;  /* in record_clock() */
} counted = {.lock = PTHREAD_MUTEX_INITIALIZER};

void counted_open(const struct rank_report *facts)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    counted.facts = *facts;
    counted.facts.began = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    counted.clock = record_clock();
    counted.opened = seconds_now();
}

const struct rank_report *counted_facts(void)
{
    return &counted.facts;
}

double counted_elapsed(void)
{
    return seconds_now() - counted.opened;
}

double counted_started(void)
{
    return counted.facts.began - counted.facts.run;
}

void counted_add(const struct record *r)
{
    HOLD(counted.lock);
    tables_add(&counted.tables, r, counted.clock);
    counted.measuring += r->measuring;
}

void report_note(const char *format, ...)
{
    va_list ap;
    HOLD(counted.lock);
    va_start(ap, format);
    vsnprintf(counted.note, sizeof counted.note, format, ap);
    va_end(ap);
}

bool report_unshared(const char *why)
{
    HOLD(counted.lock);
    const bool first = !*counted.unshared;
    if (first)
        snprintf(counted.unshared, sizeof counted.unshared, "%s", why);
    return first;
}

void report_nodes(int nodes)
{
    HOLD(counted.lock);
    counted.nodes = nodes;
}

void report_trials(int learned, double lost)
{
    HOLD(counted.lock);
    counted.learned = learned;
    counted.lost = lost;
}

/* ---- The rank report ------------------------------------------------------------------------------------------------- */

struct snapshot {
    struct rank_report report;
    struct rank_call call[CALLS];
    struct site_frames *sites;
    struct rank_other other[OTHERCALLS];
    char note[RECORD_NOTE], unshared[RECORD_NOTE];
};

static void snapshot_free(struct snapshot *s)
{
    for (int i = 0; s && s->report.site && i < s->report.sites; i++)
        free((char *)s->report.site[i]);
    if (s) {
        own_memory_free(s->report.row);
        own_memory_free(s->sites);
        free(s->report.site);
    }
    free(s);
}

/* Under the lock; false if memory is short. */
static bool copy_tables(struct snapshot *s, const struct tables *t)
{
    struct rank_report *p = &s->report;
    p->row = own_memory(((size_t)t->row.count + COLLECTIVES) * sizeof *p->row);
    s->sites = own_memory(((size_t)t->site.count + 1) * sizeof *s->sites);
    if (!p->row || !s->sites)
        return false;
    if (t->row.count)
        memcpy(p->row, t->row.entry, (size_t)t->row.count * sizeof *p->row);
    if (t->site.count)
        memcpy(s->sites, t->site.entry, (size_t)t->site.count * sizeof *s->sites);
    memcpy(s->call, t->call, (size_t)t->calls * sizeof t->call[0]);
    p->rows = t->row.count;
    for (int c = 0; c < COLLECTIVES; c++)
        if (t->others[c].tally.calls > 0)
            p->row[p->rows++] = t->others[c];
    p->sites = t->site.count;
    p->calls = t->calls;
    p->faults = (double)t->faults;
    return true;
}

static bool take_snapshot(struct snapshot *s)
{
    struct timespec patience;
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += PATIENCE;
    if (pthread_mutex_timedlock(&counted.lock, &patience) != 0)
        return false;
    s->report = counted.facts;
    const bool good = copy_tables(s, &counted.tables);
    s->report.measuring = counted.measuring;
    s->report.nodes = counted.nodes;
    s->report.learned = counted.learned;
    s->report.lost = counted.lost;
    memcpy(s->note, counted.note, sizeof s->note);
    memcpy(s->unshared, counted.unshared, sizeof s->unshared);
    pthread_mutex_unlock(&counted.lock);
    s->report.others = othercalls_list(s->other, &patience);
    s->report.other = s->other;
    s->report.call = s->call;
    s->report.note = s->note;
    s->report.unshared = s->unshared;
    return good;
}

static bool name_sites(struct snapshot *s)
{
    static char text[CALL_SITE_TEXT];
    bool good = (s->report.site = calloc((size_t)s->report.sites + 1, sizeof *s->report.site));
    for (int i = 0; i < s->report.sites && good; i++) {
        call_site_text(s->sites[i].frame, text, sizeof text);
        good = (s->report.site[i] = strdup(text));
    }
    return good;
}

/* Each is looked up once, and left out if memory is short. */
static void name_frames(struct snapshot *s)
{
    static const char *texts[CALL_SITE_SEEN];
    static struct call_site_seen seen;
    static char text[CALL_SITE_ORIGIN];
    static int frames;
    for (int i = 0; i < s->report.sites; i++)
        while (call_site_origin(s->sites[i].frame, &seen, text, sizeof text) > 0)
            if ((texts[frames] = strdup(text)))
                frames++;
    s->report.frame = texts;
    s->report.frames = frames;
}

char *counted_text(enum rank_end end, size_t *length)
{
    char *text = NULL;
    struct snapshot *s = calloc(1, sizeof *s);
    FILE *f = s ? open_memstream(&text, length) : NULL;
    bool good = f && take_snapshot(s);
    if (good) {
        s->report.end = end;
        s->report.elapsed = counted_elapsed();
        s->report.run += s->report.elapsed;
        s->report.faulted = s->report.faults > 0 ? s->report.faults * faults_cost() : 0;
        name_frames(s);
        good = name_sites(s) && rank_report_write(&s->report, f);
    }
    good = f && fclose(f) == 0 && good;
    snapshot_free(s);
    if (good)
        return text;
    free(text);
    return NULL;
}
