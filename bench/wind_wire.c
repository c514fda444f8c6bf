/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Wires; see wind_wire.h.
 *
 * Between sites, a real MPI library buffers messages, and TCP carries them one after the other. In SMPI, messages in quick
 * succession would share the link, and all would arrive late. So before a rank sends, it waits until its last message, alone
 * on the link, would have left. It does not wait until that message has arrived.
 *
 * SMPI's ranks are threads of one process and share all variables. So each rank has its own entries in `sent`.
 */
#include "wind_wire.h"

#include <stdlib.h>
#include <time.h>

#define FIELD(name) .name = MPI_##name,
const struct wire wind_wire = {WIRE(FIELD)};

static const struct wind_machine *machine;
static double *sent; /* two for each rank: when its last message to its own site leaves, and that to other sites; seconds */

bool wind_wire_open(const struct wind_machine *w)
{
    machine = w;
    if (!sent)
        sent = calloc(2 * (size_t)places_ranks(w->places), sizeof *sent);
    return sent;
}

static bool is_far(int peer)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return peer >= 0 && machine->site[peer] != machine->site[rank];
}

static int send_freely(const void *memory, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_size(type, &size);
    double *last = &sent[2 * rank + is_far(to)];
    const double wait = *last - MPI_Wtime(), flow = machine->places->reach[is_far(to) ? 0 : 1].flow;
    const struct timespec pause = {.tv_sec = (time_t)wait, .tv_nsec = (long)((wait - (double)(time_t)wait) * 1e9)};
    if (wait > 0)
        nanosleep(&pause, NULL);
    *last = MPI_Wtime() + flow * size * count;
    return MPI_Send(memory, count, type, to, tag, comm);
}

static int issend(const void *memory, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    if (!is_far(to))
        return MPI_Issend(memory, count, type, to, tag, comm, request);
    *request = MPI_REQUEST_NULL;
    return send_freely(memory, count, type, to, tag, comm);
}

static int issend_freely(const void *memory, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request *request)
{
    *request = MPI_REQUEST_NULL;
    return to == MPI_PROC_NULL ? MPI_SUCCESS : send_freely(memory, count, type, to, tag, comm);
}

static int sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in, int in_count,
                    MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int error = MPI_SUCCESS;
    if (to != MPI_PROC_NULL)
        error = issend(out, out_count, out_type, to, out_tag, comm, &request);
    if (error == MPI_SUCCESS && from != MPI_PROC_NULL)
        error = MPI_Recv(in, in_count, in_type, from, in_tag, comm, status);
    if (error == MPI_SUCCESS)
        error = MPI_Wait(&request, MPI_STATUS_IGNORE);
    return error;
}

static int sendrecv_freely(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag, void *in,
                           int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status)
{
    int error = MPI_SUCCESS;
    if (to != MPI_PROC_NULL)
        error = send_freely(out, out_count, out_type, to, out_tag, comm);
    if (error == MPI_SUCCESS && from != MPI_PROC_NULL)
        error = MPI_Recv(in, in_count, in_type, from, in_tag, comm, status);
    return error;
}

#define SHARED .Recv = MPI_Recv, .Reduce_local = MPI_Reduce_local, .Wait = MPI_Wait
const struct wire wind_wire_far = {.Isend = issend, .Issend = issend, .Sendrecv = sendrecv, SHARED};
const struct wire wind_wire_free = {.Isend = issend_freely, .Issend = issend_freely, .Sendrecv = sendrecv_freely, SHARED};
