/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of engine and number of blocks; see choose.h. */
#include <pleach/choose.h>

#include <pleach/mix.h>

#include <math.h>

/*
 * No block is larger than this: it bounds the scratch memory, keeps a block in cache between its arrival and its folding,
 * and keeps every count inside an int.
 */
#define LARGEST_BLOCK (256 << 10)
#define LARGEST_SETTING (1 << 30)

struct shape choose_shape(const struct facts *f, int64_t blocks, int group)
{
    return (struct shape){.collective = f->collective,
                          .ordered = f->op == OP_ORDERED,
                          .ranks = f->ranks,
                          .root = f->root,
                          .blocks = blocks,
                          .group = group,
                          .node_ranks = f->consecutive ? f->node_ranks : 0};
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

/* The best number of blocks where none has more than LARGEST_BLOCK bytes. */
static int64_t best_blocks(const struct engine *e, const struct facts *f, const struct time *t)
{
    /* T(n) = (slope n + latency) (alpha + move/n) falls until n = sqrt(latency move / (slope alpha)), then rises. */
    double best = t->pace.latency > 0 ? sqrt(t->pace.latency * t->move / (t->pace.slope * t->alpha)) : 1;
    int64_t least = blocks_of(f, LARGEST_BLOCK), below = best < (double)f->units ? (int64_t)best : f->units;
    below = below - below % e->trees > least ? below - below % e->trees : least;
    int64_t low = fit_blocks(e, f, below), high = fit_blocks(e, f, below + e->trees);
    return seconds_of(t, high) < seconds_of(t, low) ? high : low;
}

/*
 * The same where the pace depends on the number of blocks, too: each follows the other, which only takes time away, until
 * both stay. Leaves the pace in *t.
 */
static int64_t settle(const struct engine *e, const struct facts *f, struct shape shape, struct time *t)
{
    enum { TURNS = 8 };
    for (int i = 0; i < TURNS; i++) {
        int64_t before = shape.blocks;
        t->pace = e->serves[f->collective].pace(&shape);
        shape.blocks = best_blocks(e, f, t);
        if (shape.blocks == before)
            return before;
    }
    t->pace = e->serves[f->collective].pace(&shape);
    return shape.blocks;
}

double choose_cost(const struct engine *e, const struct settings *s, const struct facts *f, int64_t *blocks)
{
    const struct service *service = &e->serves[f->collective];
    const struct figures *g = &s->figures;
    struct shape shape = choose_shape(f, 1, s->fractional_r);
    double m = (double)f->bytes;
    int64_t block = s->block[f->collective];
    *blocks = 0;
    if (service->seconds)
        return service->seconds(&shape, m, g);

    struct time time = {.alpha = g->alpha > 1e-9 ? g->alpha : 1e-9, /* a free step would ask for endless blocks */
                        .move = (g->beta + (f->collective == COLL_BCAST ? 0 : g->gamma)) * m};
    if (block) {
        shape.blocks = *blocks = fit_blocks(e, f, blocks_of(f, block < LARGEST_SETTING ? block : LARGEST_SETTING));
        time.pace = service->pace(&shape);
        return seconds_of(&time, *blocks);
    }
    /* From few blocks and from many: where the pace depends on their number, neither way alone comes close to the best. */
    *blocks = settle(e, f, shape, &time);
    double few = seconds_of(&time, *blocks);
    shape.blocks = f->units;
    int64_t other = settle(e, f, shape, &time);
    double many = seconds_of(&time, other);
    if (many < few)
        *blocks = other;
    return many < few ? many : few;
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
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        x = mix64(x + words[i] + 0x9e3779b97f4a7c15u);
    return x;
}

/*
 * May an engine be taken? Where the model chooses, not for rounding sums if their bits would depend on the number of blocks,
 * and not over nodes with several ranks if it is made for one a node. Whoever names an engine gets it.
 */
static bool eligible(const struct engine *e, const struct engine_setting *may, const struct facts *f,
                     const struct shape *shape)
{
    bool modelled = !may->named && !may->random;
    if (!(may->rows >> engine_row(e) & 1) || !engine_fits(e, shape))
        return false;
    return !modelled || (!(e->order_varies && f->op == OP_ROUNDS) && !(e->flat && f->node_ranks > 1));
}

struct plan choose(const struct settings *s, const struct facts *f)
{
    struct plan plan = {.engine = engines[0], .group = s->fractional_r, .reason = choose_quick(s, f)};
    const struct engine_setting *may = &s->engine[f->collective];
    struct shape shape = choose_shape(f, 1, s->fractional_r);
    bool native_may = may->rows & 1;

    if (plan.reason)
        return plan;
    if (f->oversubscribed && !may->named && !may->random) {
        plan.reason = REASON_OVERSUBSCRIBED;
        return plan;
    }
    int fit = 0;
    for (int i = 1; engines[i]; i++)
        fit += eligible(engines[i], may, f, &shape);
    if (fit == 0) {
        plan.reason = REASON_NOT_APPLICABLE;
        return plan;
    }
    if (may->random) {
        /* Native is one of the candidates: random runs are there to exercise every path. */
        int64_t chosen = (int64_t)(draw(may->seed, f) % (uint64_t)(fit + native_may)) - native_may;
        plan.reason = REASON_RANDOM;
        for (int i = 1; engines[i] && chosen >= 0; i++)
            if (eligible(engines[i], may, f, &shape) && chosen-- == 0) {
                plan.engine = engines[i];
                plan.seconds = choose_cost(engines[i], s, f, &plan.blocks);
            }
        return plan;
    }
    plan.reason = may->named ? REASON_FORCED : REASON_MODEL;
    plan.seconds = INFINITY;
    for (int i = native_may ? 0 : 1; engines[i]; i++) {
        if (i > 0 && !eligible(engines[i], may, f, &shape))
            continue;
        int64_t blocks;
        double seconds = choose_cost(engines[i], s, f, &blocks);
        if (seconds < plan.seconds) {
            plan.engine = engines[i];
            plan.blocks = blocks;
            plan.seconds = seconds;
        }
    }
    return plan;
}
