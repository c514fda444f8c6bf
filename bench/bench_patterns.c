/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bench_patterns [CALLS]: times mixes of calls, as programs make them, by blocks of CALLS calls (default: 3000; at
 * least 30). Blocks of 32 KiB have a third of them. A block is native (PMPI_) or the program's (MPI_), by turns. Preload
 * Pleach. Prints the microseconds of a call: medians over several blocks.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* TURNS: blocks of each sort; MOST: bytes of a buffer, at least; LARGE: from so many bytes, a block has fewer calls. */
enum { TURNS = 9, MOST = 64 << 10, LARGE = 32 << 10, COMMS = 8, BUFFERS = 64, BURST = 50 };

static char in[2 * MOST], out[2 * MOST], halo[MOST];
static MPI_Comm comm[COMMS];

/* Call number i of a pattern, of about so many bytes; natively or not. */
typedef void call(int i, int bytes);

static const struct {
    MPI_Datatype type;
    int size;
} types[] = {{MPI_INT, 4}, {MPI_DOUBLE, 8}, {MPI_CHAR, 1}, {MPI_FLOAT, 4}};

static int rank, ranks;

/* One rank, another one at each number, works for some microseconds. */
static void late(int number, double us)
{
    if (number % ranks == rank)
        for (const double end = PMPI_Wtime() + 1e-6 * us; PMPI_Wtime() < end;)
            ;
}

/* A number of integers, from so many bytes to 64 KiB, another one for each i: each octave is as likely as another. */
static int drawn(int i, int bytes)
{
    const unsigned hash = (unsigned)i * 2654435761u,
                   octave = (unsigned)bytes / 4 << (hash >> 8) % __builtin_ctz(MOST / bytes);
    return (int)(octave + (hash >> 16) * (uint64_t)octave / 65536);
}

static void add(void *x, void *y, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)y)[i] += ((int *)x)[i];
}

#define SUM(P, in, out, count, type, op, comm) P##MPI_Allreduce(in, out, count, type, op, comm)
#define SUMS(P, number, comm) SUM(P, in, out, number, MPI_INT, MPI_SUM, comm)
#define PATTERN(P, name, ...)                                                                                               \
    static void P##name(int i, int bytes)                                                                                   \
    {                                                                                                                       \
        (void)i;                                                                                                            \
        __VA_ARGS__;                                                                                                        \
    }
