/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gathers the report by point-to-point messages on our own communicator (gathering.h).
 *
 *     rank r                               rank 0
 *     COMING     both ways, in the callback of MPI_COMM_SELF
 *     HERE, n    in the callback of MPI_COMM_WORLD: rank r has a rank report of n bytes
 *                                          GO
 *     the rank report
 *                                          WRITTEN or UNWRITTEN, at the end
 *     removes the file of its rank report, or leaves the report in this file
 *
 * MPI_Finalize waits for all ranks, so rank 0 waits for all COMINGs, and others for rank 0's, as long as it takes. Later no
 * wait is endless: callbacks with collective calls may run before ours on one rank and after it on another. Rank 0 waits at
 * most PATIENCE for the next note of any, then writes what it has. Rank r waits so long for GO, then withdraws (GONE). It
 * sends its report only while rank 0 waits for it, and then waits until rank 0 has written.
 */
#include "gather.h"

#include "gathering.h"
#include "process.h"
#include "report.h"
#include "seconds.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum word { COMING = 1, HERE, GO, GONE, WRITTEN, UNWRITTEN };
enum { TAG_NOTE, TAG_PART };

static const double PATIENCE = 60; /* seconds */

struct note {
    int64_t what, bytes;
};

static MPI_Comm comm;
static int rank, ranks;

static bool open_comm(void)
{
    comm = gathering_comm();
    if (comm == MPI_COMM_NULL)
        return false;
    pmpi.Comm_rank(comm, &rank);
    pmpi.Comm_size(comm, &ranks);
    return true;
}

/* ---- Messages -------------------------------------------------------------------------------------------------------- */

/* So short that MPI sends it at once. */
static void send_note(int to, const struct note *n)
{
    MPI_Request request;
    if (pmpi.wire.Isend(n, sizeof *n, MPI_BYTE, to, TAG_NOTE, comm, &request) == MPI_SUCCESS)
        pmpi.wire.Request_free(&request);
}

/* Until it has left. False on an error, or after PATIENCE. */
static bool send_all(int to, int tag, const void *data, int64_t bytes)
{
    MPI_Request request;
    const double end = seconds_now() + PATIENCE;
    int done = 0;
    if (pmpi.wire.Isend(data, (int)bytes, MPI_BYTE, to, tag, comm, &request) != MPI_SUCCESS)
        return false;
    while (pmpi.wire.Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done && seconds_now() < end)
        sched_yield();
    return done;
}

static const struct note *plain(enum word word)
{
    static const struct note notes[] = {[COMING] = {COMING, 0}, [HERE] = {HERE, 0},       [GO] = {GO, 0},
                                        [GONE] = {GONE, 0},     [WRITTEN] = {WRITTEN, 0}, [UNWRITTEN] = {UNWRITTEN, 0}};
    return &notes[word]; /* must last until sent */
}

