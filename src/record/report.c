/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report: what calls have in common, counted as they come, and written once, at the end.
 *
 * The tables are bounded, so that counting a call never allocates; what finds no place is counted as `others`. Every rank
 * that reports does so for itself: at the end of a program the others may be gone, and a message to them would hang.
 */
#include "report.h"

#include "engine.h"
#include "internal.h"
#include "seconds.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 2 }; /* seconds */

static struct {
    pthread_mutex_t lock; /* guards the tables */
    atomic_bool on;
    struct tables tables;

    pid_t owner; /* constant while on */
    int rank;
    double opened;
    struct output out;
} report = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool report_on(void)
{
    return atomic_load_explicit(&report.on, memory_order_relaxed);
}

/* A child that fork() made would report its parent's calls once more. */
static bool mine(void)
{
    if (report_on() && getpid() != report.owner)
        atomic_store(&report.on, false);
    return report_on();
}

void tally_add(struct tally *t, const struct tally *more)
{
    t->least = t->calls == 0 || (more->calls > 0 && more->least < t->least) ? more->least : t->least;
    t->most = more->most > t->most ? more->most : t->most;
    t->calls += more->calls;
    t->bytes += more->bytes;
    t->seconds += more->seconds;
}

static bool is_native(const char *engine)
{
    return strcmp(engine, engines[0]->name) == 0;
}

/* Few groups are ever met, and those of most calls early. */
static struct tally *group_tally(struct tables *t, const struct record *r)
{
    for (struct group *g = t->group; g < t->group + t->groups; g++)
        if (g->reason == r->reason && g->collective == r->collective && strcmp(g->engine, r->engine) == 0)
            return &g->tally;
    if (t->groups == GROUPS)
        return &t->other_groups;
    struct group *g = &t->group[t->groups++];
    *g = (struct group){.collective = r->collective, .engine = r->engine, .reason = r->reason};
    return &g->tally;
}

static struct tally *site_tally(struct tables *t, const struct record *r)
{
    uint64_t hash = (uint64_t)r->collective + 1;
    int frames = 0;

    for (; frames < SITE_FRAMES && r->frame[frames]; frames++)
        hash = (hash ^ (uintptr_t)r->frame[frames]) * 0x9e3779b97f4a7c15u;
    for (uint64_t i = hash >> 32;; i++) {
        struct site *s = &t->site[i % PLACES];
        bool ends = frames == SITE_FRAMES || !s->frame[frames];
        if (s->tally.calls == 0 && t->sites == SITES)
            return &t->other_sites;
        if (s->tally.calls == 0) {
            t->sites++;
            s->collective = r->collective;
            memcpy(s->frame, r->frame, (size_t)frames * sizeof s->frame[0]);
            return &s->tally;
        }
        if (ends && s->collective == r->collective && memcmp(s->frame, r->frame, (size_t)frames * sizeof s->frame[0]) == 0)
            return &s->tally;
    }
}

void report_add(const struct record *r)
{
    struct tables *t = &report.tables;
    const struct tally call = {1, (double)r->bytes, r->duration, r->duration, r->duration};

    if (!mine())
        return;
    pthread_mutex_lock(&report.lock);
    if (report_on()) {
        tally_add(&t->all, &call);
        tally_add(&t->by[r->collective], &call);
        if (!is_native(r->engine))
            tally_add(&t->engines[r->collective], &call);
        tally_add(group_tally(t, r), &call);
        tally_add(site_tally(t, r), &call);
    }
    pthread_mutex_unlock(&report.lock);
}

void report_note(const char *note)
{
    pthread_mutex_lock(&report.lock);
    snprintf(report.tables.note, sizeof report.tables.note, "%s", note);
    pthread_mutex_unlock(&report.lock);
}

static void write_report(void)
{
    int uncancelled, length;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled);
    const char *text = report_text(&report.tables, report.rank, seconds_now() - report.opened, &length);
    int error = output_write(&report.out, text, (size_t)length);
    output_close(&report.out);
    if (error)
        output_warn("report %s: %s; it is not written", report.out.path, strerror(error));
    pthread_setcancelstate(uncancelled, NULL);
}

/*
 * Who counts has the lock, for a moment; so a lock that is not to be had is one that this very thread holds: a signal
 * handler calls exit(). Then there is no report. Names are looked up without the lock, for the reason that record.c gives.
 */
void report_close(void)
{
    int saved = errno;
    struct timespec patience;

    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += PATIENCE;
    if (mine() && pthread_mutex_timedlock(&report.lock, &patience) == 0) {
        bool last = atomic_exchange(&report.on, false);
        pthread_mutex_unlock(&report.lock);
        if (last)
            write_report();
    }
    errno = saved;
}

void report_open(const char *pattern, int rank, int stack)
{
    int saved = errno, error = output_open(&report.out, pattern, rank);

    if (error) {
        output_warn("report %s: %s; it is not written", report.out.path, strerror(error));
    } else {
        site_open(stack);
        report.owner = getpid();
        report.rank = rank;
        report.opened = seconds_now();
        atomic_store(&report.on, true);
        atexit(report_close); /* for programs that never call MPI_Finalize */
    }
    errno = saved;
}
