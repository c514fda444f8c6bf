/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * No message is sent here, as other ranks may be gone; src/interpose/gather.c gathers rank reports in MPI_Finalize, with
 * report_end() to report_write(). One thread at a time, marked by `writing`, is the writer.
 */
#include "report.h"

#include "counted.h"
#include "hot.h"
#include "last.h"
#include "launcher.h"
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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 200, TARGETS = 4 };

/*
 * Rank reports are written FIRST seconds after the start, then again after the longest of LEAST seconds, SHARE of the time
 * so far, and the time of the write / SHARE, but at most `every`. All ranks together write RATE files a second at most: they
 * begin one after the other.
 */
static const double FIRST = 0.1, LEAST = 0.1;
static const double SHARE = 0.02;
static const double RATE = 1000;

static struct {
    struct target target[TARGETS]; /* `out.on` of the first: calls are counted, even without a report of this rank */
    int error[TARGETS];
    int targets;
    bool joint;
    double every;
    struct rank_file file;
    atomic_bool writing;
    _Atomic double due;  /* seconds_now() of the next rank report; INFINITY: never */
    double refreshed;    /* the last joint report; the writer's */
    struct merge *merge; /* or NULL; the writer's, and at the end */
    int merged;
    bool gathered; /* report_end() was called: its caller is responsible */
    char *last;
    size_t length;
} report;

static bool of_one_rank(const char *pattern, size_t length)
{
    for (size_t i = 0; i + 1 < length; i++)
        if (pattern[i] == '%' && pattern[++i] != '%' && strchr("rp", pattern[i]))
            return true;
    return false;
}

bool report_joint(const char *list)
{
    size_t length;
    bool joint = false;
    if (settings_report_given(list))
        for (const char *pattern; (pattern = settings_report_next(&list, &length));)
            joint |= !of_one_rank(pattern, length);
    return joint;
}

bool report_writable(void)
{
    bool open = false;
    for (int i = 0; i < report.targets; i++)
        open |= report.target[i].open;
    return open;
}

/* A file, which each report replaces? */
static bool replaces(void)
{
    bool any = false;
    for (int i = 0; i < report.targets; i++)
        any |= report.target[i].open && report.target[i].replaces;
    return any;
}

HOT bool report_on(void)
{
    return output_on(&report.target->out);
}

/* ---- Merging --------------------------------------------------------------------------------------------------------- */

static struct merge *merging(void)
{
    const struct renderer *renderer = report.target->renderer;
    if (!report.merge && renderer)
        report.merge = renderer->begin();
    return report.merge;
}

bool report_merge(const char *text, size_t length)
{
    const bool added = text && merging() && report.target->renderer->add(report.merge, text, length);
    report.merged += added;
    return added;
}

bool report_merge_left(int rank)
{
    const char *folder = report.file.folder;
    const int added =
        *folder && merging() ? report.target->renderer->add_folder(report.merge, folder, counted_started(), rank) : 0;
    report.merged += added;
    return added > 0;
}

/* To all targets or, meanwhile, to those that the next report replaces. True if one was written. */
static bool write_targets(bool meanwhile)
{
    bool ended = false, written = false;
    for (struct target *t = report.target; t < report.target + report.targets; t++)
        if (t->open && (t->replaces || !meanwhile))
            written |= target_write(t, report.merge, report.merged, &ended);
    if (written && ended)
        rank_file_remove_all(&report.file, counted_facts()->ranks, report.gathered);
    if (report.merge)
        report.target->renderer->free(report.merge);
    report.merge = NULL;
    report.merged = 0;
    return written;
}

bool report_write(void)
{
    return write_targets(false);
}

/* ---- While the program runs ------------------------------------------------------------------------------------------ */

/* If that fails, rank 0 says so, and this rank gives up. */
static void leave(const char *text)
{
    char why[1024];
    if (!report.file.folder[0] || !text || rank_file_write(&report.file, text, why, sizeof why))
        return;
    if (counted_facts()->rank == 0)
        say("report: %s; if the program is killed, it leaves no report", why);
    report.file.folder[0] = 0;
}

static void refresh(const char *text, size_t length)
{
    report.refreshed = seconds_now();
    if (!report_merge(text, length))
        return;
    report_merge_left(-1);
    write_targets(true);
}

static double next_due(double now, double took)
{
    const double elapsed = counted_elapsed();
    double wait = SHARE * elapsed > LEAST ? SHARE * elapsed : LEAST;
    wait = took / SHARE > wait ? took / SHARE : wait;
    wait = report.every < wait ? report.every : wait;
    return now + fmax(wait, counted_facts()->ranks / RATE);
}

/* The caller is the writer. */
static void write_meanwhile(void)
{
    int uncancelled;
    size_t length;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled); /* a cancelled writer would stop the report */
    const double start = seconds_now();
    char *text = counted_text(END_RUNNING, &length);
    leave(text);
    if (text && replaces() && start - report.refreshed >= report.every)
        refresh(text, length);
    free(text);
    const double now = seconds_now();
    atomic_store(&report.due, report.file.folder[0] ? next_due(now, now - start) : INFINITY);
    atomic_store(&report.writing, false);
    pthread_setcancelstate(uncancelled, NULL);
}

void report_add(const struct record *r, double now)
{
    if (!output_mine(&report.target->out))
        return;
    counted_add(r);
    const double due = atomic_load_explicit(&report.due, memory_order_relaxed);
    if (now >= due && !atomic_exchange(&report.writing, true))
        write_meanwhile();
}

/* ---- The end --------------------------------------------------------------------------------------------------------- */

