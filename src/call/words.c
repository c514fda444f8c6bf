/* SPDX-License-Identifier: BSD-2-Clause */
/* See words.h. */
#include "words.h"

#include "handles.h"
#include "units.h"

#include <inttypes.h>
#include <stdio.h>

const char *comm_words(uintptr_t handle, char *text, size_t size)
{
    snprintf(text, size, "comm-%08" PRIxPTR, handle);
    return text;
}

const char *call_name(enum collective c)
{
    return collective_traits[c].function;
}

const char *call_words(enum collective c, int64_t bytes, int64_t count, int root, int own_op, char *text)
{
    char op[32] = "", to[32] = "";
    if (own_op)
        snprintf(op, sizeof op, " (%s)", op_own_name(own_op));
    if (collective_rooted(c))
        snprintf(to, sizeof to, " %s root %d", collective_flow(c) == FLOW_ONE_TO_ALL ? "from" : "to", root);
    const int64_t number = bytes < 0 ? count : bytes;
    snprintf(text, CALL_WORDS, "%s%s of %lld %s%s%s", call_name(c), op, (long long)number, bytes < 0 ? "element" : "byte",
             plural(number), to);
    return text;
}

const char *rank_words(int rank, int world, char *text)
{
    if (world < 0 || world == rank)
        snprintf(text, RANK_WORDS, "rank %d", rank);
    else
        snprintf(text, RANK_WORDS, "rank %d (%d in MPI_COMM_WORLD)", rank, world);
    return text;
}
