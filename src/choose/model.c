/* SPDX-License-Identifier: BSD-2-Clause */
/* See model.h. */
#include "model.h"

#include "boundaries.h"
#include "cell.h"
#include "constants.h"
#include "stages.h"

#include <assert.h>
#include <math.h>

const struct figures nominal_figures[LINKS] = {[LINK_NODE] = {NOMINAL_NODE}, [LINK_NETWORK] = {NOMINAL_NETWORK}};

const struct segment_figures nominal_segment = {NOMINAL_SEGMENT};

/* Within a node, a long message may be slower than between nodes: it is copied twice. A short one is not. */
static struct figures node_figures(const struct terms *t, const struct facts *f)
{
    struct figures node = f->machine->nodes > 1 ? t->node : t->figures;
    node.alpha = fmin(node.alpha, t->figures.alpha);
    node.hop = fmin(node.hop, t->figures.hop);
    return node;
}

static bool nodes_share(const struct facts *f)
{
    return f->machine->nodes > 1 && f->machine->node_ranks > 1;
}

/* `want` blocks, one more if two trees share an odd number; at most one for each unit. */
static int64_t fit_blocks(const struct engine *e, const struct facts *f, int64_t want)
{
    assert(want >= 1);
    if (e->halves && want % 2)
        want++;
    return want > f->units ? f->units : want;
}

/* Of at most `block` bytes, but at least a unit. */
static int64_t blocks_of(const struct facts *f, int64_t block)
{
    return ceil_div(f->units, facts_units_in(f, block));
}

/* For a size that is set. With inf, a user's operation gets the whole count in one call, on which some programs rely. */
static int64_t set_blocks(const struct engine *e, const struct facts *f, int64_t block)
{
    if (block == SIZE_INF && f->op == OP_ORDERED)
        return 1;
    return fit_blocks(e, f, blocks_of(f, block < LARGEST_SETTING ? block : LARGEST_SETTING));
}

struct time {
    struct round_bound bound;
    double alpha;     /* seconds of each of the first 1 + latency steps, inside a place */
    double round;     /* of each later step, without its bytes */
    double move;      /* to move and fold all bytes .. */
    double inside;    /* .. inside a place */
    double jump;      /* more for each step .. */
    double small;     /* .. with fewer blocks than this */
    double way;       /* factor of the latency: below 1 if hops in nodes are shorter */
    double port;      /* for all bytes to pass a rank once */
    double boundary;  /* .. and the busiest boundary; counts if longer */
    double hops, far; /* steps over boundaries that fill the pipeline; their seconds */
};

/*
 * A chain that visits node after node has a long hop for each, and short ones inside. If it must follow ranks that are dealt
 * out to nodes in turn, every hop leaves a node.
 */
static void chain_over_nodes(struct time *t, const struct terms *terms, const struct figures *step, const struct facts *f)
{
    const double nodes = f->machine->nodes, ranks = f->ranks,
                 folding = collective_reduces(f->collective) ? terms->figures.gamma : 0;
    const double between = step->beta + folding, inside = between > 0 ? (terms->node.beta + folding) / between : 1;
    if (f->machine->gathered || facts_any_order(f))
        t->way = (nodes + (ranks - nodes) * fmin(inside, 1)) / ranks;
    else
        t->boundary = fmax(t->boundary, f->machine->node_ranks * terms->figures.beta * (double)f->bytes);
}

static struct round_bound bound_of(const struct service *service, const struct shape *shape, const struct time *t)
{
    struct round_bound bound = service_round_bound(service, shape);
    bound.latency *= bound.latency > 0 ? t->way : 1;
    return bound;
}

