/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact check [MOST [threads]]: makes sums of all kinds of numbers, of at most MOST numbers, by all collectives. Compares
 * them with the exact sums. With `threads', several threads may make calls. exact between: does so between two groups of
 * ranks. exact steady: makes 400 sums of one double, of which eight are unlike the others. exact order SEED: makes sums of
 * the same numbers, dealt out to the ranks by SEED, and prints "hash:", and a hash of the results.
 */
#include "exact_oracle.h"
#include "expect.h"

#include <stdlib.h>

enum { RANKS_MOST = 64, ROOM = 150001 };

/* Types of C and of Fortran; a MPI without Fortran lacks some of these. */
enum { SAME = 3 };
static const struct {
    MPI_Datatype type[SAME];
    int real, parts;
} element[] = {{{MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_REAL8}, DOUBLES, 1},
               {{MPI_FLOAT, MPI_REAL, MPI_REAL4}, FLOATS, 1},
               {{MPI_C_DOUBLE_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX16}, DOUBLES, 2},
               {{MPI_C_FLOAT_COMPLEX, MPI_COMPLEX, MPI_COMPLEX8}, FLOATS, 2}};

static char in[ROOM * sizeof(double)], out[ROOM * sizeof(double)];
static double *x[RANKS_MOST]; /* the numbers of each rank */

/* ---- check ----------------------------------------------------------------------------------------------------------- */

enum { FINITE, WILD, ALIKE, ZEROS, CANCEL, KINDS };
enum { REDUCE, ALLREDUCE, SCAN, EXSCAN, FORMS };
static const char *const form_names[] = {"reduce", "allreduce", "scan", "exscan"};

/* The numbers of all ranks, the same on all ranks. */
static void make_numbers(int kind, int real, int n)
{
    for (int i = 0; i < n; i++) {
        const double c = number(real, false);
        for (int r = 0; r < ranks; r++) {
            const bool sign = random_bits(1);
            const int size = random_below(12) + i / 1000 % 8 * 10 - 80; /* other blocks have other sizes */
            const double like = ldexp((double)random_bits(real == DOUBLES ? 53 : 24), size);
            switch (kind) {
            case FINITE:
                x[r][i] = number(real, false);
                break;
            case WILD:
                x[r][i] = random_below(20) ? number(real, false) : number(real, true);
                break;
            case ALIKE:
                x[r][i] = sign ? -like : like;
                break;
            case ZEROS:
                x[r][i] = random_below(8) ? -0.0 : random_below(2) ? 0.0 : like;
                break;
            default:
                x[r][i] = random_below(3) ? (sign ? -c : c) : number(real, false);
            }
        }
    }
}

/* Makes a call; `suffix': that of its large form, or nothing. */
#define MAKE_SUM(suffix)                                                                                                    \
    do {                                                                                                                    \
        if (form == REDUCE)                                                                                                 \
            MPI_Reduce##suffix(from, out, count, type, MPI_SUM, root, MPI_COMM_WORLD);                                      \
        else if (form == ALLREDUCE)                                                                                         \
            MPI_Allreduce##suffix(from, out, count, type, MPI_SUM, MPI_COMM_WORLD);                                         \
        else if (form == SCAN)                                                                                              \
            MPI_Scan##suffix(from, out, count, type, MPI_SUM, MPI_COMM_WORLD);                                              \
        else                                                                                                                \
            MPI_Exscan##suffix(from, out, count, type, MPI_SUM, MPI_COMM_WORLD);                                            \
    } while (0)

static void call(int form, bool in_place, bool large, int count, MPI_Datatype type, int root)
{
    const void *from = in_place && (form != REDUCE || rank == root) ? MPI_IN_PLACE : in;
#if MPI_VERSION >= 4
    if (large) {
        MAKE_SUM(_c);
        return;
    }
#endif
    (void)large;
    MAKE_SUM();
}

/* Is the result the sum of the numbers of the ranks below `last`? */
static void check_sum(const char *what, int real, int n, int last)
{
    static struct exact_oracle e;
    for (int i = 0; i < n; i++) {
        oracle_start(&e);
        for (int r = 0; r < last; r++)
            oracle_add(&e, x[r][i], 1);
        const double got = load(real, out, i), want = oracle_sum(&e, real);
        if (!same_bits(got, want)) {
            fprintf(stderr, "rank %d: %s: sum %d of %d is %a, not %a\n", rank, what, i, n, got, want);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
}

static void check_call(int form, int kind, int which, int n)
{
    const int real = element[which].real, root = random_below(ranks);
    const MPI_Datatype some = element[which].type[random_below(SAME)],
                       type = some == MPI_DATATYPE_NULL ? element[which].type[0] : some;
    const bool in_place = random_bits(1), large = random_bits(1);
    const bool results = form == REDUCE ? rank == root : form != EXSCAN || rank > 0;
    char what[100];
    snprintf(what, sizeof what, "%s, kind %d, type %d, root %d%s%s", form_names[form], kind, which, root,
             in_place ? ", in place" : "", large ? ", large" : "");
    make_numbers(kind, real, n);
    memset(out, 0x5a, sizeof out);
    for (int i = 0; i < n; i++)
        store(real, in_place && (form != REDUCE || rank == root) ? out : in, i, x[rank][i]);
    call(form, in_place, large, n / element[which].parts, type, root);
    if (results)
        check_sum(what, real, n, form == SCAN ? rank + 1 : form == EXSCAN ? rank : ranks);
    const int size = real_types[real].size;
    for (size_t i = (size_t)((results || (in_place && form == EXSCAN)) ? n * size : 0); i < sizeof out; i++)
        expect(what, out[i], 0x5a); /* nothing else is written */
    for (int i = 0; !results && in_place && form == EXSCAN && i < n; i++)
        expect(what, same_bits(load(real, out, i), x[rank][i]) || isnan(x[rank][i]), true);
}

static int check(int most)
{
    static const int counts[] = {2, 4, 24, 26, 40, 202, 1000, 4098, 9002, 60002};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0] && counts[c] <= most; c++)
        for (int form = 0; form < FORMS; form++)
            for (int which = 0; which < 4; which++) {
                check_call(form, counts[c] > 10000 ? ALIKE : random_below(KINDS), which, counts[c]);
                if (element[which].parts == 1)
                    check_call(form, counts[c] > 10000 ? ALIKE : random_below(KINDS), which, counts[c] - 1);
            }
    if (most >= ROOM)
        check_call(ALLREDUCE, ALIKE, 0, ROOM); /* takes several calls on integers */
    return end("exact");
}

