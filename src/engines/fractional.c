/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fractional tree: a binary tree whose nodes are chains of r ranks. It lies between the pipelined binary tree and the chain.
 * doc/fractional says more.
 *
 * P. Sanders, J. F. Sibeyn, "A Bandwidth Latency Tradeoff for Broadcast and Reduction", Euro-Par 2000, LNCS 1900, 918-926.
 * Their names: P ranks (here p), s packets (here n blocks), groups of r ranks, depth d: the step in which packet 0 reaches
 * the last node.
 *
 * A group is a chain of members i = 0 .. r-1. Packets come in at its head. They go down the chain and on to the head of a
 * first successor group, `down`. All members together feed the head of a second successor group, `right`: member i passes
 * packet i of every run of r packets. So a run takes r+1 steps; doc/fractional lists what a node does in each step. If the
 * head gets packet 0 in step a, the next member gets it in step a+1, the down successor in step a+r and the right one in
 * step a+r+1. Node numbers begin with the root; the down successor of node v is v+1. There are d + n + ceil(n/r) - 1 rounds.
 *
 * Example, broadcast, r = 2, p = 10, d = 4, n = 3. Group 0 1 has 2 3 down and 7 8 right. Group 2 3 has 4 5 down and 6
 * right. Group 7 8 has 9 down. The block received / the block sent:
 *
 *     step     0    1    2    3    4    5    6    7
 *     rank 0  -/0  -/1  -/0  -/2       -/2
 *     rank 1  0/-  1/0  -/1  2/1  -/2
 *     rank 2       0/-  1/0  -/1  2/0  -/2       -/2
 *     rank 3            0/-  1/0  -/1  2/1  -/2
 *     rank 4                 0/-  1/0  -/1  2/-  -/2
 *     rank 5                      0/-  1/-       2/-
 *     rank 6                      0/-  1/-       2/-
 *     rank 7            0/-  1/0  -/1  2/-  -/2
 *     rank 8                 0/-  1/0  -/1  2/-  -/2
 *     rank 9                      0/-  1/-       2/-
 *
 * Reduction: the broadcast with time reversed, for commutative operations. Blocks go up by T0 and T1 in turn. T2 holds a
 * block of the right successor until the same block comes from the down successor. In the terms of trees.h, the down
 * successor is the left child.
 */
#include "fractional.h"

#include "trees.h"

/* More than the levels of groups in any tree: for r = 1, packet 0 reaches over 2^31 nodes in 45 steps. */
enum { LEVELS = 48 };

/* ---- The tree ------------------------------------------------------------------------------------------------------ */

/*
 * Finds the step in which packet 0 reaches the last of p nodes. It reaches F_i nodes in step i if the root has it in step 0:
 * F_i = 1 for 0 <= i < r, F_-1 = 0, and F_i = F_(i-r) + F_(i-r-1) for i >= r. Each pass of the loop takes r steps. In pass
 * t = 0, 1, .., the F_i of the pass are equal from number t on, so `fresh` has min(r, t+1) of them.
 */
static int64_t depth(int p, int64_t r)
{
    int64_t fresh[LEVELS] = {1}, last = 0, reached = 0, i = 0;
    for (int width = 1;;) {
        for (int j = 0; j < width; j++) {
            int64_t steps = j < width - 1 ? 1 : r - j; /* the steps that fresh[j] stands for */
            if (reached + steps * fresh[j] >= p)
                return i + (p - reached - 1) / fresh[j] - 1;
            reached += steps * fresh[j];
            i += steps;
        }
        int64_t before = last;
        last = fresh[width - 1];
        if (width < r)
            fresh[width++] = last;
        for (int j = width - 1; j > 0; j--)
            fresh[j] += fresh[j - 1];
        fresh[0] += before;
    }
}

int64_t fractional_depth(int p, int64_t r)
{
    return p <= r + 1 ? p - 2 : depth(p, r);
}

int64_t fractional_candidate(int k)
{
    return (int64_t)(2 + (k & 1)) << (k / 2) >> 1;
}

/*
 * The rounds that groups of r cost beyond n: the depth and, where there are right successors, the pauses. A pause is the
 * last of the r+1 steps that a run of r packets takes.
 */
static double overhead(const struct shape *s, int64_t r, int hop)
{
    double depth = (double)fractional_depth(s->ranks, r), pauses = ((double)s->blocks - 0.5) / (double)r;
    return r >= s->ranks - 1 ? depth : (r == 1 ? 1 : hop) * depth + pauses;
}

int64_t fractional_group(const struct shape *s, int hop)
{
    int64_t r = s->group;
    if (r == 0) {
        /* The overhead, about r log2(p) + n/r, falls and then rises again as r grows. The search begins near the minimum. */
        int k = 1 + ceil_log2(s->blocks / hop / (1 + ceil_log2(s->ranks)) + 1);
        double least = overhead(s, fractional_candidate(k), hop), other;
        for (; k > 1 && (other = overhead(s, fractional_candidate(k - 1), hop)) < least; k--)
            least = other;
        for (; fractional_candidate(k) < s->ranks && (other = overhead(s, fractional_candidate(k + 1), hop)) <= least; k++)
            least = other;
        r = fractional_candidate(k);
        if ((other = overhead(s, 1, hop)) < least) { /* a step of the depth may cost less with r = 1 */
            least = other;
            r = 1;
        }
        if (s->ranks - 2 <= least)
            r = s->ranks;
    }
    /* A chain has no right successors. One run of all blocks leaves out the pauses. */
    return r < s->ranks - 1 ? r : s->blocks > s->ranks ? s->blocks : s->ranks;
}

