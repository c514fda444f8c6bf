/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * large: makes broadcasts, a scan and an all-reduce of 2^31 + 12345 bytes and more, which no int counts. The calls have the
 * _c form, or count large elements. Each of 2 ranks needs 2.2 GB, or 6.5 GB if the scan is native.
 */
#include "expect.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENT = 1 << 16, RAMP = 251, ROW = 65521 };
#define BYTES ((size_t)1 << 31 | 12345)

/* Byte i: a ramp that goes on from byte to byte, and is displaced in each row. */
static unsigned char expected(size_t i, int key)
{
    return (unsigned char)((i + 7 * (i / ROW) + 31 * (size_t)key) % RAMP);
}

/* Copies rows, as a loop over bytes would take most of the time. */
static void fill(unsigned char *data, int key)
{
    static unsigned char ramp[RAMP + ROW];
    for (int i = 0; i < RAMP + ROW; i++)
        ramp[i] = (unsigned char)(i % RAMP);
    for (size_t start = 0; start < BYTES; start += ROW)
        memcpy(data + start, ramp + expected(start, key), BYTES - start < ROW ? BYTES - start : ROW);
}

/* Checks both ends, the bytes around 2^31, and a sample whose stride is prime. */
static void check(const unsigned char *data, size_t bytes, int factor, int key, const char *what)
{
    const size_t near = 70000, stride = 4093;
    for (size_t i = 0; i < bytes; i += i < near || i + near > bytes || (i > INT32_MAX - near) ? 1 : stride) {
        if (data[i] != (unsigned char)(factor * expected(i, key))) {
            fprintf(stderr, "large: %s: byte %zu is wrong\n", what, i);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, MPI_THREAD_SINGLE);
    unsigned char *data = malloc(BYTES);
    if (!data || ranks > 255) {
        fprintf(stderr, "large: no memory, or too many ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }

    /* All ranks write, as a broadcast into memory without pages would take several times as long. */
    fill(data, rank == ranks - 1);
    MPI_Bcast_c(data, BYTES, MPI_CHAR, ranks - 1, MPI_COMM_WORLD);
    check(data, BYTES, 1, 1, "MPI_Bcast_c");

    MPI_Datatype element;
    MPI_Type_contiguous(ELEMENT, MPI_CHAR, &element);
    MPI_Type_commit(&element);
    if (rank == 0)
        fill(data, 2);
    MPI_Bcast(data, BYTES / ELEMENT, element, 0, MPI_COMM_WORLD);
    check(data, BYTES / ELEMENT * ELEMENT, 1, 2, "MPI_Bcast");
    MPI_Type_free(&element);

    fill(data, 3);
    MPI_Scan_c(MPI_IN_PLACE, data, BYTES, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    check(data, BYTES, rank + 1, 3, "MPI_Scan_c");

    fill(data, 4);
    MPI_Allreduce_c(MPI_IN_PLACE, data, BYTES, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    check(data, BYTES, ranks, 4, "MPI_Allreduce_c");
    free(data);

    return end("large");
}
