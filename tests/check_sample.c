/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples in an MPI that the test makes up: how long each batch took is written down beforehand. */
#include "sample.h"
#include "suite.h"

enum { BATCHES = 8 };
static const double *script; /* seconds of the batches */
static int batches, works;

/* Ranks meet before each batch, and after it. */
static int allreduce(const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    static bool within;
    (void)mine;
    (void)count;
    (void)type;
    (void)op;
    (void)comm;
    within = !within;
    *(double *)all = within ? 0 : script[batches++];
    return MPI_SUCCESS;
}

static void once(struct work *w)
{
    (void)w;
    works++;
}

START_TEST(samples)
{
    static const struct {
        double script[BATCHES], extra;
        int least, most;
        double seconds;
        bool noisy;
        int batches, works;
    } table[] = {
        {{9, 1, 1.2, 2}, 0, 1, 1, 1, false, 4, 5},
        {{1, 50, 1.2, 60}, 0, 1, 1, 1, false, 4, 5},       /* the first batch counts, too */
        {{1, 5, 7, 9}, 0, 1, 1, 1, true, 4, 5},            /* nothing is left for another */
        {{1, 5, 7, 9, 4, 1.2}, 100, 1, 1, 1, false, 6, 7}, /* until one confirms the fastest */
        {{5, 5, 7, 9}, 100, 1, 1, 5, false, 4, 5},
        {{5, 7, 9, 8, 2, 1, 1.2}, 100, 1, 1, 1, false, 7, 8},     /* be it another one */
        {{1, 5, 7, 9, 4, 4, 1}, 8, 1, 1, 1, true, 6, 7},          /* until nothing is left */
        {{1e-4, 1e-4, 1e-4, 1e-4}, 0, 1, 16, 1e-4, false, 4, 17}, /* as often as fits */
        {{1e-4, 1e-4, 1e-4, 1e-4}, 0, 1, 3, 1e-4, false, 4, 11},
        {{1e-4, 1e-4, 1e-4, 1e-4}, 0, 8, 16, 1e-4, false, 4, 33},
        {{0, 0, 0, 0}, 0, 1, 16, 0, false, 4, 50}, /* too short to be seen */
    };
    struct comm comm = {.ranks = 2};
    pmpi.Allreduce = allreduce;
    for (size_t i = 0; i < COUNT(table); i++) {
        struct work w = {.c = &comm, .once = once, .extra = table[i].extra};
        script = table[i].script;
        batches = works = 0;
        const struct sample s = sample_take(&w, table[i].least, table[i].most);
        ck_assert_msg(s.seconds == table[i].seconds && s.noisy == table[i].noisy, "row %zu: %g s, noisy %d", i, s.seconds,
                      s.noisy);
        ck_assert_msg(batches == table[i].batches && works == table[i].works, "row %zu: %d batches, %d times", i, batches,
                      works);
    }
}

SUITE("sample", 10, samples)
