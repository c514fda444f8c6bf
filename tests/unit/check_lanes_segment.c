/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The stages of composed calls on a node are calls that follow each other in the node's segment, and go on with the numbers
 * of rounds. The simulator of segments finds no race and no deadlock in them, whatever engines serve them.
 *
 * The test leaves out the stages between nodes. They let a rank come late to its next stage, which changes nothing: one
 * order of the ranks is enough for all orders (simulate.h).
 */
#include "cell.h"
#include "compositions.h"
#include "schedules.h"

enum { CALLS = 2, STAGES = CALLS * 2 * MOST_SMALL * 2 }; /* calls in a row; the most stages that these have on a node */

struct stage_call {
    const struct engine *engine;
    struct shape shape;
    int missing; /* the rank that leaves the stage out; NOBODY: none */
};

static void start(void *self, struct walk *w, const struct shape *shape, int rank)
{
    const struct stage_call *c = self;
    engine_walk(c->engine, w, shape, rank);
}

static bool next(void *self, struct walk *w, struct step *step, int rank)
{
    const struct stage_call *c = self;
    return rank != c->missing && walk_next(w, step);
}

static struct sequence {
    struct stage_call stage[STAGES];
    struct generator generator[STAGES];
    struct segment_call call[STAGES];
    int count, depth, widest; /* widest: most spots of a cell */
} sequence;

/* Draws an engine of segments and a number of blocks for a stage. */
static void draw_engine(struct stage_call *c)
{
    const struct engine *fit[8] = {NULL}; /* more than there are */
    int count = 0;
    for (int i = 1; engines[i]; i++)
        if (engines[i]->serves[c->shape.collective].segment.cells && engine_fits(engines[i], &c->shape))
            fit[count++] = engines[i];
    c->engine = fit[below(count)];
    const enum cells cells = c->engine->serves[c->shape.collective].segment.cells;
    c->shape.blocks = 1 + below(3 * c->shape.ranks);
    c->shape.wide = cells == CELLS_SLICES ? 1 + below(c->shape.ranks) : 1;
}

/* Adds the stages that a call has within a node. All ranks of the node have the same stages. */
static void add_stages(const struct call *c, int node)
{
    const int64_t stages = lanes_stages(&c->lanes);
    const int ranks = nodes->first[node + 1] - nodes->first[node];
    struct stage s, other;
    for (int64_t i = 0; i < stages; i++) {
        if (!lanes_stage(&c->lanes, (struct node_rank){node, 0}, i, &s) || lanes_group(s.phase) != GROUP_NODE)
            continue;
        for (int r = 1; r < ranks; r++)
            ck_assert(lanes_stage(&c->lanes, (struct node_rank){node, r}, i, &other) && other.root == s.root);
        ck_assert_int_lt(sequence.count, STAGES);
        const int at = sequence.count++;
        const enum collective stage = lanes_collective(c->lanes.collective, s.phase);
        struct stage_call *call = &sequence.stage[at];
        *call = (struct stage_call){.shape = {.collective = stage,
                                              .ordered = c->lanes.ordered,
                                              .ranks = ranks,
                                              .root = collective_rooted(stage) ? s.root : 0,
                                              .roots = s.slices > 1 ? s.slices : 0,
                                              .readers = s.readers,
                                              .reader = s.reader,
                                              .depth = sequence.depth},
                                    .missing = NOBODY};
        draw_engine(call);
        sequence.generator[at] = (struct generator){.start = start, .next = next, .self = call};
        const int64_t width = 1 << below(ceil_log2(sequence.widest) + 1);
        sequence.call[at] =
            (struct segment_call){&sequence.generator[at], &call->shape, c->in_place, width, width == 1 && below(2)};
    }
}

static int mutants;

static void check_nodes(const struct call *c)
{
    char text[160];
    struct verdict v;
    for (int n = 0; n < nodes->nodes; n++) {
        sequence.count = 0;
        sequence.depth = 2 + below(2);
        sequence.widest = 1 << below(3);
        for (int i = 0; i < CALLS; i++)
            add_stages(c, n);
        if (!sequence.count)
            continue;
        const int group = 1 + below(2);
        const int spots = sequence.depth * sequence.widest;
        REQUIRE(simulate_segment(sequence.call, sequence.count, spots, group, &v), "%s, node %d: %s", text_of(c, text), n,
                v.why);
        struct stage_call *out = &sequence.stage[below(sequence.count)];
        out->missing = below(out->shape.ranks);
        REQUIRE(!simulate_segment(sequence.call, sequence.count, spots, group, &v),
                "%s, node %d: the simulator does not notice that rank %d leaves out a stage", text_of(c, text), n,
                out->missing);
        mutants++;
    }
}

START_TEST(stages_of_nodes)
{
    all_calls(2, MOST_SMALL, check_nodes);
    all_calls(3, MOST_SMALL, check_nodes);
    ck_assert_int_gt(mutants, 1000);
}

SUITE("lanes in a segment", 60)
