/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * See prober.h and infer.h. A host that pings also answers, and takes messages as they come. It is done when its pings are
 * answered and the last ping of each probe to it has come. It waits for nothing else.
 */
#include "prober.h"
#include "small_stack.h"

#include "units.h"

#include <assert.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG_PING = 1,
    TAG_ANSWER,
    PINGS_ASKED = 32,
    LONGER = 4 /* times as many for a disturbed probe */
};

/* Disturbed: the median exceeds the shortest so far; as STEADY in infer_pivots.c. */
static const double DISTURBED = 1.7;

/* Without its first ping, which may open a connection. */
struct under_way {
    int probe;
    int back;
    bool waits;
    bool last;
    double at;
    double time[LONGER * PINGS_ASKED + 1];
};

struct work_of_host {
    struct field *field;
    struct probe *probe;
    int count;
    int next;
    int open;
    int turn;              /* whence to search way[] for the next ping */
    int expected;          /* probes to this host without their last ping */
    double earliest;       /* seconds_now() of the next ping */
    struct under_way *way; /* PINGS_OPEN; not on a thread's stack */
};

/* Without the first; returns their number. */
static int sort_times(struct under_way *u)
{
    qsort(u->time + 1, (size_t)(u->back - 1), sizeof u->time[0], ascending_numbers);
    return u->back - 1;
}

static double median(const struct under_way *u)
{
    return u->time[1 + (u->back - 2) / 2];
}

static void finish(struct work_of_host *w, int slot)
{
    struct under_way *u = &w->way[slot];
    double *result = &w->field->times[2 * (size_t)u->probe];
    if (sort_times(u) == 0)
        u->time[u->back++] = u->time[0]; /* the limit left one ping */
    result[0] = u->time[1];
    result[1] = median(u);
    *u = w->way[--w->open];
}

/* Or has the limit passed? */
static bool is_last(struct under_way *u, const struct probe *p, const struct limit *limit)
{
    if (limit_passed(limit) > limit->most)
        return true;
    if (u->back < PINGS_LONG)
        return false;
    int counted = sort_times(u);
    if (u->time[1] > PING_LONG)
        return counted + 1 >= PINGS_LONG;
    return counted + 1 >= p->pings && (median(u) < DISTURBED * u->time[1] || counted + 1 >= LONGER * p->pings);
}

static int rank_on(const struct field *f, int host)
{
    return node_list_rank(f->nodes, host, 0);
}

static void send_ping(struct work_of_host *w, struct under_way *u)
{
    const struct field *f = w->field;
    const struct probe *p = &w->probe[u->probe];
    u->last = is_last(u, p, f->limit);
    u->waits = true;
    u->at = seconds_now();
    w->earliest = u->at + PING_INTERVAL;
    char last = u->last;
    pmpi.Send(&last, 1, MPI_CHAR, rank_on(f, p->to), TAG_PING, f->comm);
}

static void note_answer(struct work_of_host *w, int from, double now)
{
    int slot = 0;
    while (rank_on(w->field, w->probe[w->way[slot].probe].to) != from)
        slot++;
    struct under_way *u = &w->way[slot];
    assert(slot < w->open && u->waits);
    u->waits = false;
    u->time[u->back++] = now - u->at;
    if (u->last)
        finish(w, slot);
}

struct heard {
    char last;
    int from;
    double at;
};

/* If one has come; others may be left of a failed call. */
static bool receive(const struct work_of_host *w, int tag, struct heard *h)
{
    const MPI_Comm comm = w->field->comm;
    int there = 0;
    MPI_Status status;
    pmpi.Iprobe(MPI_ANY_SOURCE, tag, comm, &there, &status);
    if (!there)
        return false;
    h->at = seconds_now();
    h->from = status.MPI_SOURCE;
    pmpi.wire.Recv(&h->last, 1, MPI_CHAR, h->from, tag, comm, MPI_STATUS_IGNORE);
    return true;
}

static void listen(struct work_of_host *w)
{
    struct heard h;
    if (receive(w, TAG_PING, &h)) {
        pmpi.Send(&h.last, 1, MPI_CHAR, h.from, TAG_ANSWER, w->field->comm);
        w->expected -= h.last;
    } else if (receive(w, TAG_ANSWER, &h))
        note_answer(w, h.from, h.at);
    else
        sched_yield();
}

static void begin_probes(struct work_of_host *w)
{
    for (; w->next < w->count && w->open < PINGS_OPEN; w->next++)
        if (w->probe[w->next].from == w->field->host)
            w->way[w->open++] = (struct under_way){.probe = w->next};
}

