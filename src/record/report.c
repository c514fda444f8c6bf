/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report; see report.h. Nothing here sends a message: at the end of a program the others may be gone. What ranks gather
 * in MPI_Finalize comes through report_end() and report_write().
 *
 * A part is copied under the lock, and written without it, for the reason that record.c gives. So there is one thread that
 * writes, marked by `writing`.
 */
#include "report.h"

#include "advice.h"
#include "newfile.h"
#include "othercalls.h"
#include "output.h"
#include "partfile.h"
#include "quiet.h"
#include "say.h"
#include "seconds.h"
#include "tables.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE = 200 }; /* times 10 ms */

/* When parts are left: at first, then after a share of the time that has passed, and of the time that writing takes. */
static const double FIRST = 0.1, LEAST = 0.1; /* seconds */
static const double SHARE = 0.02;

static struct {
    pthread_mutex_t lock; /* guards what follows up to `due` */
    struct tables tables;
    char note[RECORD_NOTE];
    int learned;
    double lost;
    bool writing;
    double due; /* moment in seconds_now() at which a part is to be left; INFINITY: never */

    struct output out; /* `on`: calls are counted. Its file: of the report, where this rank writes one */
    struct part facts; /* as told at the start */
    bool joint;        /* one report for all ranks */
    bool writes;       /* this rank writes a report */
    bool advice;       /* it is one */
    bool regular;      /* to a file that is replaced; else to out.fd */
    double opened;     /* in seconds_now() */
    double clock;      /* the same moment in record_clock() */
    double every, refreshed;
    struct partfile part;

    bool gathered; /* the report is others' business now */
    enum part_end end;
    char *last; /* the text of report_end(), and its length */
    size_t length;
} report = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool report_joint(const char *pattern)
{
    if (!pattern[0] || strcmp(pattern, "none") == 0)
        return false;
    for (const char *p = pattern; (p = strchr(p, '%')); p += p[1] ? 2 : 1)
        if (p[1] == 'r' || p[1] == 'p')
            return false;
    return true;
}

bool report_on(void)
{
    return output_on(&report.out);
}

void report_note(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    pthread_mutex_lock(&report.lock);
    vsnprintf(report.note, sizeof report.note, format, ap);
    pthread_mutex_unlock(&report.lock);
    va_end(ap);
}

void report_trials(int learned, double lost)
{
    pthread_mutex_lock(&report.lock);
    report.learned = learned;
    report.lost = lost;
    pthread_mutex_unlock(&report.lock);
}

/* ---- The part as text ------------------------------------------------------------------------------------------------ */

/* What is copied under the lock. */
struct snapshot {
    struct part part;
    struct part_row row[ROWS];
    struct part_call call[CALLS];
    const char *site[SITES];
    struct part_other other[OTHERCALLS];
    char note[RECORD_NOTE];
};

static void take_snapshot(struct snapshot *s)
{
    const struct tables *t = &report.tables;
    s->part = report.facts;
    pthread_mutex_lock(&report.lock);
    s->part.rows = t->rows;
    s->part.sites = t->sites;
    s->part.calls = t->calls;
    s->part.learned = report.learned;
    s->part.lost = report.lost;
    memcpy(s->row, t->row, (size_t)t->rows * sizeof t->row[0]);
    memcpy(s->call, t->call, (size_t)t->calls * sizeof t->call[0]);
    memcpy(s->note, report.note, sizeof s->note);
    pthread_mutex_unlock(&report.lock);
    s->part.others = othercalls_list(s->other);
    s->part.other = s->other;
    s->part.row = s->row;
    s->part.call = s->call;
    s->part.site = s->site;
    s->part.note = s->note;
}

/* The texts of the first sites, whose frames never change; false: no memory. They are made once. For the writer. */
static bool name_sites(const char **site, int sites)
{
    static char *texts[SITES], text[SITE_TEXT];
    for (int i = 0; i < sites; i++) {
        if (!texts[i]) {
            site_text(report.tables.site[i], text, sizeof text);
            texts[i] = strdup(text);
        }
        if (!texts[i])
            return false;
        site[i] = texts[i];
    }
    return true;
}

/* Where the frames of the first sites come from; likewise, but those that there is no memory for are left out. */
static void name_frames(struct part *p)
{
    static const char *texts[SITE_SEEN];
    static struct site_seen seen;
    static char text[SITE_ORIGIN];
    static int sites, frames;
    for (; sites < p->sites; sites++)
        while (site_origin(report.tables.site[sites], &seen, text, sizeof text) > 0)
            if ((texts[frames] = strdup(text)))
                frames++;
    p->frame = texts;
    p->frames = frames;
}