/* The first block takes `once` rounds, `hops` of them over boundaries. Without a pipeline, each block does. */
static double seconds_of(const struct time *t, int64_t blocks)
{
    double n = (double)blocks, slope = t->bound.slope, latency = t->bound.latency, rounds = slope * n + latency;
    double filling = 1 + fmax(latency, 0), once = slope + latency, hops = fmin(t->hops, once);
    double jumps = n < t->small ? rounds * t->jump : 0, more = fmax(t->boundary - slope * t->port, 0);
    double far = isfinite(t->hops) && t->hops > once ? t->far * once / t->hops : t->far;
    double beyond = latency > 0 ? 1 : hops / once, near = latency > 0 ? t->round : fmin(t->alpha, t->round);
    double fill = fmax(filling - t->hops, 0) * t->alpha + far;
    double first = isfinite(t->hops) ? fmax(once - fmax(filling, hops), 0) * near : 0;
    double later = slope * (n - 1) * (beyond * t->round + (1 - beyond) * near);
    double move = beyond * t->move + (1 - beyond) * t->inside;
    return fill + first + later + rounds * move / n + more + jumps;
}

/* The best number of blocks of about SMALLEST_BLOCK to LARGEST_BLOCK bytes; the smallest ones if about as good. */
static int64_t best_blocks(const struct engine *e, const struct facts *f, const struct time *t)
{
    /* T(n) falls until n = sqrt(latency move / (slope round)), then rises. */
    double best = t->bound.latency > 0 ? sqrt(t->bound.latency * t->move / (t->bound.slope * t->round)) : 1;
    const int64_t block = f->machine->sharers > 0 ? SMALLEST_SHARED : SMALLEST_BLOCK;
    const int trees = 1 + e->halves;
    int64_t most = ceil_div(f->bytes, trees * block) * trees;
    most = most < f->units ? most : f->units;
    int64_t least = blocks_of(f, LARGEST_BLOCK), below = best < (double)most ? (int64_t)best : most;
    below = below - below % trees > least ? below - below % trees : least;
    int64_t low = fit_blocks(e, f, below), high = below + trees <= most ? fit_blocks(e, f, below + trees) : low;
    int64_t blocks = seconds_of(t, high) < seconds_of(t, low) ? high : low, smallest = fit_blocks(e, f, most);
    double as_good = seconds_of(t, blocks) * (t->bound.latency > 0 ? SMALLER_MARGIN : 1);
    return smallest > blocks && seconds_of(t, smallest) < as_good ? smallest : blocks;
}

/*
 * Computes the round bound from the number of blocks and the number from the bound, until both stay. Leaves the bound in *t.
 */
static int64_t settle_blocks(const struct engine *e, const struct facts *f, struct shape shape, struct time *t)
{
    for (int i = 0; i < SETTLE_TURNS; i++) {
        int64_t before = shape.blocks;
        t->bound = bound_of(&e->serves[f->collective], &shape, t);
        shape.blocks = best_blocks(e, f, t);
        if (shape.blocks == before)
            return before;
    }
    t->bound = bound_of(&e->serves[f->collective], &shape, t);
    return shape.blocks;
}

/*
 * 2^a blocks, which p = 2^q ranks halve a times, exchange and gather: a + q steps, and 2(1 - 2^-a) + (q - a) 2^-a times the
 * message over each card. p if p is no power of two.
 */
static int64_t few_blocks(const struct terms *t, const struct facts *f)
{
    const int q = ceil_log2(f->ranks);
    const bool fixed = f->op == OP_ROUNDS && !f->symmetric;
    const double m = (double)f->bytes * (f->machine->nodes > 1 ? f->machine->node_ranks : 1);
    const double step = fixed ? HALVED_STEP : t->figures.alpha, byte = fixed ? 1 : t->figures.beta,
                 fold = fixed ? 0 : t->figures.gamma;
    double least = INFINITY;
    int best = q;
    for (int a = 0; a <= q && (INT64_C(1) << q) == f->ranks; a++) {
        const double cost =
            (a + q) * step + ((2 + ldexp(q - a - 2, -a)) * byte + (1 + ldexp(2 * (q - a) - 1, -a)) * fold) * m;
        best = cost < least ? a : best;
        least = fmin(cost, least);
    }
    return best < q ? INT64_C(1) << best : f->ranks;
}

