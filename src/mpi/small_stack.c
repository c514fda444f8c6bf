/* SPDX-License-Identifier: BSD-2-Clause */
/* See small_stack.h. */
#include "small_stack.h"

#include "large_stack.h"

/* ---- Words ----------------------------------------------------------------------------------------------------------- */

static MPI_Op largest, united;

static void keep_largest(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const uint64_t *a = in;
    uint64_t *b = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = a[i] > b[i] ? a[i] : b[i];
}

static void unite(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const uint64_t *a = in;
    uint64_t *b = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] |= a[i];
}

static bool make_op(MPI_User_function *f, MPI_Op *op, MPI_Op instead)
{
    const bool made = pmpi.Op_create(f, 1, op) == MPI_SUCCESS;
    if (!made)
        *op = instead;
    return made;
}

bool words_open(void)
{
    const bool first = make_op(keep_largest, &largest, MPI_MAX);
    return make_op(unite, &united, MPI_BOR) && first;
}

void words_largest(MPI_Comm comm, uint64_t *word, int count)
{
    pmpi.Allreduce(MPI_IN_PLACE, word, count, MPI_UINT64_T, largest, comm);
}

void words_united(MPI_Comm comm, uint64_t *word, int count)
{
    pmpi.Allreduce(MPI_IN_PLACE, word, count, MPI_UINT64_T, united, comm);
}

void words_begin_largest(MPI_Comm comm, uint64_t *word, int count, MPI_Request *request)
{
    pmpi.Iallreduce(MPI_IN_PLACE, word, count, MPI_UINT64_T, largest, comm, request);
}

int pmpi_agreed(MPI_Comm comm, int mine, MPI_Op op)
{
    const uint32_t above = UINT32_C(1) << 31, turn = op == MPI_MIN ? UINT32_MAX : 0; /* turns the order round */
    uint64_t word = ((uint32_t)mine ^ above ^ turn);
    words_largest(comm, &word, 1);
    return (int)((uint32_t)word ^ above ^ turn);
}

/* ---- Communicators --------------------------------------------------------------------------------------------------- */

struct split {
    MPI_Comm comm, *part;
    int colour, key, error;
};

enum { BY_NODE = MPI_UNDEFINED - 1 }; /* as `colour`, else >= 0 */

static void split(void *argument)
{
    struct split *s = argument;
    const MPI_Errhandler before = pmpi_hush(s->comm);
    s->error = s->colour == BY_NODE ? pmpi.Comm_split_type(s->comm, MPI_COMM_TYPE_SHARED, s->key, MPI_INFO_NULL, s->part)
                                    : pmpi.Comm_split(s->comm, s->colour, s->key, s->part);
    pmpi_unhush(s->comm, before);
    if (s->error == MPI_SUCCESS)
        pmpi.Comm_set_errhandler(*s->part, MPI_ERRORS_RETURN);
}

int split_ranks(MPI_Comm comm, int colour, int key, MPI_Comm *part)
{
    struct split s = {.comm = comm, .part = part, .colour = colour, .key = key};
    large_stack_call(split, &s);
    return s.error;
}

int split_nodes(MPI_Comm comm, int key, MPI_Comm *node)
{
    return split_ranks(comm, BY_NODE, key, node);
}
