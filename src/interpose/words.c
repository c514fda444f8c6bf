/* SPDX-License-Identifier: BSD-2-Clause */
/* Words; see words.h. */
#include "words.h"

#include "handles.h"

#include <stdio.h>

const char *call_name(enum collective c)
{
    static const char *const names[COLLECTIVES] = {
        [COLL_BCAST] = "MPI_Bcast",   [COLL_REDUCE] = "MPI_Reduce",       [COLL_SCAN] = "MPI_Scan",
        [COLL_EXSCAN] = "MPI_Exscan", [COLL_ALLREDUCE] = "MPI_Allreduce",
    };
    return names[c];
}

const char *call_words(enum collective c, int64_t bytes, int64_t count, int root, int own_op, char *text)
{
    char op[32] = "", to[32] = "";
    if (own_op)
        snprintf(op, sizeof op, " (%s)", op_own_name(own_op));
    if (collective_rooted(c))
        snprintf(to, sizeof to, " %s root %d", c == COLL_BCAST ? "from" : "to", root);
    snprintf(text, CALL_WORDS, "%s%s of %lld %s%s", call_name(c), op, (long long)(bytes < 0 ? count : bytes),
             bytes < 0 ? "elements" : "bytes", to);
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