static void ping_next(struct work_of_host *w)
{
    if (seconds_now() < w->earliest)
        return;
    for (int i = 0; i < w->open; i++) {
        struct under_way *u = &w->way[w->turn++ % w->open];
        if (!u->waits) {
            send_ping(w, u);
            return;
        }
    }
}

static void ping_all(struct work_of_host *w)
{
    for (int i = 0; i < w->count; i++)
        w->expected += w->probe[i].to == w->field->host;
    for (begin_probes(w); w->open > 0 || w->expected > 0; begin_probes(w)) {
        ping_next(w);
        listen(w);
    }
}

/* ---- The prober ------------------------------------------------------------------------------------------------------ */

/* All get the largest of each number, 0 where not measured: the slower end of a flow counts. Also time passed (limit.h). */
static void share_fields(struct field *f, size_t numbers)
{
    f->times[numbers] = limit_passed(f->limit);
    pmpi.Allreduce(MPI_IN_PLACE, f->times, (int)numbers + 1, MPI_DOUBLE, MPI_MAX, f->comm);
    f->limit->passed = f->times[numbers];
}

static bool begin_pings(void *self, bool mine, int probes)
{
    struct field *f = self;
    const int numbers = 2 * probes > f->nodes->nodes ? 2 * probes : f->nodes->nodes;
    f->times = malloc(((size_t)numbers + 1) * sizeof *f->times);
    f->way = malloc(PINGS_OPEN * sizeof *f->way);
    return pmpi_agreed(f->comm, mine && f->times && f->way, MPI_MIN);
}

static bool ping(void *self, struct probe *probe, int count)
{
    struct field *f = self;
    const size_t numbers = 2 * (size_t)count;
    memset(f->times, 0, numbers * sizeof *f->times);
    if (f->host >= 0)
        ping_all(&(struct work_of_host){.field = f, .probe = probe, .count = count, .way = f->way});
    share_fields(f, numbers);
    for (int i = 0; i < count; i++) {
        probe[i].least = f->times[2 * i];
        probe[i].median = f->times[2 * i + 1];
    }
    return !limit_lacks(f->limit, 0);
}

static int flow_of(const struct field *f, const struct flow *flow, int count)
{
    int i = 0;
    while (i < count && (f->host < 0 || (flow[i].a != f->host && flow[i].b != f->host)))
        i++;
    return i;
}

/* Collective; `bytes` alike on all ranks. */
static bool room_for(struct field *f, int64_t bytes)
{
    if (bytes <= f->bytes)
        return true;
    free(f->buffer);
    f->buffer = f->host >= 0 ? calloc(2, (size_t)bytes) : NULL;
    f->bytes = bytes;
    return pmpi_agreed(f->comm, f->host < 0 || f->buffer, MPI_MIN);
}

static bool exchange_flows(void *self, struct flow *flow, int count, int64_t bytes)
{
    struct field *f = self;
    const MPI_Comm comm = f->comm;
    const int mine = flow_of(f, flow, count);
    const int other = mine == count ? MPI_PROC_NULL : rank_on(f, flow[mine].a == f->host ? flow[mine].b : flow[mine].a);
    char out = 0, in;
    assert(bytes <= INT_MAX);
    if (!room_for(f, bytes))
        return false;
    memset(f->times, 0, (size_t)count * sizeof *f->times);
    /* A byte first, to open connections. No barrier: all ranks have ended the batch before. */
    pmpi.wire.Sendrecv(&out, 1, MPI_CHAR, other, 0, &in, 1, MPI_CHAR, other, 0, comm, MPI_STATUS_IGNORE);
    if (mine < count) {
        double start = seconds_now();
        pmpi.wire.Sendrecv(f->buffer, (int)bytes, MPI_BYTE, other, 0, f->buffer + bytes, (int)bytes, MPI_BYTE, other, 0,
                           comm, MPI_STATUS_IGNORE);
        f->times[mine] = seconds_now() - start;
    }
    share_fields(f, (size_t)count);
    for (int i = 0; i < count; i++)
        flow[i].seconds = f->times[i];
    return !limit_lacks(f->limit, 0);
}

struct prober field_open(struct field *field, const struct comm *c, struct limit *limit)
{
    const struct node_rank own = node_rank_of(c->locality.nodes, c->rank);
    *field = (struct field){
        .comm = c->channel.comm, .nodes = c->locality.nodes, .limit = limit, .host = own.index == 0 ? own.node : -1};
    return (struct prober){.self = field, .begin = begin_pings, .ping = ping, .exchange = exchange_flows};
}

void field_close(struct field *field)
{
    free(field->times);
    free(field->way);
    free(field->buffer);
}