/* The part as it is now, to be freed. NULL: no memory. For the writer. */
static char *part_text(enum part_end end, size_t *length)
{
    char *text = NULL;
    struct snapshot *s = malloc(sizeof *s);
    FILE *f = s ? open_memstream(&text, length) : NULL;
    bool good = false;
    if (f) {
        take_snapshot(s);
        s->part.end = end;
        s->part.elapsed = seconds_now() - report.opened;
        s->part.run += s->part.elapsed; /* so far it was what had passed before */
        name_frames(&s->part);
        good = name_sites(s->site, s->part.sites) && part_write(&s->part, f);
        good = fclose(f) == 0 && good;
    }
    free(s);
    if (good)
        return text;
    free(text);
    return NULL;
}

/* ---- The report ------------------------------------------------------------------------------------------------------ */

/* The moment at which this process began, in seconds since 1970. */
static double started(void)
{
    return report.facts.began - report.facts.run;
}

static void tell(const char *why)
{
    if (report.writes)
        say("report %s: %s; it is not written", report.out.path, why);
    report.writes = false;
}

static bool put_text(const char *text, size_t length)
{
    char why[PATH_MAX + 256];
    if (report.regular) {
        bool written = newfile_write(report.out.path, text, why, sizeof why);
        if (!written)
            say("report %s", why);
        return report.writes = written;
    }
    int error = output_write(&report.out, text, length);
    output_close(&report.out);
    if (error)
        tell(write_error(error));
    return error == 0;
}

bool report_write(struct joining *j)
{
    char *text = NULL;
    size_t length;
    const struct job *job = j && report.writes ? job_finish(j) : NULL;
    FILE *f = job ? open_memstream(&text, &length) : NULL;
    const enum job_format format = job_format_of(report.out.path);
    bool good = f && (report.advice ? advice_write(job, 0, f)
                                    : job_write(job, format, 0, f) && (!report.regular || job_write_frames(job, format, f)));
    good = f && fclose(f) == 0 && good;
    if (good)
        good = put_text(text, length);
    else
        tell("out of memory");
    free(text);
    job_free(j);
    return good;
}

/* A job that has this process's part, as it was told at the end. NULL: no memory, or there is no such part. */
static struct joining *join_own(const char *text, size_t length)
{
    char why[128];
    struct part *p = text ? part_read(text, length, why, sizeof why) : NULL;
    struct joining *j = p ? job_begin() : NULL;
    bool added = j && job_add(j, p, why, sizeof why);
    if (p)
        part_free(p);
    if (added)
        return j;
    job_free(j);
    return NULL;
}

bool report_add_left(struct joining *j, int rank)
{
    return partfile_add(&report.part, j, started(), rank) > 0;
}

void report_remove_left(void)
{
    partfile_remove_all(&report.part, report.facts.ranks);
}

/* ---- Meanwhile ------------------------------------------------------------------------------------------------------- */

/* Leaves a part; one that cannot be left is told of once, by rank 0. */
static void leave(const char *text)
{
    char why[PATH_MAX + 256];
    if (!report.part.folder[0] || (text && partfile_write(&report.part, text, why, sizeof why)))
        return;
    if (report.facts.rank == 0 && text)
        say("report: parts are not left, in case the program is killed: %s", why);
    report.part.folder[0] = 0;
}

/* Writes the joint report anew, with what ranks have left so far. */
static void refresh(const char *text, size_t length)
{
    struct joining *j = join_own(text, length);
    report.refreshed = seconds_now();
    if (!j)
        return;
    partfile_add(&report.part, j, started(), -1);
    report_write(j);
}

/* When the next part is due, after one that took so long. */
static double next_due(double now, double took)
{
    double elapsed = now - report.opened, wait = SHARE * elapsed > LEAST ? SHARE * elapsed : LEAST;
    wait = took / SHARE > wait ? took / SHARE : wait;
    return now + (report.every < wait ? report.every : wait);
}

/* For the writer. */
static void write_meanwhile(void)
{
    int uncancelled;
    size_t length;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled); /* a dead writer would stop the report */
    double start = seconds_now();
    char *text = part_text(END_RUNNING, &length);
    leave(text);
    if (text && report.writes && report.regular && start - report.refreshed >= report.every)
        refresh(text, length);
    free(text);
    double now = seconds_now();
    pthread_mutex_lock(&report.lock);
    report.due = report.part.folder[0] ? next_due(now, now - start) : INFINITY;
    report.writing = false;
    pthread_mutex_unlock(&report.lock);
    pthread_setcancelstate(uncancelled, NULL);
}

void report_add(const struct record *r)
{
    if (!output_mine(&report.out))
        return;
    pthread_mutex_lock(&report.lock);
    bool on = report_on();
    if (on)
        tables_add(&report.tables, r, report.clock);
    bool due = on && !report.writing && isfinite(report.due) && seconds_now() >= report.due;
    report.writing |= due;
    pthread_mutex_unlock(&report.lock);
    if (due)
        write_meanwhile();
}

