/* SPDX-License-Identifier: BSD-2-Clause */
/* For unit tests of schedules: messages, simulation, random numbers, places. */
#pragma once

#include "place_text.h"
#include "simulate.h"
#include "suite.h"

/* The usual fields of a shape. */
#define SHAPED(c, o, p, r, n) .collective = (c), .ordered = (o), .ranks = (p), .root = (r), .blocks = (n)

/* The part of a message that describes an engine and a shape. */
#define SHAPE "%s %s p=%d k=%d root=%d roots=%d readers=%d:%d n=%d w=%d ordered=%d group=%d: "
#define SHAPE_OF(e, s)                                                                                                      \
    (e)->name, collective_name((s)->collective), (s)->ranks, (s)->node_ranks, (s)->root, (s)->roots, (s)->readers,          \
        (s)->reader, (int)(s)->blocks, (int)(s)->wide, (s)->ordered, (s)->group

/* Simulates a shape. The engine must accept it, and serve it correctly within the round bound. Returns the verdict. */
static inline struct verdict simulated(const struct engine *e, const struct shape *s)
{
    struct verdict v;
    REQUIRE(engine_fits(e, s), SHAPE "does not fit", SHAPE_OF(e, s));
    REQUIRE(simulate_engine(e, s, &v) && v.ok && v.why[0] == 0, SHAPE "%s", SHAPE_OF(e, s), v.why);
    return v;
}

/* The next random number from 0 to limit-1; the numbers are the same in each run. */
static inline int below(int limit)
{
    static uint64_t state = 20260807;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)limit);
}

static inline struct places *read_places(const char *text)
{
    const char *why;
    struct places *t = places_read(text, 1 << 15, &why);
    REQUIRE(t, "%s: %s", text, why);
    return t;
}

/* A hash of all steps of a rank. */
static inline uint64_t hash_of_steps(const struct engine *e, const struct shape *shape, int rank)
{
    struct walk s;
    struct step x;
    uint64_t sum = 0;
    for (engine_walk(e, &s, shape, rank); walk_next(&s, &x);) {
        const int64_t numbers[] = {(int64_t)x.kind, x.when, x.to, x.from, x.a.slot, x.b.slot, x.a.block, x.b.block};
        for (size_t i = 0; i < COUNT(numbers); i++)
            sum = sum * 6364136223846793005u + (uint64_t)numbers[i];
    }
    return sum;
}

static inline void start_engine(void *self, struct walk *w, const struct shape *shape, int rank)
{
    engine_walk(self, w, shape, rank);
}

static inline bool next_step(void *self, struct walk *w, struct step *step, int rank)
{
    (void)self, (void)rank;
    return walk_next(w, step);
}

static inline struct generator generator_of(const struct engine *e)
{
    return (struct generator){.start = start_engine, .next = next_step, .self = (void *)e, .scratch = e->scratch};
}

/* What a rank does in a schedule. */
struct counts {
    int64_t folds, copies, sends, receives, of_out; /* of_out: steps that write OUT */
};

static inline struct counts count_steps(const struct engine *e, const struct shape *shape, int rank)
{
    struct walk s;
    struct step x;
    struct counts c = {0};
    for (engine_walk(e, &s, shape, rank); walk_next(&s, &x);) {
        const bool exchange = x.kind == STEP_EXCHANGE;
        c.folds += x.kind == STEP_FOLD;
        c.copies += x.kind == STEP_COPY;
        c.sends += exchange && x.to != NOBODY;
        c.receives += exchange && x.from != NOBODY;
        c.of_out += x.b.slot == SLOT_OUT && (!exchange || x.from != NOBODY);
    }
    return c;
}

/* A line of places, each of three ranks, over at most 4096 ranks. It lives as long as the test. */
static inline const struct places *places_of_three(int p)
{
    enum { MOST = 4096 };
    static struct places *made[MOST + 1];
    static int path[MOST];
    for (int r = 0; r < p && !made[p]; r++)
        path[r] = r / 3;
    if (!made[p])
        made[p] = places_of(path, p, 1, true);
    ck_assert_ptr_nonnull(made[p]);
    return made[p];
}
