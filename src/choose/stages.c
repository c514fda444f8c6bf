/* SPDX-License-Identifier: BSD-2-Clause */
/* See stages.h. */
#include "stages.h"

#include "choose.h"
#include "constants.h"

#include <assert.h>
#include <math.h>

int whole_ports(const struct plan *whole, enum collective c)
{
    return whole->engine && whole->engine->serves[c].segment.ports ? (int)whole->wide : 0;
}

int whole_lanes(const struct plan *whole, enum collective c)
{
    return whole_ports(whole, c) ? 1 : (int)whole->wide;
}

void stage_facts(struct stage_facts *s, const struct facts *f, const struct plan *whole, enum stage_phase phase, int ranks,
                 int root, int64_t units)
{
    const struct machine *m = f->machine;
    const int lanes = whole_lanes(whole, f->collective), ports = whole_ports(whole, f->collective);
    const bool between = phase == STAGE_LANE, scatters = lanes_scatter(f->collective, lanes, whole->blocks);
    const bool parts = lanes > 1 && lanes_parts(f->collective, f->op == OP_ORDERED, phase);
    const enum collective c = lanes_collective(f->collective, phase);
    s->machine = (struct machine){.generation = m->generation,
                                  .natives = m->natives,
                                  .nodes = between ? ranks : 1,
                                  .node_ranks = between ? 1 : ranks,
                                  .node_least = between ? 1 : ranks,
                                  .domain = between ? 0 : m->domain,
                                  .gathered = true,
                                  .consecutive = true,
                                  .oversubscribed = m->oversubscribed,
                                  .one_node = !between,
                                  .shared_tried = !between,
                                  .cell = between && !ports ? 0 : m->cell,
                                  .segment = m->segment,
                                  .measured = m->measured,
                                  .noisy = {m->noisy[LINK_NODE], m->noisy[LINK_NETWORK]},
                                  .figures = {m->figures[LINK_NODE], m->figures[LINK_NETWORK]}};
    if (between) {
        s->machine.sharers = lanes - 1; /* the lanes of a node share its card and boundaries */
        for (enum source source = 0; source < SOURCES; source++)
            s->machine.places[source] = m->node_places[source];
    }
    s->facts = (struct facts){.collective = c,
                              .op = collective_reduces(c) ? f->op : OP_NONE,
                              .symmetric = collective_reduces(c) && f->symmetric,
                              .ranks = ranks,
                              .root = root,
                              .roots = parts ? lanes : 0,
                              .readers = lanes_readers(f->collective, phase, scatters),
                              .ports = {.most = between && ports ? m->node_least : 0, .used = between ? ports : 0},
                              .bytes = units * (f->bytes / f->units),
                              .units = units,
                              .machine = &s->machine};
}

static int64_t at_most(int64_t a, int64_t most)
{
    return a < most ? a : most;
}

/*
 * No setting gives the size. `slices` >= 1: the most that are large enough; `most`: lanes.
 *
 * `together`: all ranks of a node take part in every stage of a chunk, so more chunks gain nothing, unless the root is
 * `spared`: in no lane, it gathers the first of two chunks while the lanes exchange the second. Other calls have 2^k lanes,
 * and at least as many chunks up to a limit, as nodes or ranks work on different chunks.
 */
static struct cutting cut_freely(int64_t slices, int64_t most, bool together, bool spared)
{
    if (together) {
        const int64_t lanes = at_most(slices, most);
        return (struct cutting){.blocks = lanes * (spared && lanes == most ? 2 : 1), .wide = lanes};
    }
    int64_t lanes = 1;
    while (4 * lanes * lanes <= slices && 2 * lanes <= at_most(RELAY_LANES, most))
        lanes *= 2;
    return (struct cutting){.blocks = at_most(slices / lanes, RELAY_CHUNKS) * lanes, .wide = lanes};
}

struct cutting lanes_cut(const struct facts *f, int64_t block, int lanes)
{
    const int64_t room = facts_units_in(f, block ? at_most(block, LARGEST_SETTING) : LARGEST_SLICE); /* units of a slice */
    const int least_ranks = f->machine->node_least;
    const bool scatters = lanes_parts(f->collective, f->op == OP_ORDERED, STAGE_GATHER);
    const bool spared = scatters && collective_flow(f->collective) == FLOW_ALL_TO_ONE && least_ranks >= SPARED_RANKS &&
                        f->bytes / LARGE_PART >= least_ranks;
    const int64_t most = lanes_one(f->collective, f->op == OP_ORDERED) ? 1 : least_ranks - spared;
    const int64_t bound = lanes ? at_most(lanes, most) : most;
    const int64_t wanted =
        block ? f->units / room : at_most(f->bytes / (scatters ? SMALLEST_PART : SMALLEST_SLICE), f->units);
    const int64_t slices = wanted > 1 ? wanted : 1;
    struct cutting c = {.wide = at_most(slices, bound)};
    if (!block)
        c = cut_freely(slices, bound, scatters || collective_flow(f->collective) == FLOW_ALL_TO_ALL,
                       spared && bound == most);
    const int64_t least = ceil_div(f->units, room * c.wide) * c.wide;
    c.blocks = c.blocks > least ? c.blocks : least;
    if (c.blocks > f->units)
        c.blocks = f->units / c.wide * c.wide;
    return c;
}

