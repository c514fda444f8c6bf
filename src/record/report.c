/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The report; see report.h. Every rank that reports does so for itself: at the end of a program the others may be gone, and
 * a message to them would hang.
 */
#include "report.h"

#include "output.h"
#include "report_text.h"
#include "say.h"
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

void report_add(const struct record *r)
{
    if (!mine())
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

static void write_report(void)
{
    int uncancelled, length;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled);
    const char *text = report_text(&report.tables, report.rank, seconds_now() - report.opened, &length);
    int error = output_write(&report.out, text, (size_t)length);
    output_close(&report.out);
    if (error)
        say("report %s: %s; it is not written", report.out.path, strerror(error));
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
        say("report %s: %s; it is not written", report.out.path, strerror(error));
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
