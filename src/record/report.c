/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report; see report.h. Every rank that reports does so for itself: at the end of a program the others may be gone, and
 * a message to them would hang.
 */
#include "report.h"

#include "output.h"
#include "quiet.h"
#include "say.h"
#include "seconds.h"
#include "tables.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PATIENCE = 2 }; /* seconds */

static struct {
    pthread_mutex_t lock; /* guards the tables */
    struct tables tables;
    double opened; /* constant while the output is on */
    struct output out;
} report = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool report_on(void)
{
    return output_on(&report.out);
}

void report_add(const struct record *r)
{
    if (!output_mine(&report.out))
        return;
    pthread_mutex_lock(&report.lock);
    if (report_on())
        tables_add(&report.tables, r);
    pthread_mutex_unlock(&report.lock);
}

void report_note(const char *note)
{
    pthread_mutex_lock(&report.lock);
    snprintf(report.tables.note, sizeof report.tables.note, "%s", note);
    pthread_mutex_unlock(&report.lock);
}

void report_trials(int learned, double lost)
{
    pthread_mutex_lock(&report.lock);
    report.tables.learned = learned;
    report.tables.lost = lost;
    pthread_mutex_unlock(&report.lock);
}

static void write_report(void)
{
    int uncancelled, length;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled);
    const char *text = report_text(&report.tables, report.out.rank, seconds_now() - report.opened, &length);
    int error = output_write(&report.out, text, (size_t)length);
    output_close(&report.out);
    if (error)
        say("report %s: %s; it is not written", report.out.path, write_error(error));
    pthread_setcancelstate(uncancelled, NULL);
}

/*
 * A thread that counts holds the lock for a moment only. So if the lock stays taken, this very thread holds it: a signal
 * handler calls exit(). Then there is no report. Names are looked up without the lock, for the reason that record.c gives.
 */
void report_close(void)
{
    int saved = errno;
    struct timespec patience;
    clock_gettime(CLOCK_REALTIME, &patience);
    patience.tv_sec += PATIENCE;
    if (output_mine(&report.out) && pthread_mutex_timedlock(&report.lock, &patience) == 0) {
        bool last = atomic_exchange(&report.out.on, false);
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
        say("report %s: %s; it is not written", report.out.path, write_error(error));
    } else {
        site_open(stack);
        report.opened = seconds_now();
        atomic_store(&report.out.on, true);
        atexit(report_close); /* for programs that never call MPI_Finalize */
    }
    errno = saved;
}