#define PATTERNS(P, native)                                                                                                 \
    PATTERN(P, native##same, SUMS(P, bytes / 4, comm[0]))                                                                   \
    PATTERN(P, native##operations, SUM(P, in, out, bytes / 4, MPI_INT, i % 2 ? MPI_MAX : MPI_SUM, comm[0]))                 \
    PATTERN(P, native##numbers, SUM(P, in, out, bytes / types[i % 2].size, types[i % 2].type, MPI_SUM, comm[0]))            \
    PATTERN(P, native##in_place, SUM(P, i % 2 ? MPI_IN_PLACE : in, out, bytes / 4, MPI_INT, MPI_SUM, comm[0]))              \
    PATTERN(P, native##five, SUMS(P, bytes / 4 + i % 5, comm[0]))                                                           \
    PATTERN(P, native##twenty, SUMS(P, bytes / 4 + i % 20, comm[0]))                                                        \
    PATTERN(P, native##thousand, SUMS(P, bytes / 4 + i * 7 % 1000, comm[0]))                                                \
    PATTERN(P, native##random, SUMS(P, drawn(i, bytes), comm[0]))                                                           \
    PATTERN(P, native##types, P##MPI_Bcast(out, bytes / types[i % 4].size, types[i % 4].type, 0, comm[0]))                  \
    PATTERN(P, native##comms, SUMS(P, bytes / 4, comm[i % COMMS]))                                                          \
    PATTERN(P, native##buffers,                                                                                             \
            SUM(P, in + 64 * (i % BUFFERS), out + 64 * (i % BUFFERS), bytes / 4, MPI_INT, MPI_SUM, comm[0]))                \
    PATTERN(P, native##comm_once, MPI_Comm once; P##MPI_Comm_dup(comm[0], &once); SUMS(P, bytes / 4, once);                 \
            P##MPI_Comm_free(&once))                                                                                        \
    PATTERN(P, native##type_once, MPI_Datatype once; P##MPI_Type_contiguous(bytes / 4, MPI_INT, &once);                     \
            P##MPI_Type_commit(&once); P##MPI_Bcast(out, 1, once, 0, comm[0]); P##MPI_Type_free(&once))                     \
    PATTERN(P, native##op_once, MPI_Op once; P##MPI_Op_create(add, 1, &once);                                               \
            SUM(P, in, out, bytes / 4, MPI_INT, once, comm[0]); P##MPI_Op_free(&once))                                      \
    PATTERN(P, native##late, late(i, 30); SUMS(P, bytes / 4, comm[0]))                                                      \
    PATTERN(P, native##late_bcast, late(i, 30); P##MPI_Bcast(out, bytes / 4, MPI_INT, 0, comm[0]))                          \
    PATTERN(P, native##bursts, late(i / BURST, i % BURST ? 0 : 2000); P##MPI_Bcast(out, bytes / 4, MPI_INT, 0, comm[0]))    \
    PATTERN(P, native##halo, MPI_Request both[2]; MPI_Status ended[2];                                                      \
            P##MPI_Irecv(halo, bytes, MPI_BYTE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, &both[0]);                   \
            P##MPI_Isend(in, bytes, MPI_BYTE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &both[1]);                             \
            SUMS(P, bytes / 4, comm[0]); P##MPI_Waitall(2, both, ended))                                                    \
    PATTERN(P, native##nonblocking, MPI_Request one;                                                                        \
            P##MPI_Iallreduce(in, halo, bytes / 4, MPI_INT, MPI_SUM, comm[0], &one); SUMS(P, bytes / 4, comm[0]);           \
            P##MPI_Wait(&one, MPI_STATUS_IGNORE))
PATTERNS(P, native_)
PATTERNS(, program_)

#define ROW(text, share, name)                                                                                              \
    {                                                                                                                       \
        text, share,                                                                                                        \
        {                                                                                                                   \
            Pnative_##name, program_##name                                                                                  \
        }                                                                                                                   \
    }
static const struct {
    const char *name;
    int share;   /* 1: a block has all CALLS calls, 10: a tenth of them */
    call *by[2]; /* native, of the program */
} rows[] = {
    ROW("the same call", 1, same),
    ROW("2 operations", 1, operations),
    ROW("int and double", 1, numbers),
    ROW("MPI_IN_PLACE and not", 1, in_place),
    ROW("5 sizes", 1, five),
    ROW("20 sizes", 1, twenty),
    ROW("1000 sizes", 1, thousand),
    ROW("random sizes", 1, random),
    ROW("4 datatypes, broadcast", 1, types),
    ROW("8 communicators", 1, comms),
    ROW("64 buffers", 1, buffers),
    ROW("a communicator a call", 1, comm_once),
    ROW("a datatype a broadcast", 1, type_once),
    ROW("an operation a call", 1, op_once),
    ROW("late ranks", 10, late),
    ROW("late ranks, broadcast", 10, late_bcast),
    ROW("bursts, broadcast", 10, bursts),
    ROW("beside a halo exchange", 1, halo),
    ROW("beside Iallreduce", 1, nonblocking),
};

/* Makes the calls from number `first` on. Returns the microseconds of a call, until all ranks have made them. */
static double time_block(call *by, int first, int calls, int bytes)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    const double begin = PMPI_Wtime();
    for (int i = first; i < first + calls; i++)
        by(i, bytes);
    PMPI_Barrier(MPI_COMM_WORLD);
    return 1e6 * (PMPI_Wtime() - begin) / calls;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {8, 512, LARGE};
    const int most = argc > 1 ? atoi(argv[1]) : 3000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
    if (rank == 0)
        puts("pattern\tbytes\tnative_us\tpleach_us");
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const int calls = most / rows[r].share / (sizes[s] < LARGE ? 1 : 3);
            double us[2][TURNS];
            time_block(rows[r].by[1], 0, calls, sizes[s]); /* the calls by which Pleach learns of them */
            for (int turn = 0; turn < TURNS; turn++)
                for (int k = 0; k < 2; k++)
                    us[k][turn] = time_block(rows[r].by[k], (1 + turn) * calls, calls, sizes[s]);
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
