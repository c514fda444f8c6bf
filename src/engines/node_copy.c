/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-copy: a broadcast through memory that all ranks share.
 *
 * The root copies block k into its cell of round k, and all readers copy it out. So the root and each reader load and
 * store each byte once. With messages through shared memory, they do so twice. D. Jain and others, "Framework for scalable
 * intra-node collective operations using shared memory", SC 2018, call this step "release".
 *
 * If the message has L parts, each with a root, a round has a block of each part. Each root copies its own block into its
 * cell, if any rank reads it. Then the readers copy the other blocks out. The root of part i begins with the block of part
 * i+1, as ranks should not read the same cell at the same time. A rank copies the blocks of round k out after its work on
 * round k+1, so it seldom waits.
 *
 * Invariant: no other rank writes to the cell of a root, so the roots alone wait for free cells.
 */
#include "node_steps.h"

/* If it is a root. */
static bool is_read(const struct schedule *s)
{
    const struct shape *x = &s->shape;
    const int readers = x->readers == READERS_ALL ? x->ranks : x->readers == READERS_ONE ? 1 : x->ranks - 1;
    return readers > shape_reads(x, s->rank);
}

static void steps(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const int root = s->shape.root;
    (void)beat;
    if (s->rank == root && is_read(s))
        node_put(c, s, k, node_block(k), SLOT_OUT);
    else if (s->rank != root && shape_reads(&s->shape, s->rank)) {
        node_await(c, s, k, root, 1);
        node_act(c, s, STEP_COPY, k, node_block(k), slot_cell(root), SLOT_OUT);
    }
}

static void steps_of_parts(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const struct shape *shape = &s->shape;
    const int own = rank_after(shape, s->rank, -shape->root);
    const int j = beat == 0 ? own : (own + beat) % shape->roots, root = rank_after(shape, shape->root, j);
    const struct node_blocks x = node_block_of_part(shape, shape->roots, j, k);
    if (beat == 0 && own < shape->roots && x.count > 0 && is_read(s))
        node_put(c, s, k, x, SLOT_OUT);
    else if (beat > 0 && x.count > 0) {
        node_await(c, s, k, root, 1);
        node_act(c, s, STEP_COPY, k, x, slot_cell(root), SLOT_OUT);
    }
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    const int64_t roots = shape->roots, own = rank_after(shape, s->rank, -shape->root);
    const bool out = roots && shape_reads(shape, s->rank);
    node_begin(s, roots ? steps_of_parts : steps, roots ? ceil_div(shape->blocks, roots) : shape->blocks, 1,
               out ? (int)(roots - (own < roots)) : 0, 1);
}

static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 1, .latency = s->roots ? 2 * s->roots : 1};
}

static struct segment_work work(const struct shape *s)
{
    if (s->roots) /* a root copies its own part in, and the others out */
        return (struct segment_work){.copied = 1, .waits = s->roots};
    return (struct segment_work){.copied = 1, .waits = 1, .fill = 1};
}

const struct engine engine_node_copy = {
    .name = "node-copy",
    .summary = "the root copies blocks into shared memory, and all others copy them out",
    .serves = {[COLL_BCAST] = {.text.rounds = "1+n",
                               .needs = NEED_SEGMENT,
                               .round_bound = round_bound,
                               .segment = {CELLS_BLOCK, work, 2, true},
                               .generate = generate}},
};