/* The nodes that packet 0 reaches in a subtree of so many steps: P_i for i = steps - level*r - b, 0 <= b <= level. */
static int reached(int64_t steps, int64_t r, int level, int b)
{
    int row[LEVELS];
    for (int64_t l = steps / r + 1; l >= level; l--)
        for (int64_t k = 0; k <= l; k++) {
            const int64_t i = steps - l * r - k;
            row[k] = i > r ? (int)r + row[k] + row[k + 1] : i < 0 ? 0 : (int)i + 1;
        }
    return row[b];
}

struct fractional_node fractional_find(int p, int64_t r, int v)
{
    const int64_t steps = fractional_depth(p, r) + 1;
    struct fractional_node node = {.first = -1, .feeder = NOBODY, .down = NOBODY, .right = NOBODY};
    int head = 0, size = p; /* the subtree's nodes are head .. head+size-1 */
    for (int level = 1, b = 0;; level++) {
        int members = r < size ? (int)r : size, below = size - members;
        int most = reached(steps, r, level, b), left = below < most ? below : most;
        node.forks |= (uint64_t)(left < below) << node.level;
        if (v < head + members) {
            node.member = v - head;
            node.first += node.member;
            if (node.member > 0) {
                node.feeder = v - 1;
                node.by_group = false;
            }
            if (v + 1 < head + members + left)
                node.down = v + 1;
            if (left < below)
                node.right = head + members + left;
            return node;
        }
        node.by_group = v >= head + members + left;
        node.first += r + node.by_group;
        node.feeder = node.by_group ? head : head + members - 1;
        head += node.by_group ? members + left : members;
        size = node.by_group ? below - left : left;
        b += node.by_group;
        node.turns |= (uint64_t)node.by_group << node.level++;
    }
}

/* ---- The schedule -------------------------------------------------------------------------------------------------- */

/*
 * The node's edges. A run of the edge that feeds the node, and of the edge down, has r packets; every packet goes along
 * both. One packet of each run goes along the edge to the right.
 */
void fractional_lanes(struct schedule *s, const struct fractional_node *node, struct fractional_ring ring, int64_t r,
                      int64_t depth)
{
    const int64_t n = s->shape.blocks, runs = (n - 1) / r + 1;
    const bool reduces = s->shape.collective == COLL_REDUCE;
    const struct clock c = {.end = depth + n + runs - 1, .dilation = 1};
    struct tree_view v = {.parent = {.peer = node->feeder, .down = node->first, .up = NEVER},
                          .child = {{.peer = node->down, .down = node->first + 1, .up = NEVER},
                                    {.peer = node->right, .down = node->first + r + 1, .up = NEVER}},
                          .right_waits = true};
    struct lane all = tree_share(&s->shape, r + 1, 1, 0);
    all.run = (struct lane_run){.length = r, .each = 1, .next = 1};
    tree_share_out(&v, all);
    if (node->by_group) {
        v.parent.share.run.peers = RUN_RING;
        v.parent.share.run.ring_first = ring.first;
        v.parent.share.run.ring_ranks = ring.size;
    }
    struct lane *one = &v.child[RIGHT].share;
    one->run = (struct lane_run){.length = 1, .next = r};
    one->left = node->member < n ? (n - node->member - 1) / r + 1 : 0;
    one->block = reduces ? (n - node->member - 1) % r : node->member;
    if (reduces)
        tree_reduce(s, &v, &c, 0);
    else
        tree_bcast(s, &v, 0);
}

static int rank_of(const struct shape *shape, int node)
{
    return node == NOBODY ? NOBODY : rank_after(shape, shape->root, node);
}

static void generate(struct schedule *s)
{
    const struct shape *shape = &s->shape;
    int p = shape->ranks;
    int64_t r = fractional_group(shape, 1);
    struct fractional_node node = fractional_find(p, r, rank_after(shape, s->rank, -shape->root));
    node.feeder = rank_of(shape, node.feeder);
    node.down = rank_of(shape, node.down);
    node.right = rank_of(shape, node.right);
    fractional_lanes(s, &node, (struct fractional_ring){0, p}, r, fractional_depth(p, r));
}

/* As n is an integer, floor(n(1 + 1/r) + d - 1/(2r)) = d + n + ceil(n/r) - 1. The term 1/(2r) absorbs rounding errors. */
struct round_bound fractional_round_bound(const struct shape *s, int64_t r, int64_t depth)
{
    double pause = r < s->ranks - 1 ? 1 / (double)r : 0;
    return (struct round_bound){.slope = 1 + pause, .latency = (double)depth - pause / 2};
}

static struct round_bound round_bound(const struct shape *s)
{
    int64_t r = fractional_group(s, 1);
    return fractional_round_bound(s, r, fractional_depth(s->ranks, r));
}

#define TREE                                                                                                                \
    .text.rounds = "d-1+n+ceil(n/r)", .model.streams = true, .model.crossings = 3, .model.order_varies = true,              \
    .round_bound = round_bound, .generate = generate

const struct engine engine_fractional = {
    .name = "fractional",
    .summary = "binary tree of chains of r ranks; r = 1 is a binary tree, r = p-1 a chain",
    .scratch = 3,
    .serves = {[COLL_BCAST] = {TREE}, [COLL_REDUCE] = {TREE, .needs = NEED_COMMUTATIVE}},
};