/* ---- The end --------------------------------------------------------------------------------------------------------- */

/*
 * Makes this thread the writer, and the last one. A thread that counts or writes does so for a moment only. So if that lasts,
 * this very thread does it: a signal handler calls exit(). Then there is nothing to write: false.
 */
static bool end_counting(void)
{
    bool last = false;
    for (int i = 0; i < PATIENCE && !last && output_mine(&report.out); i++) {
        if (i > 0)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        if (pthread_mutex_trylock(&report.lock) == 0) {
            last = report_on() && !report.writing;
            if (last) {
                report.writing = true;
                atomic_store(&report.out.on, false);
            }
            pthread_mutex_unlock(&report.lock);
        }
    }
    return last;
}

/* False: it has ended before, or was never on. */
static bool end(enum part_end how)
{
    int uncancelled;
    if (!end_counting())
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled);
    report.end = how;
    report.last = part_text(how, &report.length);
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
    if (report.last)
        leave(report.last);
    errno = saved;
}

void report_remove_part(void)
{
    int saved = errno;
    partfile_remove(&report.part);
    errno = saved;
}

/*
 * Joins what is there, and writes it. MPI_Finalize has let nobody go before all had left their parts. Once all have told that
 * they are through, nobody needs these any more.
 */
static void write_joint(void)
{
    struct joining *j = join_own(report.last, report.length);
    const int ranks = report.facts.ranks;
    int told = j ? 1 + partfile_add(&report.part, j, started(), -1) : 0;
    bool written = report_write(j);
    if (written && told == ranks && (ranks == 1 || report.end == END_FINALIZE))
        report_remove_left();
}

/* A joint report of parts that were left is written when rank 0 exits: no earlier have all ranks left theirs. */
void report_close(enum part_end how)
{
    int saved = errno;
    const bool alone = !report.joint || report.facts.ranks == 1;
    bool ended = !report.gathered && end(how);
    if (report.last && !report.gathered && report.out.owner == getpid()) {
        if (ended && !alone)
            leave(report.last);
        if (report.writes && (alone || how == END_EXIT))
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

/* Opens what the report is written to. A file is made at once, so that its name is taken, and later replaced. */
static int open_target(const char *pattern)
{
    struct output *o = &report.out;
    int error = output_open(o, pattern, report.facts.rank);
    report.regular = !error && o->fd != STDERR_FILENO && S_ISREG(o->file.st_mode);
    if (!report.regular)
        return error;
    output_close(o);
    char *here = o->path[0] == '/' ? NULL : getcwd(NULL, 0);
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s%s%s", here ? here : "", here ? "/" : "", o->path);
    free(here);
    if (length >= (int)sizeof name)
        return ENAMETOOLONG;
    memcpy(o->path, name, (size_t)length + 1);
    return 0;
}

/* What stands in the file of a job that is killed before its report is written. It begins as a report does. */
static void write_stub(void)
{
    static const char *const begins[JOB_FORMATS] = {[JOB_TEXT] = "Pleach report\n  ",
                                                    [JOB_TSV] = "by\tcollective\t\n# ",
                                                    [JOB_HTML] = "<!doctype html>\n<title>Pleach</title>\n"};
    char text[PATH_MAX + 256], why[PATH_MAX + 256];
    snprintf(text, sizeof text, "%sThis program has not ended, or was killed. What its ranks have told: pleach report %s\n",
             begins[job_format_of(report.out.path)], report.part.folder);
    newfile_write(report.out.path, text, why, sizeof why); /* if that fails, the report will tell */
}

void report_open(const struct report_options *o)
{
    int saved = errno;
    struct timespec now;
    report.facts = o->facts;
    report.joint = report_joint(o->pattern);
    report.writes = report.joint ? o->facts.rank == 0 : o->listed;
    report.advice = o->advice;
    report.every = o->every;
    report.due = INFINITY;
    report.out.owner = getpid();
    int error = report.writes ? open_target(o->pattern) : 0;
    if (error)
        tell(write_error(error));
    if (report.writes || (report.joint && !error)) {
        site_open(o->stack);
        clock_gettime(CLOCK_REALTIME, &now);
        report.facts.began = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
        report.clock = record_clock();
        report.opened = report.refreshed = seconds_now();
        if (report.joint && strcmp(o->pattern, "stderr") != 0 && partfile_open(&report.part, o->pattern, o->facts.rank) &&
            report.part.folder[0]) {
            report.due = report.opened + (report.every < FIRST ? report.every : FIRST);
            if (report.writes && report.regular)
                write_stub();
        }
        atomic_store(&report.out.on, true);
        atexit(close_at_exit); /* for programs that never call MPI_Finalize, and joint reports */
    }
    errno = saved;
}
