/* SPDX-License-Identifier: BSD-2-Clause */
#include "calls.h"
#include "served.h"

#define WORD(name, word, collective, ...) [collective] = #word,
#define WORD(name, word, collective, ...) [collective] = #word,
const char *const collective_names[] = {SERVED(WORD)};

/* The calls of collectives in their two forms, MPI_X and MPI_X_c. */
#define BCAST(MPI, form, count) MPI##_Bcast##form(c->receive, count, c->type, c->root, c->comm)
#define REDUCE(MPI, form, count) MPI##_Reduce##form(c->send, c->receive, count, c->type, c->op, c->root, c->comm)
#define SCAN(MPI, form, count) MPI##_Scan##form(c->send, c->receive, count, c->type, c->op, c->comm)
#define EXSCAN(MPI, form, count) MPI##_Exscan##form(c->send, c->receive, count, c->type, c->op, c->comm)
#define ALLREDUCE(MPI, form, count) MPI##_Allreduce##form(c->send, c->receive, count, c->type, c->op, c->comm)

#define CASE(MPI, name)                                                                                                     \
    case COLL_##name:                                                                                                       \
        return c->large ? name(MPI, _c, c->count) : name(MPI, , (int)c->count);

#define DEFINE(name, MPI)                                                                                                   \
    int name(const struct call *c)                                                                                          \
    {                                                                                                                       \
        switch (c->collective) {                                                                                            \
            CASE(MPI, BCAST)                                                                                                \
            CASE(MPI, REDUCE)                                                                                               \
            CASE(MPI, SCAN)                                                                                                 \
            CASE(MPI, EXSCAN)                                                                                               \
            CASE(MPI, ALLREDUCE)                                                                                            \
        default:                                                                                                            \
            return MPI_ERR_OTHER;                                                                                           \
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
