/* SPDX-License-Identifier: BSD-2-Clause */
/* See agenda.h. */
#include "agenda.h"

#include "clock.h"
#include "job_read.h"
#include "textfile.h"

#include <assert.h>
#include <stdlib.h>

/* FIXED: a call without data counts as so many bytes. ELEMENT: largest element. */
enum { FIXED = 256 << 10, ELEMENT = 16 };

#define TELL_EVERY 10 /* seconds */

static void add_sizes(struct agenda *a, enum collective c, enum op_class op, int factor)
{
    for (int64_t bytes = options.sizes.low, last = 0;; bytes *= factor) {
        if (bytes > options.sizes.high)
            bytes = options.sizes.high;
        /* Whole elements of any type. */
        int64_t whole = bytes / ELEMENT * ELEMENT;
        assert(a->count < MOST_ITEMS);
        if (whole > last)
            a->item[a->count++] = (struct agenda_item){c, op, whole, 0};
        last = whole;
        if (bytes == options.sizes.high)
            return;
    }
}

void agenda_make(struct agenda *a, int factor)
{
    a->count = 0;
    for (int c = 0; c < COLLECTIVES; c++)
        for (int op = OP_NONE; op <= OP_ORDERED; op++)
            if (options.collectives.bits >> c & 1 && collective_reduces((enum collective)c) == (op != OP_NONE) &&
                (op == OP_NONE || options_have_op((enum op_class)op)))
                add_sizes(a, (enum collective)c, (enum op_class)op, factor);
}

static void add_group(struct agenda *a, const struct job_group *g)
{
    const enum collective c = g->collective;
    const int64_t bytes = (int64_t)(g->tally.bytes / (double)g->tally.calls) / ELEMENT * ELEMENT;
    if (bytes < ELEMENT || g->ranks < 1 || !(options.collectives.bits >> c & 1))
        return;
    for (int op = OP_NONE; op <= OP_ORDERED && a->count < MOST_ITEMS; op++)
        if (collective_reduces(c) == (op != OP_NONE) && (op == OP_NONE || options_have_op((enum op_class)op)))
            a->item[a->count++] = (struct agenda_item){c, (enum op_class)op, bytes, g->tally.seconds / g->ranks};
}

int agenda_by_call(const void *a, const void *b)
{
    const struct agenda_item *x = a, *y = b;
    if (!agenda_same_call(x, y))
        return x->collective != y->collective ? (int)x->collective - (int)y->collective : (int)x->op - (int)y->op;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static int read_report(struct agenda *a, const char *file, char *why, size_t size)
{
    char reason[256] = "", *text = textfile_read_own(file, reason, sizeof reason);
    const struct job *j = text ? job_read(text, reason, sizeof reason) : NULL;
    if (!j) {
        snprintf(why, size, "%s cannot be read: %s%s", file, reason,
                 text ? "; run the program with PLEACH_REPORT=FILE.html or FILE.json" : "");
        free(text);
        return STATUS_FAILED;
    }
    free(text);
    for (const struct job_group *g = j->group[BY_SIZE]; g < j->group[BY_SIZE] + j->groups[BY_SIZE]; g++)
        add_group(a, g);
    if (a->count > 0)
        return 0;
    snprintf(why, size, "%s has no calls of these collectives", file);
    return STATUS_USAGE;
}

void agenda_of_report(struct agenda *a, const char *file)
{
    char why[1024] = "";
    a->count = 0;
    int status = job.comm->rank == 0 ? read_report(a, file, why, sizeof why) : 0;
    pmpi.Bcast(&status, 1, MPI_INT, 0, job.comm->channel.comm);
    if (status)
        job_stop(status, "%s", why);
    pmpi.Bcast(a, (int)sizeof *a, MPI_BYTE, 0, job.comm->channel.comm);
    qsort(a->item, (size_t)a->count, sizeof a->item[0], agenda_by_call);
}

bool agenda_same_call(const struct agenda_item *a, const struct agenda_item *b)
{
    return a->collective == b->collective && a->op == b->op;
}

const char *agenda_title(const struct agenda_item *item, const char *separator, char *text)
{
    bool folds = item->op != OP_NONE;
    snprintf(text, TITLE, "%s%s%s", collective_name(item->collective), folds ? separator : "",
             folds ? op_word(item->op) : "");
    return text;
}

static int by_size(const void *a, const void *b)
{
    const struct agenda_item *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return x->collective != y->collective ? (int)x->collective - (int)y->collective : (int)x->op - (int)y->op;
}

void agenda_by_size(struct agenda *a)
{
    qsort(a->item, (size_t)a->count, sizeof a->item[0], by_size);
}

static double cost_of(const struct agenda *a, int first, int end)
{
    double bytes = 0;
    for (int i = first; i < end; i++)
        bytes += (double)(a->item[i].bytes + FIXED);
    return bytes;
}

double agenda_share(const struct agenda *a, int i)
{
    double left = (double)options.seconds - clock_elapsed(job.comm);
    return left > 0 ? left * cost_of(a, i, i + 1) / cost_of(a, i, a->count) : 0;
}

static void tell_progress(const struct agenda *a, int i, double elapsed)
{
    static double last;
    char title[TITLE];
    if (elapsed < last + TELL_EVERY)
        return;
    last = elapsed;
    say("%.0f %% done; next: %s, %lld bytes", 100 * cost_of(a, 0, i) / cost_of(a, 0, a->count),
        agenda_title(&a->item[i], " ", title), (long long)a->item[i].bytes);
}

bool agenda_open(const struct agenda *a, int i, struct contest *t)
{
    const struct agenda_item *item = &a->item[i];
    const double elapsed = clock_elapsed(job.comm);
    if (job.interrupted || elapsed > (double)options.seconds)
        return false;
    tell_progress(a, i, elapsed);
    contest_open(t, item->collective, item->op, item->bytes, (int)options.root);
    return true;
}

int agenda_end(const struct agenda *a, int i, bool right, const char *items)
{
    const int rest = a->count - i;
    if (rest > 0 && job.interrupted)
        say("interrupted: %d of %d %s are undone", rest, a->count, items);
    else if (rest > 0)
        say("the time limit of %lld s left %d of %d %s undone", (long long)options.seconds, rest, a->count, items);
    return !right ? STATUS_FAILED : rest > 0 && job.interrupted ? job_interrupted_status() : 0;
}
