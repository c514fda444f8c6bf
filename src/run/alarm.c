/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The alarm ends an operation that cannot go on, on this rank and on all others.
 *
 * If a rank cannot go on, or finds a message of another call, other ranks could wait for this rank for ever. So it sends two
 * messages to all ranks of the private communicator: a notice, which is empty and so fits any receive, and a statement that
 * describes its call. A rank that gets a notice fails, too, and sends these messages likewise, unless the statement is about
 * an earlier or a later call. If no rank fails, no such message is sent.
 *
 * A rank that receives gets the notice of the rank from which it receives. If a thread watches the call (channel.progress),
 * a rank that waits for a message, or for the end of a send, also looks for notices of all other ranks, and can give up.
 * Without such a thread it may wait for ever, as in a native call. A rank in a segment looks for notices of all ranks now
 * and then (rounds.c).
 */
#include "execution.h"
#include "hot.h"
#include "seconds.h"

#include <errno.h>
#include <sched.h>

enum { TAG_NOTICE = TAGS, TAG_STATEMENT };

/* Seconds, set by hand: for sending the alarm and waiting for the statement of another call, both together. */
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

/*
 * Keeps a statement about another call than the present one of channel `c`. The call may belong to another channel of the
 * ring. A statement about an earlier call has no effect.
 */
static void keep_statement(struct channel *c, const struct statement *heard)
{
    struct channel *about = c;
    while (about && about->calls >> CHANNEL_BITS != heard->call >> CHANNEL_BITS)
        about = about->next == c ? NULL : about->next;
    if (about && heard->call >= about->calls)
        about->later = *heard;
}

/* Judges what another rank's statement means for this rank. If the statement is about another call, this call goes on. */
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

/* Takes the statement of a rank whose notice has been received. */
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
    const int saved = errno; /* of the application: a signal may interrupt the MPI library's progress */
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
        if (error == MPI_SUCCESS) /* the notice is not about this call: the awaited message follows */
            error = c->mpi->Recv(in->memory, in->count, in->type, from, MPI_ANY_TAG, c->comm, status);
    }
    return status->MPI_TAG == TAG_NOTICE || is_own(e, status->MPI_TAG) ? error : alarm_foreign(e->channel, from);
}

/* A turn of a waiting loop: looks for notices now and then. */
static int wait_on(struct execution *e)
{
    enum { ROUNDS = 256 }; /* of waiting, between two probes for notices */
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
        mpi->Request_free(&send); /* the message may never be received */
    return error;
}

/* Sends a short message and waits until it has left, because the next MPI call may come much later. Gives up at `end`. */
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
