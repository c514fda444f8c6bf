/* SPDX-License-Identifier: BSD-2-Clause */
/* See others.h. */
#include "interpose.h"

#include "library.h"
#include "othercalls.h"
#include "report.h"
#include "sizes.h"

struct amount {
    int sent;
    int count, type;
};

static const struct row {
    const char *name;
    int arguments;
    struct amount amount, in_place;
} rows[OTHERS_END] = {
#define ROW(name, arguments, sent, count, type, in_sent, in_count, in_type)                                                 \
    [OTHER_##name] = {"MPI_" #name, arguments, {sent, count, type}, {in_sent, in_count, in_type}},
    OTHERS(ROW)
#undef ROW
};

static double type_bytes(MPI_Datatype type)
{
    int64_t known;
    MPI_Count asked = 0;
    if (size_known(type, &known))
        return (double)known;
    pmpi.Type_size_x(type, &asked);
    return (double)asked;
}

static double count_at(const void *counts, bool large, int i)
{
    return large ? (double)((const MPI_Count *)counts)[i] : ((const int *)counts)[i];
}

/* Of counts[i] elements of types[i], or of `type` if `types` is NULL, for all ranks. */
static double list_bytes(const void *counts, bool large, int ranks, MPI_Datatype type, const MPI_Datatype *types)
{
    double bytes = 0;
    for (int i = 0; i < ranks; i++)
        if (count_at(counts, large, i) > 0)
            bytes += count_at(counts, large, i) * type_bytes(types ? types[i] : type);
    return bytes;
}

/* By this rank, in an accepted call; 0 on an intercommunicator. */
static double bytes_sent(const struct row *row, bool large, const argument *arg)
{
    const bool nonblocking = row->name[4] == 'I';
    const int last = row->arguments - 1 - nonblocking;
    const struct amount *a = (const void *)arg[0] == MPI_IN_PLACE ? &row->in_place : &row->amount;
    const MPI_Comm comm = (MPI_Comm)arg[last];
    const MPI_Datatype type = (MPI_Datatype)arg[a->type];
    int between, ranks = 0, rank = 0;
    pmpi.Comm_test_inter(comm, &between);
    pmpi.Comm_size(comm, &ranks);
    pmpi.Comm_rank(comm, &rank);
    if (between || (a->sent & SENT_AT_ROOT && (int)arg[last - 1] != rank))
        return 0;
    const double count = large ? (double)arg[a->count] : (int)arg[a->count];
    const void *counts = (const void *)arg[a->count];
    switch (a->sent & ~SENT_AT_ROOT) {
    case SENT_ONE:
        return count * type_bytes(type);
    case SENT_EACH:
        return count * ranks * type_bytes(type);
    case SENT_LIST:
        return list_bytes(counts, large, ranks, type, NULL);
    case SENT_OWN:
        return count_at(counts, large, rank) * type_bytes(type);
    case SENT_TYPES:
        return list_bytes(counts, large, ranks, type, (const MPI_Datatype *)arg[a->type]);
    default:
        return 0;
    }
}

void count_other(enum other which, bool large, const argument *arg, double seconds)
{
    const struct row *row = &rows[which];
    const bool nonblocking = row->name[4] == 'I';
    if (library_ready((MPI_Comm)arg[row->arguments - 1 - nonblocking]) && report_on())
        othercalls_add(row->name, bytes_sent(row, large, arg), seconds);
}
