/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures folds in the cache: GB/s of MPI_Reduce_local and of the kernel that serves in its place, for each operation and
 * type of number. The two take turns, and the fastest of many runs counts: the others were disturbed. "-": no kernel gives
 * the bits of the MPI library.
 */
#include "fold.h"
#include "handles.h"
#include "seconds.h"

#include <stdalign.h>
#include <stdio.h>

enum { BYTES = 16 << 10, REPEAT = 40, CALLS = 50 };

static alignas(64) char in[BYTES], out[BYTES]; /* zeros: numbers that neither overflow nor become subnormal */

/* Returns the seconds of a fold by the kernel or, if it is NULL, by the MPI library. */
static double seconds(fold_kernel *kernel, MPI_Op op, MPI_Datatype type, int count)
{
    const double start = seconds_now();
    for (int i = 0; i < CALLS; i++)
        if (kernel)
            kernel(out, in, out, (size_t)count);
        else
            pmpi.wire.Reduce_local(in, out, count, type, op);
    return (seconds_now() - start) / CALLS;
}

static void compare(MPI_Op op, MPI_Datatype type, enum kernel_op o, enum kernel_type t)
{
    const int count = BYTES / (kernel_traits[t].size * kernel_traits[t].parts);
    fold_kernel *kernel = fold_find(&pmpi.wire, op, type);
    double theirs = 1, ours = 1;
    for (int r = 0; r < REPEAT; r++) {
        const double a = seconds(NULL, op, type, count), b = kernel ? seconds(kernel, op, type, count) : 1;
        theirs = a < theirs ? a : theirs;
        ours = b < ours ? b : ours;
    }
    printf("%-6s %-15s %8.1f", kernel_op_name(o), kernel_traits[t].name, BYTES / theirs * 1e-9);
    if (kernel)
        printf(" %8.1f %8.2f\n", BYTES / ours * 1e-9, theirs / ours);
    else
        printf(" %8s %8s\n", "-", "-");
}

int main(int argc, char **argv)
{
    PMPI_Init(&argc, &argv);
    char name[256];
    if (!pmpi_find(pmpi_symbol))
        return 1;
    pmpi_words(name, sizeof name);
    handles_open();
    const MPI_Op op[KERNEL_OPS] = {MPI_SUM, MPI_PROD, MPI_MIN,  MPI_MAX, MPI_BAND,
                                   MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR, MPI_LXOR};
    const MPI_Datatype type[KERNEL_TYPES] = {MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T,        MPI_UINT64_T,
                                             MPI_INT8_T,  MPI_INT16_T,  MPI_INT32_T,         MPI_INT64_T,
                                             MPI_FLOAT,   MPI_DOUBLE,   MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX};
    printf("%s: GB/s of folds, %d KiB in cache\n%-6s %-15s %8s %8s %8s\n", name, BYTES >> 10, "fold", "numbers", "MPI",
           "ours", "ratio");
    for (int o = 0; o < KERNEL_OPS; o++)
        for (int t = 0; t < KERNEL_TYPES; t++)
            if (kernel_at(0, (enum kernel_op)o, (enum kernel_type)t, 0))
                compare(op[o], type[t], (enum kernel_op)o, (enum kernel_type)t);
    PMPI_Finalize();
    return 0;
}
