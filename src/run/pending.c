/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pending sends, to ranks of other sites. Up to PENDING_MOST at once, so the long latency costs time once. One send after
 * each WINDOW bytes is synchronous, which costs a round trip; none from scratch slots, which are reused at once and limit
 * the sender anyway.
 *
 * There is no deadlock. A rank waits for a pending send only before it overwrites the block's memory, when PENDING_MOST
 * sends are pending, or at the end. The messages for which it waits have smaller step numbers than the messages that it
 * delays meanwhile. So the unfinished message with the smallest step number always gets through.
 */
#include "execution.h"
#include "hot.h"

enum { WINDOW = 64 << 10 }; /* bytes to all receivers together */

static int wait_oldest(struct execution *e)
{
    const struct channel *c = e->channel;
    struct pending_send *oldest = &e->pending[e->oldest];
    progress_wait(c->progress, e->last, oldest->to, NOBODY);
    const int error = c->progress ? alarm_await(e, &oldest->request) : c->mpi->Wait(&oldest->request, MPI_STATUS_IGNORE);
    progress_work(c->progress);
    if (error == MPI_SUCCESS) {
        e->oldest = (e->oldest + 1) % PENDING_MOST;
        e->pending_sends--;
    }
    return error;
}

int pending_send(struct execution *e, struct piece piece, const struct buffer *out, int64_t bytes, int to)
{
    const struct channel *c = e->channel;
    int error = e->pending_sends == PENDING_MOST ? wait_oldest(e) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        return error;
    struct pending_send *f = &e->pending[(e->oldest + e->pending_sends) % PENDING_MOST];
    f->piece = piece;
    f->to = to;
    bool wait = piece.slot < SLOT_T0 && e->far_ahead >= WINDOW;
    e->far_ahead = wait ? 0 : e->far_ahead + bytes;
    __typeof__(c->mpi->Isend) send = wait ? c->mpi->Issend : c->mpi->Isend;
    error = send(out->memory, out->count, out->type, to, tag_now(e), c->comm, &f->request);
    e->pending_sends += error == MPI_SUCCESS;
    return error;
}

static bool is_pending(const struct execution *e, struct piece piece)
{
    bool any = false;
    for (int i = 0; i < e->pending_sends && !any; i++)
        any = pieces_meet(&e->o->shape, e->pending[(e->oldest + i) % PENDING_MOST].piece, piece);
    return any;
}

int pending_spare(struct execution *e, struct piece piece)
{
    int error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && is_pending(e, piece))
        error = wait_oldest(e);
    return error;
}

HOT int pending_end(struct execution *e)
{
    int error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && e->pending_sends > 0)
        error = wait_oldest(e);
    return error;
}

void pending_drop(struct execution *e)
{
    for (int i = 0; i < e->pending_sends; i++) {
        MPI_Request *request = &e->pending[(e->oldest + i) % PENDING_MOST].request;
        if (*request != MPI_REQUEST_NULL)
            e->channel->mpi->Request_free(request);
    }
    e->pending_sends = 0;
}
