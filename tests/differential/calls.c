/* SPDX-License-Identifier: BSD-2-Clause */
#include "calls.h"

const char *const collective_names[] = {"bcast", "reduce", "scan", "exscan", "allreduce"};

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
        case 2 * EXSCAN + 1:                                                                                                \
            return MPI##_Exscan_c(c->send, c->receive, c->count, c->type, c->op, c->comm);                                  \
        case 2 * ALLREDUCE:                                                                                                 \
            return MPI##_Allreduce(c->send, c->receive, count, c->type, c->op, c->comm);                                    \
        default:                                                                                                            \
            return MPI##_Allreduce_c(c->send, c->receive, c->count, c->type, c->op, c->comm);                               \
        }                                                                                                                   \
    }

DEFINE(call_directly, MPI)
DEFINE(call_pmpi, PMPI)

/* Call sites: these functions are not inlined, have no tail calls, and differ, as the compiler merges equal ones. */
#define SITE(n)                                                                                                             \
    __attribute__((noinline)) static int site_##n(const struct call *c)                                                     \
    {                                                                                                                       \
        int code = call_directly(c);                                                                                        \
        __asm__ volatile("" : "+r"(code) : "i"(n));                                                                         \
        return code;                                                                                                        \
    }
#define EACH(X)                                                                                                             \
    X(0)                                                                                                                    \
    X(1)                                                                                                                    \
    X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21) X(22)   \
        X(23)
EACH(SITE)

_Thread_local int last_site;

int call_mpi(const struct call *c)
{
#define NAME(n) site_##n,
    static int (*const from[SITES])(const struct call *) = {EACH(NAME)};
    return from[last_site = c->site](c);
}