int64_t stage_units(const struct facts *f, const struct plan *whole, bool parts)
{
    const int64_t slice = cut_largest(&(struct cut){.units = f->units, .blocks = whole->blocks, .parts = 1});
    return parts ? at_most(slice * whole_lanes(whole, f->collective), f->units) : slice;
}

static double stage_seconds(const struct terms *t, const struct facts *f, const struct engine *by)
{
    const uint64_t rows = by ? (uint64_t)1 << engine_row(by) : choose_stage_rows(f);
    struct cutting cutting;
    double least = INFINITY;
    for (int row = 1; engines[row]; row++)
        if (rows >> row & 1)
            least = fmin(least, model_seconds(engines[row], t, f, &cutting));
    assert(isfinite(least));
    return least;
}

int stages_root_node(const struct facts *f)
{
    const enum root_place place = root_place(f->root, f->ranks);
    return place == ROOT_FIRST ? 0 : place == ROOT_LAST ? f->machine->nodes - 1 : f->machine->nodes / 2;
}

/*
 * All stages of the phase, one after the other. On a node they follow without a pause. In a broadcast, the root's node and
 * the others work on different chunks, so on the root's node one chunk counts.
 */
double lanes_phase_seconds(const struct terms *t, const struct facts *f, const struct plan *whole, enum stage_phase phase,
                           const struct engine *by)
{
    const int lanes = whole_lanes(whole, f->collective), ports = whole_ports(whole, f->collective);
    const bool between = phase == STAGE_LANE, apart = phase == STAGE_GATHER && collective_streams(f->collective);
    struct stage_facts s;
    struct terms own = *t;
    if (!lanes_planned(f->collective, lanes, ports, phase))
        return 0;
    if (between)
        own.figures.beta *= lanes;
    own.measured = t->measured && between && f->machine->node_places[SOURCE_MEASURED];
    stage_facts(&s, f, whole, phase, between ? f->machine->nodes : f->machine->node_ranks, between ? stages_root_node(f) : 0,
                stage_units(f, whole, !between));
    own.shape = choose_shape(&s.facts, 1);
    if (between && ports)
        return model_ports(whole->engine, &own, &s.facts);
    return stage_seconds(&own, &s.facts, by) * (apart ? 1 : (double)whole->blocks / lanes);
}

/* A node copies one chunk while its lanes move the next one; likewise a reduction with a root without a lane gathers. */
double lanes_sum(const struct facts *f, const struct cutting *cut, double gather, double lane, double spread)
{
    const enum data_flow flow = collective_flow(f->collective);
    const bool overlap = flow == FLOW_ONE_TO_ALL || (flow == FLOW_ALL_TO_ONE && cut->wide < f->machine->node_least);
    return gather + lane + spread -
           (overlap ? fmin(lane, spread) * (double)(cut->blocks - cut->wide) / (double)cut->blocks : 0);
}

double lanes_seconds(const struct terms *t, const struct facts *f, const struct cutting *cut)
{
    const struct plan whole = {.blocks = cut->blocks, .wide = cut->wide};
    return lanes_sum(f, cut, lanes_phase_seconds(t, f, &whole, STAGE_GATHER, NULL),
                     lanes_phase_seconds(t, f, &whole, STAGE_LANE, NULL),
                     lanes_phase_seconds(t, f, &whole, STAGE_SPREAD, NULL));
}

double ports_seconds(const struct engine *e, const struct terms *t, const struct facts *f, int ports)
{
    const struct plan whole = {.engine = e, .blocks = 1, .wide = ports};
    double sum = 0;
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++)
        sum += lanes_phase_seconds(t, f, &whole, phase, NULL);
    return sum;
}

int ports_best(const struct engine *e, const struct terms *t, const struct facts *f)
{
    const int most = t->shape.ports.most < f->machine->nodes - 1 ? t->shape.ports.most : f->machine->nodes - 1;
    double least = INFINITY;
    int best = 1;
    for (int ports = 1; ports <= most; ports++) {
        const double seconds =
            lanes_phase_seconds(t, f, &(struct plan){.engine = e, .blocks = 1, .wide = ports}, STAGE_LANE, NULL);
        best = seconds < least ? ports : best;
        least = fmin(seconds, least);
    }
    return best;
}

void stages_plan(const struct settings *s, const struct rule *rule, const struct facts *f, const struct plan *whole,
                 int node_ranks, int root_node, struct plan plan[STAGE_PHASES])
{
    const int ports = whole_ports(whole, f->collective);
    struct stage_facts stage;
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++) {
        const bool between = phase == STAGE_LANE, parts = lanes_parts(f->collective, f->op == OP_ORDERED, phase);
        plan[phase] = (struct plan){.engine = NULL};
        if (!lanes_planned(f->collective, whole_lanes(whole, f->collective), ports, phase))
            continue;
        if (between && ports) {
            plan[phase] = (struct plan){.engine = whole->engine, .blocks = 1, .wide = ports};
            continue;
        }
        stage_facts(&stage, f, whole, phase, between ? f->machine->nodes : node_ranks, between ? root_node : 0,
                    stage_units(f, whole, parts));
        plan[phase] = choose_stage(s, rule, &stage.facts);
    }
}
