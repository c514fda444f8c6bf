/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report; see report.h. Nothing here sends a message: at the end of a program the others may be gone. What ranks gather
 * in MPI_Finalize comes through report_end() to report_write().
 *
 * One thread at a time writes, marked by `writing`.
 */
#include "report.h"

#include "counted.h"
#include "rank_file.h"
#include "say.h"
#include "seconds.h"
#include "settings.h"
#include "target.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 200 }; /* times 10 ms */

/*
 * When rank reports are left: at first, then after a share of the time that has passed, and of the time that writing takes.
 */
static const double FIRST = 0.1, LEAST = 0.1; /* seconds */
static const double SHARE = 0.02;

static struct {
    struct target target; /* `out.on`: calls are counted, also where this rank writes no report */
    bool joint;           /* one report for all ranks */
    double every;         /* as in struct report_options */
    struct rank_file part;
    atomic_bool writing;
    _Atomic double due;  /* moment in seconds_now() at which a rank report is to be left; INFINITY: never */
    double refreshed;    /* moment at which a joint report was written; the writer's */
    struct merge *merge; /* the writer's, and of the end; NULL: none */
    int merged;          /* rank reports in it */
    bool gathered;       /* the report is others' business now */
    char *last;          /* the text of the last rank report, and its length; NULL: there is none */
    size_t length;
} report;

bool report_joint(const char *pattern)
{
    if (!settings_report_given(pattern))
        return false;
    for (const char *p = pattern; (p = strchr(p, '%')); p += p[1] ? 2 : 1)
        if (p[1] == 'r' || p[1] == 'p')
            return false;
    return true;
}

bool report_writable(void)
{
    return report.target.open;
}

bool report_on(void)
{
    return output_on(&report.target.out);
}

/* ---- Merging --------------------------------------------------------------------------------------------------------- */

/* The merge, which begins now if there is none. NULL: no memory, or no renderer. */
static struct merge *merging(void)
{
    const struct renderer *renderer = report.target.renderer;
    if (!report.merge && renderer)
        report.merge = renderer->begin();
    return report.merge;
}

bool report_merge(const char *text, size_t length)
{
    const bool added = text && merging() && report.target.renderer->add(report.merge, text, length);
    report.merged += added;
    return added;
}

bool report_merge_left(int rank)
{
    const char *folder = report.part.folder;
    const int added =
        *folder && merging() ? report.target.renderer->add_folder(report.merge, folder, counted_started(), rank) : 0;
    report.merged += added;
    return added > 0;
}

/* Once all ranks are through, nobody needs what they have left any more. */
bool report_write(void)
{
    bool ended = false, written = target_write(&report.target, report.merged ? report.merge : NULL, &ended);
    if (written && ended)
        rank_file_remove_all(&report.part, counted_facts()->ranks);
    if (report.merge)
        report.target.renderer->free(report.merge);
    report.merge = NULL;
    report.merged = 0;
    return written;
}

/* ---- Meanwhile ------------------------------------------------------------------------------------------------------- */

/* Leaves a rank report. Rank 0 says once if that fails. */
static void leave(const char *text)
{
    char why[PATH_MAX + 256];
    if (!report.part.folder[0] || !text || rank_file_write(&report.part, text, why, sizeof why))
        return;
    if (counted_facts()->rank == 0)
        say("report: %s; if the program is killed, it leaves no report", why);
    report.part.folder[0] = 0;
}

/* Writes the joint report anew, with what ranks have left so far. */
static void refresh(const char *text, size_t length)
{
    report.refreshed = seconds_now();
    if (!report_merge(text, length))
        return;
    report_merge_left(-1);
    report_write();
}

/* When the next rank report is due, after one that took so long. */
static double next_due(double now, double took)
{
    const double elapsed = counted_elapsed();
    double wait = SHARE * elapsed > LEAST ? SHARE * elapsed : LEAST;
    wait = took / SHARE > wait ? took / SHARE : wait;
    return now + (report.every < wait ? report.every : wait);
}