/* `from`: or MPI_ANY_SOURCE. False: none. */
static bool receive_note(int from, int *who, struct note *n)
{
    MPI_Status status;
    int there = 0;
    if (pmpi.wire.Iprobe(from, TAG_NOTE, comm, &there, &status) != MPI_SUCCESS || !there) {
        sched_yield();
        return false;
    }
    *who = status.MPI_SOURCE;
    return pmpi.wire.Recv(n, sizeof *n, MPI_BYTE, *who, TAG_NOTE, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

void gather_announce(void)
{
    if (!open_comm())
        return;
    for (int r = rank ? 0 : 1; r < (rank ? 1 : ranks); r++)
        send_note(r, plain(COMING));
}

/* ---- Rank r ---------------------------------------------------------------------------------------------------------- */

/* True: rank 0 has written a report with it. */
static bool send_report(const char *part, int64_t bytes)
{
    static struct note here = {.what = HERE};
    struct note n;
    bool coming = false, sent = false;
    int who;
    here.bytes = bytes;
    send_note(0, &here);
    for (double news = seconds_now(); !coming || sent || seconds_now() < news + PATIENCE;) {
        if (!receive_note(0, &who, &n))
            continue;
        news = seconds_now();
        coming = true;
        if (n.what == WRITTEN || n.what == UNWRITTEN)
            return n.what == WRITTEN;
        if (n.what == GO && !(sent = send_all(0, TAG_PART, part, bytes)))
            return false;
    }
    send_all(0, TAG_NOTE, plain(GONE), sizeof n);
    return false;
}

/* ---- Rank 0 ---------------------------------------------------------------------------------------------------------- */

enum state { AWAY, ON_ITS_WAY, REPORTED, LOST };

struct gathered {
    unsigned char *state;
    int coming; /* or come */
    int open;   /* other ranks whose report may come */
};

static void set_state(struct gathered *g, int r, enum state state)
{
    g->coming += g->state[r] == AWAY;
    g->open -= g->state[r] < REPORTED && state >= REPORTED;
    g->state[r] = (unsigned char)state;
}

static bool await_part(int r)
{
    struct note n = {0};
    int there = 0, who;
    for (double start = seconds_now(); !there && n.what != GONE && seconds_now() < start + PATIENCE;) {
        pmpi.wire.Iprobe(r, TAG_PART, comm, &there, MPI_STATUS_IGNORE);
        if (!there)
            receive_note(r, &who, &n);
    }
    return there;
}

static enum state receive_report(int r, int64_t bytes)
{
    char *text = bytes > 0 && bytes <= INT_MAX ? malloc((size_t)bytes) : NULL;
    enum state state = LOST;
    if (text) {
        send_note(r, plain(GO));
        if (await_part(r) && pmpi.wire.Recv(text, (int)bytes, MPI_BYTE, r, TAG_PART, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS)
            state = report_merge(text, (size_t)bytes) ? REPORTED : LOST;
    }
    free(text);
    return state;
}

static void receive_all(struct gathered *g)
{
    struct note n;
    int r;
    for (double news = seconds_now(); g->open > 0 && (g->coming < ranks - 1 || seconds_now() < news + PATIENCE);) {
        if (!receive_note(MPI_ANY_SOURCE, &r, &n))
            continue;
        if (n.what == COMING && g->state[r] == AWAY)
            set_state(g, r, ON_ITS_WAY);
        else if (n.what == HERE && g->state[r] < REPORTED)
            set_state(g, r, receive_report(r, n.bytes));
        news = seconds_now();
    }
}

/* Merges files of ranks whose reports have not come, and names ranks without one. */
static void find_missing(const struct gathered *g)
{
    enum { NAMED = 8 };
    char names[NAMED * 16] = "";
    int missing = 0;
    for (int r = 1, used = 0; r < ranks; r++) {
        if (g->state[r] == REPORTED || report_merge_left(r))
            continue;
        if (missing++ < NAMED)
            used += snprintf(names + used, sizeof names - (size_t)used, "%s%d", used ? ", " : "", r);
    }
    if (missing)
        say("report: it lacks the calls of %d of %d ranks: %s%s", missing, ranks, names, missing > NAMED ? ", .." : "");
}

static bool join_report(const char *part, int64_t bytes)
{
    struct gathered g = {.state = calloc((size_t)ranks, 1), .open = ranks - 1};
    bool written = false;
    if (g.state) {
        report_merge(part, (size_t)bytes);
        receive_all(&g);
        if (report_writable())
            find_missing(&g);
        written = report_write();
    }
    for (int r = 1; r < ranks; r++)
        if (g.state && g.state[r] == REPORTED)
            send_all(r, TAG_NOTE, plain(written ? WRITTEN : UNWRITTEN), sizeof(struct note));
        else
            send_note(r, plain(UNWRITTEN)); /* it may be waiting */
    free(g.state);
    return written;
}

bool gather(void)
{
    size_t bytes;
    int saved = errno;
    if (!open_comm())
        return false;
    const char *part = report_end(&bytes);
    if (rank == 0 ? join_report(part, (int64_t)bytes) : send_report(part, (int64_t)bytes))
        report_remove_file();
    else
        report_leave_file();
    errno = saved;
    return true;
}
