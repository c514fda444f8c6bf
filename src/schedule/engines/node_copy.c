/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Node-copy: a broadcast through memory that all ranks share.
 *
 * The root copies block k into its cell of round k, and all others copy it out. So the root and each other rank load and
 * store each byte once. With messages through shared memory, they do so twice. D. Jain and others, "Framework for scalable
 * intra-node collective operations using shared memory", SC 2018, call this step "release".
 *
 * Invariant: no other rank writes, so the root alone waits for free cells.
 */
#include "node_steps.h"

static bool refill(struct cursor *c, const struct schedule *s)
{
    const int root = s->shape.root;
    int64_t k;
    int beat;
    if (!node_next(c, s, &k, &beat))
        return false;
    if (s->rank == root) {
        node_await_free(c, s, k);
        node_act(c, s, STEP_COPY, k, node_block(k), SLOT_OUT, slot_cell(root));
        node_tell(c, s, k, 1);
    } else {
        node_await(c, s, k, root, 1);
        node_act(c, s, STEP_COPY, k, node_block(k), slot_cell(root), SLOT_OUT);
    }
    node_leave(c, s, k);
    return true;
}

static void generate(struct schedule *s)
{
    node_begin(s, s->shape.blocks, 1, 0, 1);
    s->refill = refill;
}

static struct round_bound round_bound(const struct shape *s)
{
    (void)s;
    return (struct round_bound){.slope = 1, .latency = 1};
}

static struct segment_work work(const struct shape *s)
{
    (void)s;
    return (struct segment_work){.copied = 1, .waits = 1, .fill = 1};
}

const struct engine engine_node_copy = {
    .name = "node-copy",
    .summary = "the root copies blocks into shared memory, and all others copy them out",
    .trees = 1,
    .serves = {[COLL_BCAST] = {.text.rounds = "1+n",
                               .needs = NEED_SEGMENT,
                               .round_bound = round_bound,
                               .segment = {CELLS_BLOCK, work, 2},
                               .generate = generate}},
};