/* Each part of a rank has a block, and blocks fill a piece of `piece` bytes well. A piece has at most half of the parts. */
static struct cutting cut_into_parts(const struct service *service, const struct terms *t, const struct facts *f,
                                     int64_t piece)
{
    const int64_t few = service->model.doubles && !t->block ? few_blocks(t, f) : f->ranks;
    if (few < f->ranks && few <= f->units && facts_units_in(f, piece) >= ceil_div(f->units, few)) {
        const int64_t wide = facts_units_in(f, piece) / ceil_div(f->units, few);
        return (struct cutting){few, wide < few ? wide : few};
    }
    const int parts = f->ranks;
    const int64_t room = facts_units_in(f, piece);
    const int64_t largest = room > PIECE_BLOCKS ? room / PIECE_BLOCKS : 1;
    int64_t blocks = ceil_div(ceil_div(f->units, parts), largest) * parts;
    blocks = blocks <= f->units ? blocks : f->units;
    const int64_t most = part_offset(blocks, parts, parts - parts / 2);
    const double wide = floor((double)room / ((double)f->units / (double)blocks)); /* some blocks are a unit larger */
    return (struct cutting){blocks, wide < 1 ? 1 : wide < (double)most ? (int64_t)wide : most};
}

/* Messages between nodes share cards and boundaries. */
static double seconds_of_work(const struct service *service, const struct shape *shape, const struct terms *t,
                              const struct facts *f, const struct boundaries *b)
{
    const struct rank_work w = service->work(shape);
    const struct figures *g = &t->figures, node = node_figures(t, f);
    const double m = (double)f->bytes, card = f->machine->nodes > 1 ? f->machine->node_ranks : 1;
    const double far = fmin(b->hops, w.between.rounds);
    const double step = g->alpha + (card - 1) * g->gap * CARD_GAP;
    return w.on_node.rounds * node.alpha + w.on_node.sent * node.beta * m + (w.between.rounds - far) * step +
           (b->hops > 0 ? b->way / b->hops * far : 0) + fmax(w.between.sent * card * g->beta, b->slowest) * m +
           w.folded * g->gamma * m;
}

/*
 * To move and fold all bytes. An allreduce folds only while it reduces; if the order counts, its root also copies all bytes,
 * which counts as a fold.
 */
static double moving(enum collective c, bool ordered, const struct figures *g, double m)
{
    const bool half = collective_flow(c) == FLOW_ALL_TO_ALL && !ordered;
    return (g->beta + (!collective_reduces(c) ? 0 : half ? 0.5 : 1) * g->gamma) * m;
}

static double native_sent(const struct facts *f)
{
    const struct machine *m = f->machine;
    if (f->collective == COLL_ALLREDUCE)
        return native_allreduce_load(f, m->nodes > 1 ? m->node_ranks : 1, m->consecutive);
    return f->collective == COLL_REDUCE ? native_reduce_sent(f) : 1;
}

/* More blocks than cells, as SEGMENT_FEW says? Not if ranks outnumber cores or have parts, nor if nothing is folded. */
static bool fills_few(const struct service *service, const struct facts *f)
{
    const int64_t cell = f->machine->cell;
    return service->segment.cells == CELLS_BLOCK && !f->machine->oversubscribed && cell > SEGMENT_FEW_CELL &&
           (f->bytes < SEGMENT_FEW * cell || (f->op == OP_ORDERED && facts_order_counts(f)));
}

/* Equal blocks, as large as possible but for fills_few(). `limit`: bytes of the largest one; 0: none. */
static struct cutting cut_into_cells(const struct service *service, const struct facts *f, int64_t limit)
{
    const int64_t cell = limit && limit < f->machine->cell ? limit : f->machine->cell;
    const bool few = !limit && fills_few(service, f) && SEGMENT_FEW_BLOCK < cell;
    const int64_t room = facts_units_in(f, few ? SEGMENT_FEW_BLOCK : cell);
    const int64_t wide = service_wide(service, f->ranks, room);
    const int64_t parts = f->roots ? f->roots : service->segment.cells == CELLS_PARTS ? f->ranks : 1;
    const int64_t blocks = ceil_div(ceil_div(f->units, parts), room) * parts * wide;
    return (struct cutting){blocks < f->units ? blocks : f->units, wide};
}

