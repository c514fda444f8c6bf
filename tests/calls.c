/* SPDX-License-Identifier: BSD-2-Clause */
#include "calls.h"

const char *const collective_names[] = {"bcast", "reduce", "scan", "exscan"};

#define DEFINE(name, MPI)                                                                                                   \
    int name(const struct call *c)                                                                                          \
    {                                                                                                                       \
        const int count = (int)c->count;                                                                                    \
        switch (2 * c->collective + c->large) {                                                                             \
        case 2 * BCAST:                                                                                                     \
            return MPI##_Bcast(c->receive, count, c->type, c->root, c->comm);                                               \
        case 2 * BCAST + 1:                                                                                                 \
            return MPI##_Bcast_c(c->receive, c->count, c->type, c->root, c->comm);                                          \
        case 2 * REDUCE:                                                                                                    \
            return MPI##_Reduce(c->send, c->receive, count, c->type, c->op, c->root, c->comm);                              \
        case 2 * REDUCE + 1:                                                                                                \
            return MPI##_Reduce_c(c->send, c->receive, c->count, c->type, c->op, c->root, c->comm);                         \
        case 2 * SCAN:                                                                                                      \
            return MPI##_Scan(c->send, c->receive, count, c->type, c->op, c->comm);                                         \
        case 2 * SCAN + 1:                                                                                                  \
            return MPI##_Scan_c(c->send, c->receive, c->count, c->type, c->op, c->comm);                                    \
        case 2 * EXSCAN:                                                                                                    \
            return MPI##_Exscan(c->send, c->receive, count, c->type, c->op, c->comm);                                       \
        default:                                                                                                            \
            return MPI##_Exscan_c(c->send, c->receive, c->count, c->type, c->op, c->comm);                                  \
        }                                                                                                                   \
    }

DEFINE(call_mpi, MPI)
DEFINE(call_pmpi, PMPI)
