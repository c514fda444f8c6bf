/* SPDX-License-Identifier: BSD-2-Clause */
/* See host_copy.h. */
#include "host_copy.h"

#include "datatype.h"
#include "device.h"
#include "hot.h"
#include "process.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { CHUNK = 1 << 30 }; /* most bytes of a message, unless an element has more */

static bool on_device(const void *buffer, const struct view *v)
{
    const void *address = displaced(buffer, type_extents(v->datatype).low);
    return device_possible(address, address) && device_memory(address);
}

/* By one call of device_possible(). */
static bool any_on_device(const struct view *v, const struct extents *element)
{
    const void *in = displaced(v->in, element->low), *out = displaced(v->out, element->low);
    return device_possible(in, out) && (device_memory(in) || device_memory(out));
}

/* By messages to itself on the self communicator. Each thread has its own tag. */
static int copy(const void *from, void *to, const struct view *v)
{
    static _Atomic unsigned calls;
    const struct extents element = type_extents(v->datatype);
    const int tag = (int)(atomic_fetch_add(&calls, 1) & 0x7fff);
    const int64_t most = element.size < CHUNK ? CHUNK / element.size : 1;
    int error = process.self_comm == MPI_COMM_NULL ? MPI_ERR_COMM : MPI_SUCCESS;
    for (int64_t i = 0; i < v->count && error == MPI_SUCCESS; i += most) {
        const int count = (int)(v->count - i < most ? v->count - i : most);
        const ptrdiff_t at = (ptrdiff_t)(i * element.extent);
        error = pmpi.wire.Sendrecv(displaced(from, at), count, v->datatype, 0, tag, displaced(to, at), count, v->datatype, 0,
                                   tag, process.self_comm, MPI_STATUS_IGNORE);
    }
    return error;
}

bool host_copy_make(struct host_copy *s, const void *buffer, const struct view *v)
{
    const struct extents element = type_extents(v->datatype);
    ptrdiff_t origin;
    s->buffer = (void *)buffer;
    s->memory = aligned_alloc(SPAN_ALIGN, (size_t)extents_span(&element, v->count, &origin));
    s->data = displaced(s->memory, origin);
    return s->memory;
}

bool host_copy_open(struct host_copy *s, const void *buffer, const struct view *v)
{
    if (on_device(buffer, v))
        return host_copy_make(s, buffer, v);
    *s = (struct host_copy){.buffer = (void *)buffer, .data = (void *)buffer};
    return true;
}

int host_copy_fill(const struct host_copy *s, const struct view *v)
{
    return s->memory ? copy(s->buffer, s->data, v) : MPI_SUCCESS;
}

int host_copy_empty(const struct host_copy *s, const struct view *v)
{
    return s->memory ? copy(s->data, s->buffer, v) : MPI_SUCCESS;
}

void host_copy_close(struct host_copy *s)
{
    free(s->memory);
}

/* Not in a gapless broadcast by messages. */
static bool touches(const struct operation *o)
{
    return !collective_streams(o->facts.collective) || !o->gapless || o->service->segment.cells || o->service->composed;
}

/* Sets the view's buffers to filled host copies, or its `error`. */
static void set_host_copies(const struct operation *o, struct view *v, int rank, struct host_copy *in, struct host_copy *out)
{
    const bool in_place = v->in == v->out;
    const bool reads_out = in_place || collective_source(o->facts.collective, rank, o->facts.root);
    bool have = host_copy_open(out, v->out, v) && (in_place || host_copy_open(in, v->in, v));
    v->error = have ? host_copy_fill(in, v) : MPI_ERR_NO_MEM;
    if (v->error == MPI_SUCCESS && reads_out)
        v->error = host_copy_fill(out, v);
    if (v->error != MPI_SUCCESS)
        return;
    v->in = in_place ? out->data : in->data;
    v->out = out->data;
}

static int run_on_copies(const struct operation *o, const struct view *v, struct comm *comm)
{
    struct host_copy in = {0}, out = {0};
    struct view moved = *v;
    set_host_copies(o, &moved, comm->rank, &in, &out);
    int error = operation_run(o, &moved, &comm->channel);
    if (error == MPI_SUCCESS && collective_writes(o->facts.collective, comm->rank, o->facts.root))
        error = host_copy_empty(&out, v);
    host_copy_close(&in);
    host_copy_close(&out);
    return error;
}

HOT int host_copy_run(const struct operation *o, const struct view *v, struct comm *comm)
{
    return touches(o) && any_on_device(v, &o->element) ? run_on_copies(o, v, comm) : operation_run(o, v, &comm->channel);
}
