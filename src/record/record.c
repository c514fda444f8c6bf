/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The log stores records under a lock, and formats and writes them without it.
 *
 * Formatting takes the loader's lock, which another thread may hold, in a constructor for example, while it stores a record.
 * So the writer, one thread, marked by `writing`, swaps the batches and releases the log's lock first. A batch grows beyond
 * BATCH only while another thread writes.
 */
#include <config.h>

#include "record.h"

#include "hold.h"
#include "hot.h"
#include "index.h"
#include "last.h"
#include "output.h"
#include "quiet.h"
#include "report.h"
#include "say.h"
#include "seconds.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A batch's records; a line's bytes; waits of 10 ms. */
enum { BATCH = 256, LINE = CALL_SITE_TEXT + 1024, PATIENCE = 200 };

static const double WRITE_EVERY = 1;   /* seconds */
static const double LONG_CALL = 0.001; /* seconds; then writing does not matter */

static const char HEADER[] = "seq\ttime_s\trank\tcomm\tranks\tcollective\tbytes\tcount\tdatatype\top\troot\tengine\t"
                             "blocks\treason\tduration_us\tsite\n";

static const char FORMAT[] = "# pleach-log " RECORD_VERSION ", Pleach " PACKAGE_VERSION "\n";

struct batch {
    struct record *record;
    int used;
    int64_t room;
};

static struct {
    pthread_mutex_t lock; /* of the fields up to `note` */
    bool writing;         /* a thread owns `draining` and the file */
    bool unbuffered;      /* the program ends */
    double written;       /* in record_clock() */
    struct batch filling, draining;
    int64_t lost; /* dropped without memory */
    char note[2 * RECORD_NOTE];

    struct output out;

    /* For the writer alone: */
    int64_t seq;
    char writing_note[2 * RECORD_NOTE];
    struct call_site_seen seen; /* whose origin is in the log */
    char text[4 * LINE];
    char origin[CALL_SITE_ORIGIN + 16];
} journal = {.lock = PTHREAD_MUTEX_INITIALIZER};

HOT bool record_on(void)
{
    return output_on(&journal.out) || report_on();
}

HOT bool record_names(void)
{
    return output_on(&journal.out);
}

static bool batch_add(struct batch *b, const struct record *r)
{
    if (!array_reserve(&b->record, &b->room, b->used < BATCH ? BATCH : b->used + 1, sizeof *b->record))
        return false;
    b->record[b->used++] = *r;
    return true;
}

/* Write a column and a tab, and return the end. */
static char *put_text(char *to, const char *text)
{
    text = text && *text ? text : "-";
    to = stpcpy(to, text);
    *to = '\t';
    return to + 1;
}

/* Zero-padded to `digits`, without a tab. */
static char *put_digits(char *to, uint64_t value, int digits)
{
    char reversed[24];
    int n = 0;
    for (; value > 0 || n < digits; value /= 10)
        reversed[n++] = (char)('0' + value % 10);
    while (n > 0)
        *to++ = reversed[--n];
    return to;
}

static char *put_number(char *to, int64_t value)
{
    if (value < 0)
        *to++ = '-';
    to = put_digits(to, value < 0 ? -(uint64_t)value : (uint64_t)value, 1);
    *to++ = '\t';
    return to;
}

static char *put_number_or_dash(char *to, int64_t value, bool given)
{
    return given ? put_number(to, value) : put_text(to, NULL);
}

/* Thousandths (digits = 3) or millionths (6), as a decimal fraction. */
static char *put_parts(char *to, double parts, int digits)
{
    const uint64_t unit = digits == 6 ? 1000000 : 1000, value = parts > 0 ? (uint64_t)(parts + 0.5) : 0;
    to = put_digits(to, value / unit, 1);
    *to++ = '.';
    to = put_digits(to, value % unit, digits);
    *to++ = '\t';
    return to;
}

static int format_record(const struct record *r, int64_t seq, char *text)
{
    char *to = put_number(text, seq);
    to = put_parts(to, 1e6 * r->time, 6);
    to = put_number(to, journal.out.rank);
    to = put_text(to, r->comm);
    to = put_number(to, r->ranks);
    to = put_text(to, collective_name(r->collective));
    to = put_number(to, r->bytes);
    to = put_number(to, r->count);
    to = put_text(to, r->datatype);
    to = put_text(to, r->op);
    to = put_number_or_dash(to, r->root, r->root >= 0);
    to = put_text(to, r->would ? r->would : r->engine);
    to = put_number_or_dash(to, r->blocks, r->blocks > 0);
    to = put_text(to, reason_word(r->reason));
    to = put_parts(to, 1e9 * r->duration, 3);
    assert(to - text < LINE - CALL_SITE_TEXT - 1);
    to += call_site_text(r->frame, to, CALL_SITE_TEXT);
    *to++ = '\n';
    return (int)(to - text);
}

static int write_text(int size)
{
    return output_write(&journal.out, journal.text, (size_t)size);
}

/* Before a record with new frames: the *used bytes that are ready, then origins. 0 or an errno. */
static int write_origins(const struct record *r, int *used)
{
    static const char kind[] = "# frame ";
    char *line = journal.origin, *rest = line + sizeof kind - 1;
    int error = 0;
    memcpy(line, kind, sizeof kind);
    for (int length; !error && (length = call_site_origin(r->frame, &journal.seen, rest, CALL_SITE_ORIGIN)) > 0;) {
        rest[length] = '\n';
        error = *used ? write_text(*used) : 0;
        error = error ? error : output_write(&journal.out, line, sizeof kind + (size_t)length);
        *used = 0;
    }
    return error;
}