/*
 * What runs beside a call. CROWDED: ranks share cores, and one that waits for a line to fill gives its core away. ENDLESS:
 * one call in a row, where a line never empties. In both, filling takes no time, except in an all-reduce. In a row, the
 * first rank of a line may be SEGMENT_DEPTH rounds ahead of the last, shared among the ranks between them; so far ahead,
 * none waits.
 */
enum beside { ALONE, CROWDED, ENDLESS };

static double seconds_in_segment(const struct service *service, const struct shape *shape, const struct segment_figures *g,
                                 enum beside beside, double m)
{
    double copy = shape->ranks <= service->segment.one_reader ? g->stream
                  : !collective_reduces(shape->collective)    ? g->spread
                                                              : g->copy;
    if (shape->readers == READERS_ONE)
        copy = fmin(copy, nominal_segment.copy); /* one rank copies alone */
    const struct segment_work w = service->segment.work(shape);
    const int64_t a_round = shape->roots                            ? shape->roots
                            : service->segment.cells == CELLS_PARTS ? shape->ranks
                                                                    : shape_wide(shape);
    const double rounds = (double)ceil_div(shape->blocks, a_round);
    const double moving = w.copied * copy + w.folded * g->fold + w.either * fmax(copy, g->fold);
    const double round = m / rounds * moving + w.waits * g->wait + w.looks * fmin(g->wait, LONGEST_LOOK);
    const bool all = collective_flow(shape->collective) == FLOW_ALL_TO_ALL, fills = beside == ALONE || all;
    const bool leads = beside == ENDLESS && !all && w.fill + w.hops > 0;
    const double ahead = leads ? fmin(rounds, SEGMENT_DEPTH / fmax(w.hops, 1)) : 0;
    assert(!leads || w.waits >= 1);
    return rounds * round - ahead * g->wait + (fills ? w.fill * round + w.hops * g->wait : 0);
}

static int64_t limit_of(const struct terms *t)
{
    return t->block < LARGEST_SETTING ? t->block : LARGEST_SETTING;
}

static double through_segment(const struct service *service, const struct terms *t, const struct facts *f,
                              enum beside beside, struct cutting *c)
{
    struct shape shape = t->shape;
    *c = cut_into_cells(service, f, limit_of(t));
    shape.blocks = c->blocks;
    shape.wide = c->wide;
    return seconds_in_segment(service, &shape, &t->segment, beside, (double)f->bytes);
}

double model_overlap(const struct engine *e, const struct terms *t, const struct facts *f)
{
    const struct service *service = &e->serves[f->collective];
    struct cutting c;
    if (!service->segment.cells || service->composed || f->machine->oversubscribed)
        return 0;
    return through_segment(service, t, f, ALONE, &c) - through_segment(service, t, f, ENDLESS, &c);
}

/* Sets *blocks. Searches from one block, as in `shape`, and from the most: one search may miss the best. */
static double least_time(const struct engine *e, const struct facts *f, struct shape shape, struct time *time,
                         int64_t *blocks)
{
    *blocks = settle_blocks(e, f, shape, time);
    const double few = seconds_of(time, *blocks);
    shape.blocks = f->units;
    const int64_t other = settle_blocks(e, f, shape, time);
    const double many = seconds_of(time, other);
    if (many < few)
        *blocks = other;
    return fmin(many, few);
}