/* For the writer, which is none afterwards. */
static void write_meanwhile(void)
{
    int uncancelled;
    size_t length;
    const struct target *t = &report.target;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled); /* a dead writer would stop the report */
    const double start = seconds_now();
    char *text = counted_text(END_RUNNING, &length);
    leave(text);
    if (text && t->open && t->replaces && start - report.refreshed >= report.every)
        refresh(text, length);
    free(text);
    const double now = seconds_now();
    atomic_store(&report.due, report.part.folder[0] ? next_due(now, now - start) : INFINITY);
    atomic_store(&report.writing, false);
    pthread_setcancelstate(uncancelled, NULL);
}

void report_add(const struct record *r)
{
    if (!output_mine(&report.target.out))
        return;
    counted_add(r);
    const double due = atomic_load_explicit(&report.due, memory_order_relaxed);
    if (isfinite(due) && seconds_now() >= due && !atomic_exchange(&report.writing, true))
        write_meanwhile();
}

/* ---- The end --------------------------------------------------------------------------------------------------------- */

/*
 * Makes this thread the writer, and the last one. If another stays it, this very thread does: a signal handler calls exit().
 * Then there is nothing to write: false.
 */
static bool end_counting(void)
{
    for (int i = 0; i < PATIENCE && output_mine(&report.target.out); i++) {
        if (!atomic_exchange(&report.writing, true))
            return atomic_exchange(&report.target.out.on, false);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

/* False: it has ended before, or was never on. */
static bool end(enum rank_end how)
{
    int uncancelled;
    if (!end_counting())
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled);
    report.last = counted_text(how, &report.length);
    pthread_setcancelstate(uncancelled, NULL);
    return true;
}

const char *report_end(size_t *length)
{
    int saved = errno;
    report.gathered = true;
    end(END_FINALIZE);
    *length = report.last ? report.length : 0;
    errno = saved;
    return report.last;
}

void report_leave_part(void)
{
    int saved = errno;
    leave(report.last);
    errno = saved;
}

void report_remove_part(void)
{
    int saved = errno;
    rank_file_remove(&report.part);
    errno = saved;
}

/* Merges what is there, and writes it. MPI_Finalize has let nobody go before all had left their rank reports. */
static void write_joint(void)
{
    if (report_merge(report.last, report.length))
        report_merge_left(-1);
    report_write();
}

/* A joint report of rank reports that were left is written when rank 0 exits: no earlier have all ranks left theirs. */
void report_close(enum rank_end how)
{
    int saved = errno;
    const bool alone = !report.joint || counted_facts()->ranks == 1;
    bool ended = !report.gathered && end(how);
    if (report.last && !report.gathered && report.target.out.owner == getpid()) {
        if (ended && !alone)
            leave(report.last);
        if (report.target.open && (alone || how == END_EXIT))
            write_joint();
        if (alone || how == END_EXIT) {
            free(report.last);
            report.last = NULL;
        }
    }
    errno = saved;
}

static void close_at_exit(void)
{
    report_close(END_EXIT);
}

/* ---- The start ------------------------------------------------------------------------------------------------------- */

/* From now on rank reports are left, if there is a folder for them. */
static void open_parts(const struct report_options *o)
{
    if (!report.joint || strcmp(o->pattern, "stderr") == 0 || !rank_file_open(&report.part, o->pattern, o->facts.rank) ||
        !report.part.folder[0])
        return;
    atomic_store(&report.due, seconds_now() + (o->every < FIRST ? o->every : FIRST));
    target_write_stub(&report.target, report.part.folder);
}

void report_open(const struct report_options *o)
{
    int saved = errno;
    const bool writes = report_joint(o->pattern) ? o->facts.rank == 0 : o->listed;
    report.joint = report_joint(o->pattern);
    report.every = o->every;
    report.due = INFINITY;
    report.target.out.owner = getpid();
    if (writes)
        target_open(&report.target, o->pattern, o->facts.rank, o->advice);
    if (writes ? report.target.open : report.joint) {
        call_site_open(o->stack);
        counted_open(&o->facts);
        report.refreshed = seconds_now();
        open_parts(o);
        atomic_store(&report.target.out.on, true);
        /* for programs that never call MPI_Finalize, and joint reports of rank reports that were left */
        atexit(close_at_exit);
    }
    errno = saved;
}