static int write_batch(void)
{
    int used = 0, error = 0;
    if (journal.writing_note[0]) {
        used = snprintf(journal.text, sizeof journal.text, "# %s\n", journal.writing_note);
        if (journal.draining.used == 0)
            error = write_text(used);
    }
    for (int i = 0; i < journal.draining.used && !error; i++) {
        error = write_origins(&journal.draining.record[i], &used);
        if (error)
            break;
        used += format_record(&journal.draining.record[i], journal.seq++, journal.text + used);
        if (used + LINE > (int)sizeof journal.text || i == journal.draining.used - 1) {
            error = write_text(used);
            used = 0;
        }
    }
    return error;
}

/* The thread holds the lock. */
static void begin_writing(void)
{
    struct batch full = journal.filling;
    journal.filling = journal.draining;
    journal.draining = full;
    journal.writing = true;
    memcpy(journal.writing_note, journal.note, sizeof journal.note);
    journal.note[0] = 0;
}

/* By the writer, without the lock. Closes the log after a failure or the last batch. */
static void write_and_end(bool last)
{
    int uncancelled;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &uncancelled); /* a cancelled writer would stop the log */
    int error = write_batch();

    pthread_mutex_lock(&journal.lock);
    int64_t lost = journal.lost;
    journal.lost = 0;
    journal.draining.used = 0;
    journal.written = record_clock();
    if (error || last) {
        atomic_store(&journal.out.on, false);
        output_close(&journal.out);
        free(journal.filling.record);
        free(journal.draining.record);
        journal.filling = journal.draining = (struct batch){0};
    }
    journal.writing = false;
    pthread_mutex_unlock(&journal.lock);

    if (error)
        say("log %s: %s; no more records are written", journal.out.path, write_error(error));
    else if (lost)
        say("log %s: out of memory; %" PRId64 " records are missing", journal.out.path, lost);
    pthread_setcancelstate(uncancelled, NULL);
}

void record_note(const char *format, ...)
{
    char note[RECORD_NOTE];
    va_list ap;
    va_start(ap, format);
    vsnprintf(note, sizeof note, format, ap);
    va_end(ap);
    HOLD(journal.lock);
    const size_t used = strlen(journal.note);
    if (used + strlen("\n# ") + strlen(note) < sizeof journal.note)
        sprintf(journal.note + used, "%s%s", used ? "\n# " : "", note);
}

void record_remark(const char *text)
{
    char line[RECORD_NOTE];
    int length = snprintf(line, sizeof line, "# %s\n", text);
    assert(length < RECORD_NOTE);
    if (output_mine(&journal.out))
        output_write(&journal.out, line, (size_t)length);
}

void record_add(const struct record *r, double now)
{
    int saved = errno;
    assert(memchr(r->comm, 0, RECORD_NAME) && memchr(r->datatype, 0, RECORD_NAME) && memchr(r->op, 0, RECORD_NAME));
    report_add(r, now + record_epoch);
    if (output_mine(&journal.out)) {
        bool due = false;
        pthread_mutex_lock(&journal.lock);
        if (output_on(&journal.out)) {
            if (!batch_add(&journal.filling, r))
                journal.lost++;
            due = !journal.writing && (journal.unbuffered || journal.filling.used >= BATCH || r->duration > LONG_CALL ||
                                       now - journal.written > WRITE_EVERY);
            if (due)
                begin_writing();
        }
        pthread_mutex_unlock(&journal.lock);
        if (due)
            write_and_end(false);
    }
    errno = saved;
}

/*
 * Waits for another writer, at most two seconds: exit() in a signal handler, inside record_add(), would wait for itself.
 * Then records are lost.
 */
static void write_stored(bool last)
{
    int saved = errno;
    bool writes = false;
    for (int i = 0; i < PATIENCE && !writes && output_mine(&journal.out); i++) {
        if (pthread_mutex_trylock(&journal.lock) == 0) {
            writes = output_on(&journal.out) && !journal.writing;
            if (writes) {
                journal.unbuffered = true;
                atomic_store(&journal.out.on, !last);
                begin_writing();
            }
            pthread_mutex_unlock(&journal.lock);
        }
        if (writes)
            write_and_end(last);
        else
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    errno = saved;
}

void record_flush(void)
{
    write_stored(false);
}

void record_close(void)
{
    write_stored(true);
}

/* MPI_Finalize only flushes, and may never come. */
__attribute__((destructor)) static void close_at_exit(void)
{
    run_last(record_close);
}

/* In one piece, as ranks may share standard error. */
static int write_head(int rank, int ranks)
{
    char head[sizeof HEADER + sizeof FORMAT + 96];
    struct timespec now;
    record_epoch = seconds_now();
    clock_gettime(CLOCK_REALTIME, &now);
    const int length = snprintf(head, sizeof head, "%s%s# epoch %lld.%09ld, rank %d of %d\n", HEADER, FORMAT,
                                (long long)now.tv_sec, now.tv_nsec, rank, ranks);
    return output_write(&journal.out, head, (size_t)length);
}

void record_open(const char *pattern, int rank, int ranks, int stack)
{
    int saved = errno;
    if (output_on(&journal.out))
        return;

    int error = output_open(&journal.out, pattern, rank);
    if (!error)
        error = write_head(rank, ranks);
    if (error) {
        say("log %s: %s; no records are written", journal.out.path, write_error(error));
        output_close(&journal.out);
    } else {
        call_site_open(stack);
        journal.written = 0;
        journal.seq = 0;
        journal.seen = (struct call_site_seen){0};
        journal.unbuffered = false;
        atomic_store(&journal.out.on, true);
    }
    errno = saved;
}