double model_ports(const struct engine *e, const struct terms *t, const struct facts *f)
{
    const struct service *service = &e->serves[f->collective];
    const struct figures *g = &t->figures;
    const struct segment_figures *near = &t->segment;
    const double m = (double)f->bytes;
    const struct port_work between = service->segment.ports(&t->shape);
    const struct segment_work on_node = service->segment.work(&t->shape);
    const struct boundaries b = boundaries_of(e, &t->shape, f, g, t->measured);
    return between.rounds * g->alpha + (between.messages - between.rounds) * g->gap * CARD_GAP + between.sent * g->beta * m +
           fmax(b.way - b.hops * g->alpha, 0) + on_node.copied * near->copy * m + on_node.folded * near->fold * m +
           on_node.waits * near->wait + on_node.looks * fmin(near->wait, LONGEST_LOOK);
}

double model_seconds(const struct engine *e, const struct terms *t, const struct facts *f, struct cutting *c)
{
    const struct service *service = &e->serves[f->collective];
    const struct figures *g = &t->figures;
    assert(f->ranks >= 2 && f->bytes >= 1 && f->units >= 1 && f->units <= f->bytes);
    struct shape shape = t->shape;
    double m = (double)f->bytes;
    *c = (struct cutting){0};
    if (service->segment.ports) {
        *c = model_cut(e, t, f);
        return ports_seconds(e, t, f, (int)c->wide);
    }
    if (service->composed) {
        *c = lanes_cut(f, t->block, t->lanes);
        return lanes_seconds(t, f, c);
    }
    const struct boundaries b = boundaries_of(e, &shape, f, g, t->measured);
    const struct figures node = node_figures(t, f);
    if (engine_by_mpi(e))
        return t->native * native_seconds(f, g, &node) + fmax(b.slowest - native_sent(f) * g->beta, 0) * m +
               fmax(b.way - b.hops * g->alpha, 0); /* native_seconds() has the steps themselves */

    if (service->segment.cells)
        return through_segment(service, t, f, f->machine->oversubscribed ? CROWDED : ALONE, c);
    if (service->work) {
        *c = cut_into_parts(service, t, f, limit_of(t) ? limit_of(t) : LARGEST_BLOCK);
        shape.blocks = c->blocks;
        shape.wide = c->wide;
        return seconds_of_work(service, &shape, t, f, &b);
    }
    double round = service->model.streams ? g->gap : g->alpha;
    const bool shared = nodes_share(f);
    const struct figures step = figures_of_step(f->machine, g, &node);
    struct figures inside = step;
    if (shared && b.hops > 0) { /* nodes are the innermost places */
        inside = node;
        inside.gamma = g->gamma;
    }
    struct time time = {.alpha = service->model.streams ? inside.hop : inside.alpha,
                        .round = fmax(round + b.turn, LEAST_ROUND),
                        .jump = g->jump,
                        .small = m / SMALLEST_BLOCK,
                        .move = moving(f->collective, shape.ordered, &step, m),
                        .inside = moving(f->collective, shape.ordered, &inside, m),
                        .way = 1,
                        .port = step.beta * m,
                        .boundary = fmax(shared ? service->model.crossings * g->beta : 0, b.slowest) * m,
                        .hops = b.hops,
                        .far = b.way};
    if (shared && service->executor.chained)
        chain_over_nodes(&time, t, &step, f);
    if (t->block) {
        shape.blocks = c->blocks = set_blocks(e, f, t->block);
        time.bound = bound_of(service, &shape, &time);
        return seconds_of(&time, c->blocks);
    }
    return least_time(e, f, shape, &time, &c->blocks);
}

struct cutting model_cut(const struct engine *e, const struct terms *t, const struct facts *f)
{
    const struct service *service = &e->serves[f->collective];
    struct cutting c;
    if (service->segment.ports)
        return (struct cutting){.blocks = 1, .wide = t->ports ? t->ports : ports_best(e, t, f)};
    if (service->composed)
        return lanes_cut(f, t->block, t->lanes);
    if (service->segment.cells)
        return cut_into_cells(service, f, limit_of(t));
    model_seconds(e, t, f, &c);
    return c;
}
