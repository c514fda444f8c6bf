/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flights: sends to ranks of other sites. Up to FLIGHTS blocks are under way at once, so that the long way is paid for when
 * the pipeline fills, and not by each block. By hand: 32 of the smallest blocks are 256 KiB, what 100 Mbit/s carry in 20 ms.
 *
 * Some sends are synchronous, after each WINDOW bytes: so a receiver that is late holds its sender up. Not all, as the last
 * of them costs the way there and back. And none from a scratch slot: the next block but one wants it again, so two blocks
 * would be all that is under way. What comes from scratch is made of what came in, and so held up by the ranks before.
 *
 * There is no deadlock: a rank waits for a flight only when it has to write the block's memory, when all are under way, or
 * at the end. Each time it waits for messages with smaller step numbers than those that it holds up; so the smallest
 * unfinished message of all always gets through.
 */
#include "execution.h"

enum { WINDOW = 64 << 10 }; /* bytes, to whomever; by hand */

static int land_oldest(struct execution *e)
{
    MPI_Request *request = &e->flight[e->oldest].request;
    e->oldest = (e->oldest + 1) % FLIGHTS;
    e->flights--;
    return e->channel->mpi->Wait(request, MPI_STATUS_IGNORE);
}

int flights_send(struct execution *e, struct piece piece, const struct buffer *out, int64_t bytes, int to)
{
    const struct channel *c = e->channel;
    int error = e->flights == FLIGHTS ? land_oldest(e) : MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        return error;
    struct flight *f = &e->flight[(e->oldest + e->flights) % FLIGHTS];
    f->piece = piece;
    bool wait = piece.slot < SLOT_T0 && e->flown >= WINDOW;
    e->flown = wait ? 0 : e->flown + bytes;
    __typeof__(c->mpi->Isend) send = wait ? c->mpi->Issend : c->mpi->Isend;
    error = send(out->memory, out->count, out->type, to, tag_now(e), c->comm, &f->request);
    e->flights += error == MPI_SUCCESS;
    return error;
}

static bool flies(const struct execution *e, struct piece piece)
{
    bool any = false;
    for (int i = 0; i < e->flights && !any; i++)
        any = pieces_meet(&e->o->shape, e->flight[(e->oldest + i) % FLIGHTS].piece, piece);
    return any;
}

int flights_spare(struct execution *e, struct piece piece)
{
    int error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && flies(e, piece))
        error = land_oldest(e);
    return error;
}

int flights_end(struct execution *e)
{
    int error = MPI_SUCCESS;
    while (error == MPI_SUCCESS && e->flights > 0)
        error = land_oldest(e);
    return error;
}