static int steady(void)
{
    for (int i = 0; i < 400; i++)
        check_call(ALLREDUCE, i % 100 == 49 ? ZEROS : i % 100 == 99 ? FINITE : ALIKE, 0, 1);
    return end("exact");
}

/* ---- between --------------------------------------------------------------------------------------------------------- */

/* Is the result the sum of the numbers of the ranks on the other side, the even or the odd ones? */
static void check_other_side(const char *what, int real, int n)
{
    static struct exact_oracle e;
    for (int i = 0; i < n; i++) {
        oracle_start(&e);
        for (int r = !(rank % 2); r < ranks; r += 2)
            oracle_add(&e, x[r][i], 1);
        expect(what, same_bits(load(real, out, i), oracle_sum(&e, real)), true);
    }
}

/* Sums between the even ranks and the odd ones. */
static int between(void)
{
    static const int counts[] = {1, 100, 5000};
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !(rank % 2), 1, &inter);
    MPI_Allreduce(in, out, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* here the ranks compare their settings */
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (int real = 0; real < 2; real++)
            for (int to = 0; to < 2; to++) {
                const int n = counts[c];
                const MPI_Datatype type = element[!real].type[0];
                make_numbers(random_below(KINDS), real, n);
                for (int i = 0; i < n; i++)
                    store(real, in, i, x[rank][i]);
                MPI_Allreduce(in, out, n, type, MPI_SUM, inter);
                check_other_side("allreduce between", real, n);
                if (rank % 2 != to)
                    MPI_Reduce(in, out, n, type, MPI_SUM, 0, inter);
                else if (rank == to)
                    MPI_Reduce(in, out, n, type, MPI_SUM, MPI_ROOT, inter); /* MPICH 4.0 refuses NULL */
                else
                    MPI_Reduce(in, out, 7, MPI_CHAR, MPI_MAX, MPI_PROC_NULL, inter); /* MPI does not look at these */
                if (rank == to)
                    check_other_side("reduce between", real, n);
            }
    make_numbers(ALIKE, DOUBLES, 20000);
    for (int i = 0; i < 20000; i++)
        store(DOUBLES, in, i, x[rank][i]);
    MPI_Allreduce(in, out, 20000, MPI_DOUBLE, MPI_SUM, inter); /* takes several calls on integers */
    check_other_side("allreduce between", DOUBLES, 20000);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    return end("exact");
}

/* ---- order ----------------------------------------------------------------------------------------------------------- */

static uint64_t hash = UINT64_C(14695981039346656037);

static void add_results(int bytes)
{
    for (int i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)out[i]) * UINT64_C(0x100000001b3);
}

static int order(uint64_t seed)
{
    int turn[RANKS_MOST];
    random_state = seed;
    for (int r = 0; r < ranks; r++)
        turn[r] = r;
    for (int r = ranks - 1; r > 0; r--) {
        const int with = random_below(r + 1), kept = turn[r];
        turn[r] = turn[with];
        turn[with] = kept;
    }
    random_state = 1;
    for (int n = 1; n <= 30000; n = 7 * n + 1)
        for (int real = 0; real < 2; real++) {
            make_numbers(ALIKE, real, n);
            for (int i = 0; i < n; i++)
                store(real, in, i, x[turn[rank]][i]);
            MPI_Allreduce(in, out, n, real == DOUBLES ? MPI_DOUBLE : MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
            add_results(n * real_types[real].size);
            MPI_Reduce(in, out, n, real == DOUBLES ? MPI_DOUBLE : MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
            if (rank == 0)
                add_results(n * real_types[real].size);
        }
    if (rank == 0)
        printf("hash: %016llx\n", (unsigned long long)hash);
    return end("exact");
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, argc > 3 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE);
    expect("ranks are few", ranks <= RANKS_MOST, true);
    for (int r = 0; r < ranks; r++)
        if (!(x[r] = malloc(ROOM * sizeof *x[r])))
            MPI_Abort(MPI_COMM_WORLD, 1);
    if (argc > 2 && strcmp(argv[1], "order") == 0)
        return order(strtoull(argv[2], NULL, 10));
    if (argc > 1 && strcmp(argv[1], "steady") == 0)
        return steady();
    if (argc > 1 && strcmp(argv[1], "between") == 0)
        return between();
    return check(argc > 2 ? atoi(argv[2]) : ROOM);
}
