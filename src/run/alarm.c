/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The alarm ends an operation on all ranks when one cannot go on, or finds a message of another call. It sends all ranks of
 * the private communicator a notice, which is empty and fits any receive, and a statement of its call. A rank that gets a
 * notice fails likewise, unless the statement is about an earlier or later call.
 *
 * A receiving rank gets its sender's notice. If a thread watches the call, waiting ranks also look for notices of all; else
 * they may wait for ever, as in a native call. In a segment, ranks look now and then (rounds.c).
 */
#include "execution.h"
#include "hot.h"
#include "seconds.h"

#include <errno.h>
#include <sched.h>

enum { TAG_NOTICE = TAGS, TAG_STATEMENT };

/* Seconds, for sending the alarm and for the other statement together. */
static const double PATIENCE = 1;

static struct statement statement_of(const struct execution *e, int error)
{
    const struct operation *o = e->call->o;
    return (struct statement){.meaning = e->call->meaning,
                              .call = e->channel->calls - 1,
                              .bytes = o->facts.bytes,
                              .rank = e->call->rank,
                              .blamed = e->channel->blamed,
                              .collective = (int)o->facts.collective,
                              .root = o->facts.root,
                              .op = e->view->own_op,
                              .error = error};
}

/* About another call, perhaps of another channel of the ring. None about an earlier one. */
static void keep_statement(struct channel *c, const struct statement *heard)
{
    struct channel *about = c;
    while (about && about->calls >> CHANNEL_BITS != heard->call >> CHANNEL_BITS)
        about = about->next == c ? NULL : about->next;
    if (about && heard->call >= about->calls)
        about->later = *heard;
}

/* For this rank. About another call: this one goes on. */
static int judge_statement(struct execution *e, const struct statement *heard)
{
    struct channel *c = e->channel;
    if (heard->call != c->calls - 1) {
        keep_statement(c, heard);
        return MPI_SUCCESS;
    }
    c->blamed = heard->blamed;
    if (heard->meaning == e->call->meaning)
        return heard->error;
    if (c->mismatch || heard->blamed == e->call->rank + 1) {
        c->mismatch = true;
        c->other = *heard;
    }
    return MPI_ERR_TRUNCATE;
}

static int receive_statement(struct execution *e, int from)
{
    const struct channel *c = e->channel;
    struct statement heard;
    int error = c->mpi->Recv(&heard, sizeof heard, MPI_BYTE, from, TAG_STATEMENT, c->comm, MPI_STATUS_IGNORE);
    return error != MPI_SUCCESS ? error : judge_statement(e, &heard);
}

int alarm_recall(struct execution *e)
{
    const struct statement later = e->channel->later;
    e->channel->later.meaning = 0;
    return judge_statement(e, &later);
}

HOT int alarm_listen(struct execution *e)
{
    const struct channel *c = e->channel;
    const int saved = errno;
    MPI_Status status;
    int there = 0, error = c->mpi->Iprobe(MPI_ANY_SOURCE, TAG_NOTICE, c->comm, &there, &status);
    errno = saved;
    if (error != MPI_SUCCESS || !there)
        return error;
    const int from = status.MPI_SOURCE;
    error = c->mpi->Recv(NULL, 0, MPI_BYTE, from, TAG_NOTICE, c->comm, &status);
    return error != MPI_SUCCESS ? error : receive_statement(e, from);
}

int alarm_foreign(struct channel *c, int from)
{
    c->mismatch = true;
    c->blamed = from + 1;
    c->other = (struct statement){.rank = from};
    return MPI_ERR_TRUNCATE;
}

int alarm_hear(struct execution *e, const struct buffer *in, int from, MPI_Status *status)
{
    const struct channel *c = e->channel;
    int error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && status->MPI_TAG == TAG_NOTICE) {
        error = receive_statement(e, from);
        if (error == MPI_SUCCESS) /* the notice is not about this call */
            error = c->mpi->Recv(in->memory, in->count, in->type, from, MPI_ANY_TAG, c->comm, status);
    }
    return status->MPI_TAG == TAG_NOTICE || is_own(e, status->MPI_TAG) ? error : alarm_foreign(e->channel, from);
}

/* Looks for notices now and then. */
static int wait_on(struct execution *e)
{
    enum { ROUNDS = 256 }; /* between two probes */
    if (++e->rounds % ROUNDS != 0)
        return MPI_SUCCESS;
    const int error = alarm_listen(e);
    sched_yield();
    return error;
}

int alarm_await(struct execution *e, MPI_Request *send)
{
    int sent = 0, error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && !sent) {
        error = e->channel->mpi->Test(send, &sent, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS && !sent)
            error = wait_on(e);
    }
    return error;
}

int alarm_exchange(struct execution *e, const struct buffer *out, int to, bool meets, const struct buffer *in, int from,
                   MPI_Status *status)
{
    const struct wire *mpi = e->channel->mpi;
    const MPI_Comm comm = e->channel->comm;
    int received = from == MPI_PROC_NULL, sent = to == MPI_PROC_NULL, error = MPI_SUCCESS;
    MPI_Request send = MPI_REQUEST_NULL;
    if (!sent)
        error = (meets ? mpi->Issend : mpi->Isend)(out->memory, out->count, out->type, to, tag_now(e), comm, &send);
    while (error == MPI_SUCCESS && !(sent && received)) {
        int there = 0;
        if (!received)
            error = mpi->Iprobe(from, MPI_ANY_TAG, comm, &there, status);
        if (there && is_own(e, status->MPI_TAG)) {
            error = mpi->Recv(in->memory, in->count, in->type, from, status->MPI_TAG, comm, status);
            received = 1;
        } else if (there)
            error = status->MPI_TAG == TAG_NOTICE ? alarm_listen(e) : alarm_foreign(e->channel, from);
        if (error == MPI_SUCCESS && !sent)
            error = mpi->Test(&send, &sent, MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS)
            error = wait_on(e);
    }
    if (error != MPI_SUCCESS && send != MPI_REQUEST_NULL)
        mpi->Request_free(&send); /* it may never be received */
    return error;
}

/* Until it has left, as the next MPI call may be far off, or until `end`. */
static void send_off(const struct channel *c, const void *data, int bytes, int to, int tag, double end)
{
    MPI_Request request;
    int sent = 0;
    if (c->mpi->Isend(data, bytes, MPI_BYTE, to, tag, c->comm, &request) != MPI_SUCCESS)
        return;
    do
        c->mpi->Test(&request, &sent, MPI_STATUS_IGNORE);
    while (!sent && seconds_now() < end);
    if (!sent)
        c->mpi->Request_free(&request);
}

void alarm_raise(struct execution *e, int error)
{
    struct channel *c = e->channel;
    const double end = seconds_now() + PATIENCE;
    c->own = statement_of(e, c->mismatch || error == MPI_ERR_TRUNCATE ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER);
    for (int r = 0; r < e->call->o->facts.ranks; r++)
        if (r != c->own.rank) {
            send_off(c, NULL, 0, r, TAG_NOTICE, end);
            send_off(c, &c->own, sizeof c->own, r, TAG_STATEMENT, end);
        }
    for (; c->mismatch && !c->other.meaning && seconds_now() < end; sched_yield())
        alarm_listen(e);
    c->blamed = 0;
}
