/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out how the native all-reduce combines operands; see pairs.h. */
#include "pairs.h"

#include "hash.h"
#include "small_stack.h"

#include <stdlib.h>

/*
 * The operands repeat after COLUMNS elements. Each element shows whether its operands were added in pairs, because most
 * other orders give other bits. COLUMNS is prime, so that parts of a message begin at different operands.
 */
enum { COLUMNS = 61 };

static const int64_t MOST_BYTES = 64 << 20; /* longer calls are not tried, because they take time and memory; by hand */

/* A number between 0.5 and 1.5 with random bits in all places. */
static double operand(int rank, int column)
{
    return 0.5 + (double)(mix64((uint64_t)rank * COLUMNS + (uint64_t)column + 1) >> 11) / (double)(UINT64_C(1) << 53);
}

static double in_pairs(int first, int ranks, int column)
{
    if (ranks == 1)
        return operand(first, column);
    return in_pairs(first, ranks / 2, column) + in_pairs(first + ranks / 2, ranks / 2, column);
}

bool pairs_natively(const struct comm *c, int64_t bytes)
{
    const int count = bytes <= MOST_BYTES ? (int)(bytes / (int64_t)sizeof(double)) : 0;
    double *sum = count ? malloc((size_t)count * sizeof *sum) : NULL, expected[COLUMNS];
    bool same = pmpi_agreed(c->user, sum != NULL, MPI_MIN);
    if (same && sum) { /* pmpi_agreed() implies `sum` */
        for (int i = 0; i < count; i++)
            sum[i] = operand(c->rank, i % COLUMNS);
        same = pmpi.Allreduce(MPI_IN_PLACE, sum, count, MPI_DOUBLE, MPI_SUM, c->user) == MPI_SUCCESS;
        for (int i = 0; i < COLUMNS; i++)
            expected[i] = in_pairs(0, c->ranks, i);
        for (int i = 0; i < count; i++)
            same = same && sum[i] == expected[i % COLUMNS];
        same = pmpi_agreed(c->user, same, MPI_MIN);
    }
    free(sum);
    return same;
}