/* Makes this thread the last writer. False: already ended, or a writer for two seconds, perhaps interrupted by exit(). */
static bool end_counting(void)
{
    for (int i = 0; i < PATIENCE && output_mine(&report.target->out); i++) {
        if (!atomic_exchange(&report.writing, true))
            return atomic_exchange(&report.target->out.on, false);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

/* Makes the last rank report; false as end_counting(). */
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

void report_leave_file(void)
{
    int saved = errno;
    leave(report.last);
    errno = saved;
}

void report_remove_file(void)
{
    int saved = errno;
    rank_file_remove(&report.file);
    errno = saved;
}

/* With files of the others, complete after MPI_Finalize: no rank returns before all have written. */
static void write_joint(void)
{
    if (report_merge(report.last, report.length))
        report_merge_left(-1);
    report_write();
}

static void open_targets(void)
{
    for (int i = 0; i < report.targets; i++)
        target_open(&report.target[i], report.error[i]);
}

static bool open_instead(void)
{
    const struct rank_report *facts = counted_facts();
    if (facts->rank == 0 || !rank_file_lowest(&report.file, facts->rank, facts->ranks))
        return false;
    open_targets();
    return report_writable();
}

void report_close(enum rank_end how)
{
    int saved = errno;
    const bool alone = !report.joint || counted_facts()->ranks == 1;
    bool ended = !report.gathered && end(how);
    if (report.last && !report.gathered && report.target->out.owner == getpid()) {
        if (ended && !alone)
            leave(report.last);
        if ((alone || how == END_EXIT) && (report_writable() || (!ended && open_instead())))
            write_joint();
        if (alone || how == END_EXIT) {
            free(report.last);
            report.last = NULL;
        }
    }
    errno = saved;
}

/* Without MPI_Finalize, or for joint reports from files. */
static void close_last(void)
{
    report_close(END_EXIT);
}

__attribute__((destructor)) static void close_at_exit(void)
{
    run_last(close_last);
}

/* ---- The start ------------------------------------------------------------------------------------------------------- */

static void add_target(const struct report_options *o, const char *name)
{
    struct target *t = &report.target[report.targets];
    if (report.targets == TARGETS) {
        if (o->facts.rank == 0)
            say("PLEACH_REPORT names more than %d files; there is none for %s; see pleach-report(5)", TARGETS, name);
        return;
    }
    t->own = !report.joint;
    t->advice = o->advice;
    t->out.owner = getpid();
    report.error[report.targets++] = target_name(t, name);
}

/* In a folder, a page and its data, named by the job. */
static void add_targets(const struct report_options *o, const char *pattern)
{
    static const char *const ending[] = {"html", "json"};
    static char name[PATH_MAX];
    struct stat status;
    char *in_folder;
    if (!output_name(pattern, o->facts.rank, name, sizeof name)) {
        add_target(o, pattern);
        return;
    }
    if (strcmp(name, "stderr") == 0 || stat(name, &status) != 0 || !S_ISDIR(status.st_mode)) {
        add_target(o, name);
        return;
    }
    for (int i = 0; i < 2 && asprintf(&in_folder, "%s/pleach-%s.%s", name, launcher_job(), ending[i]) >= 0; i++) {
        add_target(o, in_folder);
        free(in_folder);
    }
}

/* If one is for all ranks, without those of single ranks. */
static void add_all(const struct report_options *o)
{
    static char pattern[PATH_MAX];
    size_t length;
    for (const char *next, *rest = o->pattern; (next = settings_report_next(&rest, &length));) {
        snprintf(pattern, sizeof pattern, "%.*s", (int)(length < sizeof pattern ? length : sizeof pattern - 1), next);
        if (report.joint && of_one_rank(next, length)) {
            if (o->facts.rank == 0)
                say("PLEACH_REPORT names a file for all ranks, so there is no %s; see pleach-report(5)", pattern);
        } else if (strcmp(pattern, "none") != 0) {
            add_targets(o, pattern);
        }
    }
}

static bool may_be_file(const char *name)
{
    struct stat status;
    if (stat(name, &status) == 0)
        return S_ISREG(status.st_mode);
    char *folder = strndup(name, (size_t)(strrchr(name, '/') - name) + 1);
    const bool may = folder && access(folder, W_OK | X_OK) == 0;
    free(folder);
    return may;
}

/* The same on all ranks that see its folder; or NULL. */
static const char *file_of_parts(void)
{
    for (int i = 0; i < report.targets; i++)
        if (!report.error[i] && *report.target[i].out.path == '/' && may_be_file(report.target[i].out.path))
            return report.target[i].out.path;
    return NULL;
}

static bool is_named(void)
{
    bool any = false;
    for (int i = 0; i < report.targets; i++)
        any |= !report.error[i];
    return any;
}

void report_open(const struct report_options *o)
{
    int saved = errno;
    report.joint = report_joint(o->pattern);
    report.every = o->every;
    report.due = INFINITY;
    report.targets = 0;
    counted_open(&o->facts);
    add_all(o);
    const bool writes = report.joint ? o->facts.rank == 0 : o->listed;
    const char *file = report.joint ? file_of_parts() : NULL;
    if (file)
        rank_file_open(&report.file, file, o->facts.rank, counted_started());
    if (writes)
        open_targets();
    if (writes ? report_writable() : report.joint && is_named()) {
        call_site_open(o->stack);
        report.refreshed = seconds_now();
        if (report.file.folder[0]) {
            atomic_store(&report.due, report.refreshed + fmin(o->every, FIRST) + o->facts.rank / RATE);
            for (int i = 0; i < report.targets; i++)
                target_write_stub(&report.target[i], report.file.folder);
        }
        atomic_store(&report.target->out.on, true);
    }
    errno = saved;
}
