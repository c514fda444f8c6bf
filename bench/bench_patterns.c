/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_patterns [CALLS]: times mixes of calls, as programs make them, by blocks of CALLS calls (default: 3000). A block is
 * native (PMPI_) or the program's (MPI_), by turns. Preload Pleach. Prints the microseconds of a call: medians over several
 * blocks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 9, MOST = 64 << 10, COMMS = 8, BUFFERS = 64 }; /* blocks of each sort; bytes of a buffer, at least */

static char in[2 * MOST], out[2 * MOST];
static MPI_Comm comm[COMMS];

/* Call number i of a pattern, of about so many bytes; natively or not. */
typedef int call(int i, int bytes);

static const struct {
    MPI_Datatype type;
    int size;
} types[] = {{MPI_INT, 4}, {MPI_DOUBLE, 8}, {MPI_CHAR, 1}, {MPI_FLOAT, 4}};

#define SUM(P, in, out, count, type, op, comm) P##MPI_Allreduce(in, out, count, type, op, comm)
#define PATTERN(P, name, made)                                                                                              \
    static int P##name(int i, int bytes)                                                                                    \
    {                                                                                                                       \
        (void)i;                                                                                                            \
        return made;                                                                                                        \
    }
#define PATTERNS(P, native)                                                                                                 \
    PATTERN(P, native##same, SUM(P, in, out, bytes / 4, MPI_INT, MPI_SUM, comm[0]))                                         \
    PATTERN(P, native##operations, SUM(P, in, out, bytes / 4, MPI_INT, i % 2 ? MPI_MAX : MPI_SUM, comm[0]))                 \
    PATTERN(P, native##numbers, SUM(P, in, out, bytes / types[i % 2].size, types[i % 2].type, MPI_SUM, comm[0]))            \
    PATTERN(P, native##in_place, SUM(P, i % 2 ? MPI_IN_PLACE : in, out, bytes / 4, MPI_INT, MPI_SUM, comm[0]))              \
    PATTERN(P, native##five, SUM(P, in, out, bytes / 4 + i % 5, MPI_INT, MPI_SUM, comm[0]))                                 \
    PATTERN(P, native##twenty, SUM(P, in, out, bytes / 4 + i % 20, MPI_INT, MPI_SUM, comm[0]))                              \
    PATTERN(P, native##thousand, SUM(P, in, out, bytes / 4 + i * 7 % 1000, MPI_INT, MPI_SUM, comm[0]))                      \
    PATTERN(P, native##types, P##MPI_Bcast(out, bytes / types[i % 4].size, types[i % 4].type, 0, comm[0]))                  \
    PATTERN(P, native##comms, SUM(P, in, out, bytes / 4, MPI_INT, MPI_SUM, comm[i % COMMS]))                                \
    PATTERN(P, native##buffers,                                                                                             \
            SUM(P, in + 64 * (i % BUFFERS), out + 64 * (i % BUFFERS), bytes / 4, MPI_INT, MPI_SUM, comm[0]))
PATTERNS(P, native_)
PATTERNS(, program_)

#define ONCE(P, name)                                                                                                       \
    static int P##name(int i, int bytes)                                                                                    \
    {                                                                                                                       \
        MPI_Comm once;                                                                                                      \
        (void)i;                                                                                                            \
        P##MPI_Comm_dup(comm[0], &once);                                                                                    \
        SUM(P, in, out, bytes / 4, MPI_INT, MPI_SUM, once);                                                                 \
        return P##MPI_Comm_free(&once);                                                                                     \
    }
ONCE(P, native_once)
ONCE(, program_once)

#define ROW(text, name)                                                                                                     \
    {                                                                                                                       \
        text,                                                                                                               \
        {                                                                                                                   \
            Pnative_##name, program_##name                                                                                  \
        }                                                                                                                   \
    }
static const struct {
    const char *name;
    call *by[2]; /* native, of the program */
} rows[] = {
    ROW("the same call", same),
    ROW("2 operations", operations),
    ROW("int and double", numbers),
    ROW("MPI_IN_PLACE and not", in_place),
    ROW("5 sizes", five),
    ROW("20 sizes", twenty),
    ROW("1000 sizes", thousand),
    ROW("4 datatypes, broadcast", types),
    ROW("8 communicators", comms),
    ROW("64 buffers", buffers),
    ROW("a communicator a call", once),
};

/* Returns the microseconds of a call. */
static double time_block(call *by, int calls, int bytes)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = PMPI_Wtime();
    for (int i = 0; i < calls; i++)
        by(i, bytes);
    return 1e6 * (PMPI_Wtime() - begin) / calls;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {8, 512, 32 << 10};
    const int calls = argc > 1 ? atoi(argv[1]) : 3000;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    if (rank == 0)
        puts("pattern\tbytes\tnative_us\tpleach_us");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            double us[2][TURNS];
            time_block(rows[r].by[1], calls, sizes[s]); /* the calls by which Pleach learns of them */
            for (int turn = 0; turn < TURNS; turn++)
                for (int k = 0; k < 2; k++)
                    us[k][turn] = time_block(rows[r].by[k], calls, sizes[s]);
            for (int k = 0; k < 2; k++)
                qsort(us[k], TURNS, sizeof us[k][0], compare);
            if (rank == 0)
                printf("%s\t%d\t%.3f\t%.3f\n", rows[r].name, sizes[s], us[0][TURNS / 2], us[1][TURNS / 2]);
        }
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&comm[i]);
    MPI_Finalize();
    return 0;
}
