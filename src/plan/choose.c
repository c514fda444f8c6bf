/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of engine and number of blocks; see choose.h. */
#include <pleach/choose.h>

#include <math.h>

/*
 * No block is larger than this: it bounds the scratch memory, keeps a block in cache between its arrival and its folding,
 * and keeps every count inside an int.
 */
#define LARGEST_BLOCK (256 << 10)
#define LARGEST_SETTING (1 << 30)

struct shape choose_shape(const struct facts *f, int64_t blocks)
{
    return (struct shape){
        .collective = f->collective, .ordered = f->op == OP_ORDERED, .ranks = f->ranks, .root = f->root, .blocks = blocks};
}

/* ceil(a / b) for a >= 0, b > 0. */
static int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0);
}

/* The number of blocks: at least `want`, few enough for every block to have a unit, and even where two trees share them. */
static int64_t fit_blocks(const struct engine *e, const struct facts *f, int64_t want)
{
    if (e->trees == 2 && want % 2)
        want++;
    return want > f->units ? f->units : want;
}

/* Blocks of at most `block` bytes, at least one unit each. */
static int64_t blocks_of(const struct facts *f, int64_t block)
{
    int64_t unit = f->bytes / f->units;
    int64_t units = unit && block > unit ? block / unit : 1;
    return ceil_div(f->units, units);
}

/* What the time of a pipelined call depends on. */
struct time {
    struct pace pace;
    double alpha; /* seconds per step */
    double move;  /* seconds for all bytes */
};

static double seconds_of(const struct time *t, int64_t blocks)
{
    double n = (double)blocks;
    return (t->pace.slope * n + t->pace.latency) * (t->alpha + t->move / n);
}

double choose_cost(const struct engine *e, const struct facts *f, const struct figures *g, int64_t block, int64_t *blocks)
{
    struct shape shape = choose_shape(f, 1);
    const struct service *s = &e->serves[f->collective];
    double m = (double)f->bytes;
    *blocks = 0;
    if (s->seconds)
        return s->seconds(&shape, m, g);

    struct pace pace = s->pace(&shape);
    struct time time = {.pace = pace,
                        .alpha = g->alpha > 1e-9 ? g->alpha : 1e-9, /* a free step would ask for endless blocks */
                        .move = (g->beta + (f->collective == COLL_BCAST ? 0 : g->gamma)) * m};
    int64_t least = blocks_of(f, LARGEST_BLOCK);
    if (block) {
        *blocks = fit_blocks(e, f, blocks_of(f, block < LARGEST_SETTING ? block : LARGEST_SETTING));
        return seconds_of(&time, *blocks);
    }
    /* T(n) = (slope n + latency) (alpha + move/n) falls until n = sqrt(latency move / (slope alpha)), then rises. */
    double best = pace.latency > 0 ? sqrt(pace.latency * time.move / (pace.slope * time.alpha)) : 1;
    int64_t below = best < (double)f->units ? (int64_t)best : f->units;
    below = below - below % e->trees > least ? below - below % e->trees : least;
    int64_t low = fit_blocks(e, f, below), high = fit_blocks(e, f, below + e->trees);
    *blocks = seconds_of(&time, high) < seconds_of(&time, low) ? high : low;
    return seconds_of(&time, *blocks);
}

enum reason choose_quick(const struct settings *s, const struct facts *f)
{
    if (f->barred)
        return f->barred;
    if (s->disable)
        return REASON_DISABLED;
    if (f->ranks == 1)
        return REASON_ONE_RANK;
    if (f->bytes == 0 || f->units == 0)
        return REASON_ZERO_BYTES;
    if (f->bytes < s->threshold[f->collective] || s->threshold[f->collective] == SIZE_INF)
        return REASON_BELOW_THRESHOLD;
    if (s->engine[f->collective].rows == 1)
        return s->engine[f->collective].named ? REASON_FORCED : REASON_NOT_APPLICABLE; /* native alone */
    return REASON_NONE;
}

/* A number that depends on the seed and the facts alone (splitmix64 over them). */
static uint64_t draw(uint64_t seed, const struct facts *f)
{
    const uint64_t words[] = {(uint64_t)f->collective, (uint64_t)f->ranks, (uint64_t)f->root,
                              (uint64_t)f->bytes,      (uint64_t)f->units, (uint64_t)f->op};
    uint64_t x = seed;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
        x += words[i] + 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        x ^= x >> 31;
    }
    return x;
}

struct plan choose(const struct settings *s, const struct facts *f)
{
    struct plan plan = {.engine = engines[0], .reason = choose_quick(s, f)};
    const struct engine_setting *may = &s->engine[f->collective];
    struct shape shape = choose_shape(f, 1);
    bool native_may = may->rows & 1;

    if (plan.reason)
        return plan;
    if (f->oversubscribed && !may->named && !may->random) {
        plan.reason = REASON_OVERSUBSCRIBED;
        return plan;
    }
    int fit = 0;
    for (int i = 1; engines[i]; i++)
        fit += (may->rows >> i & 1) && engine_fits(engines[i], &shape);
    if (fit == 0) {
        plan.reason = REASON_NOT_APPLICABLE;
        return plan;
    }
    if (may->random) {
        /* Native is one of the candidates: random runs are there to exercise every path. */
        int64_t chosen = (int64_t)(draw(may->seed, f) % (uint64_t)(fit + native_may)) - native_may;
        plan.reason = REASON_RANDOM;
        for (int i = 1; engines[i] && chosen >= 0; i++)
            if ((may->rows >> i & 1) && engine_fits(engines[i], &shape) && chosen-- == 0) {
                plan.engine = engines[i];
                plan.seconds = choose_cost(engines[i], f, &s->figures, s->block[f->collective], &plan.blocks);
            }
        return plan;
    }
    plan.reason = may->named ? REASON_FORCED : REASON_MODEL;
    plan.seconds = INFINITY;
    for (int i = native_may ? 0 : 1; engines[i]; i++) {
        if (!(may->rows >> i & 1) || (i > 0 && !engine_fits(engines[i], &shape)))
            continue;
        int64_t blocks;
        double seconds = choose_cost(engines[i], f, &s->figures, s->block[f->collective], &blocks);
        if (seconds < plan.seconds) {
            plan.engine = engines[i];
            plan.blocks = blocks;
            plan.seconds = seconds;
        }
    }
    return plan;
}
