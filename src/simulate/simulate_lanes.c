/* SPDX-License-Identifier: BSD-2-Clause */
/* By number, each stage for all its groups. */
#include "simulate_lanes.h"

#include "block_value.h"

#include <stdlib.h>

struct rank_memory {
    struct sim_value *in, *out, kept[2]; /* kept[i].tag: the slice there */
};

struct simulation {
    const struct lanes *lanes;
    struct shape shape;
    bool in_place;
    struct rank_memory *memory;
    struct stage *stage;
    bool *takes;
    int *member;
    struct sim_value *operand;
    const char *wrong;
};

bool lanes_stage_right(const struct lanes *l, int rank, int64_t number, struct stage *s, void *self)
{
    (void)self;
    return lanes_stage(l, node_rank_of(l->nodes, rank), number, s);
}

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

static bool same_memory(const struct simulation *m, int rank)
{
    return m->in_place && collective_in_place(m->shape.collective, rank, m->shape.root);
}

static struct sim_value *room(struct simulation *m, int rank, int64_t slice)
{
    return &m->memory[rank].kept[slice / m->lanes->lanes % lanes_kept(m->lanes)];
}

static struct sim_value read_slice(struct simulation *m, int rank, enum stage_buffer buffer, int64_t slice)
{
    const struct rank_memory *own = &m->memory[rank];
    const struct sim_value x = buffer == BUFFER_KEPT                          ? *room(m, rank, slice)
                               : buffer == BUFFER_OUT || same_memory(m, rank) ? own->out[slice]
                                                                              : own->in[slice];
    if (!x.set || x.tag != slice)
        m->wrong = "a stage reads memory that is undefined";
    return x;
}

static void write_slice(struct simulation *m, int rank, enum stage_buffer buffer, int64_t slice, struct sim_value x)
{
    const enum collective c = m->shape.collective;
    struct rank_memory *own = &m->memory[rank];
    x.tag = slice;
    if (buffer == BUFFER_KEPT)
        *room(m, rank, slice) = x;
    else if (buffer == BUFFER_IN || !collective_writes(c, rank, m->shape.root))
        m->wrong = "a stage writes to the program's memory where it must not";
    else
        own->out[slice] = x;
}

static void fold(struct simulation *m, const struct sim_value *a, struct sim_value *b)
{
    if (!sim_fold(&m->shape, a, b))
        m->wrong = "a stage combines operands in a wrong order";
}

/* ---- Stages ---------------------------------------------------------------------------------------------------------- */

static bool with_ports(const struct simulation *m, const struct stage *s)
{
    return m->lanes->ports && lanes_group(s->phase) == GROUP_LANE;
}

static struct sim_value combined(struct simulation *m, int last)
{
    struct sim_value sum = m->operand[last];
    for (int i = last - 1; i >= 0; i--)
        fold(m, &m->operand[i], &sum);
    return sum;
}

static void perform_slice(struct simulation *m, const int *rank, int count, int64_t slice, int root)
{
    const struct stage *all = m->stage, *first = &all[rank[0]];
    const enum collective c = lanes_collective(m->lanes->collective, first->phase);
    const bool streams = collective_streams(c);
    const bool ports = with_ports(m, first);
    const struct shape readers = {.readers = ports ? READERS_ALL : first->readers, .reader = first->reader};
    for (int i = 0; i < count; i++) {
        const bool reads = streams ? i == root : !(collective_traits[c].exclusive && i == count - 1);
        if (reads)
            m->operand[i] = read_slice(m, rank[i], streams ? all[rank[i]].to : all[rank[i]].from, slice);
    }
    for (int i = 0; i < count && !m->wrong; i++)
        if (collective_writes(c, i, root) && shape_reads(&readers, i))
            write_slice(m, rank[i], all[rank[i]].to, slice,
                        streams ? m->operand[root] : combined(m, collective_last(c, i, count)));
}

static void perform(struct simulation *m, const int *rank, int count)
{
    const struct stage *first = &m->stage[rank[0]];
    if (first->root < 0 || first->root >= count || first->slices > count)
        m->wrong = "the root of a stage is not in its group";
    for (int i = 0; i < count && !m->wrong; i++) {
        const struct stage *x = &m->stage[rank[i]];
        if (x->phase != first->phase || x->root != first->root || x->slice != first->slice || x->slices != first->slices ||
            x->readers != first->readers || (x->reader != first->reader && !with_ports(m, first)))
            m->wrong = "ranks perform different stages";
    }
    for (int i = 0; i < first->slices && !m->wrong; i++)
        perform_slice(m, rank, count, first->slice + i, (first->root + i) % count);
}

/* From each node's reader to its other ranks. */
static void spread_slice(struct simulation *m)
{
    const struct node_list *nodes = m->lanes->nodes;
    for (int r = 0; r < nodes->ranks && !m->wrong; r++) {
        const struct stage *s = &m->stage[r];
        const int reader = node_list_rank(nodes, nodes->node[r], s->reader);
        if (s->readers == READERS_ALL && r != reader)
            write_slice(m, r, s->to, s->slice, read_slice(m, reader, m->stage[reader].to, s->slice));
    }
}

static void perform_alone(struct simulation *m, int rank)
{
    const struct stage *s = &m->stage[rank];
    const struct sim_value kept = read_slice(m, rank, BUFFER_KEPT, s->slice);
    struct sim_value x = kept;
    if (s->phase == STAGE_ADD) {
        x = read_slice(m, rank, BUFFER_IN, s->slice);
        fold(m, &kept, &x);
    }
    write_slice(m, rank, BUFFER_OUT, s->slice, x);
}

/* With its slice; lanes are those of lanes_member(). */
static bool consistent(const struct simulation *m, struct node_rank self, const struct stage *s)
{
    const struct lanes *l = m->lanes;
    return s->slice >= 0 && s->slice + s->slices <= l->slices &&
           (lanes_group(s->phase) == GROUP_NODE || with_ports(m, s) ||
            self.index == lanes_member(l, self.node, (int)(s->slice % l->lanes)));
}

static void perform_all(struct simulation *m)
{
    const struct node_list *nodes = m->lanes->nodes;
    const bool ports = m->lanes->ports > 0;
    int in_lane = 0;
    for (int n = 0; n < nodes->nodes && !m->wrong; n++) {
        const int *rank = nodes->rank + nodes->first[n], size = nodes->first[n + 1] - nodes->first[n], before = in_lane;
        int on_node = 0;
        for (int i = 0; i < size; i++) {
            if (!m->takes[rank[i]])
                continue;
            const enum stage_group group = lanes_group(m->stage[rank[i]].phase);
            if (!consistent(m, (struct node_rank){n, i}, &m->stage[rank[i]])) {
                m->wrong = "a stage does not fit its lane";
                return;
            }
            on_node += group == GROUP_NODE;
            if (group == GROUP_SELF)
                perform_alone(m, rank[i]);
            else if (group == GROUP_LANE && (!ports || m->stage[rank[i]].reader == i))
                m->member[in_lane++] = rank[i];
        }
        if ((on_node && on_node != size) || in_lane - before > 1)
            m->wrong = "a group on a node, or a lane there, is not whole";
        else if (on_node)
            perform(m, rank, size);
    }
    if (in_lane && in_lane != nodes->nodes)
        m->wrong = "a lane lacks nodes";
    else if (in_lane && !m->wrong) {
        perform(m, m->member, in_lane);
        if (with_ports(m, &m->stage[m->member[0]]) && !m->wrong)
            spread_slice(m);
    }
}

/* ---- A call ---------------------------------------------------------------------------------------------------------- */

static void fill_memory(struct simulation *m)
{
    const enum collective c = m->shape.collective;
    for (int r = 0; r < m->shape.ranks; r++)
        for (int64_t i = 0; i < m->lanes->slices; i++) {
            struct sim_value x = collective_streams(c) ? sim_block(i) : sim_operand(r);
            x.tag = i;
            if (collective_reduces(c))
                m->memory[r].in[i] = x;
            if (same_memory(m, r) || collective_source(c, r, m->shape.root))
                m->memory[r].out[i] = x;
        }
}

static void check_results(struct simulation *m)
{
    uint64_t *weights = sim_weights(m->shape.ranks);
    for (int r = 0; r < m->shape.ranks && weights; r++)
        for (int64_t i = 0; i < m->lanes->slices; i++)
            if (!sim_right(&m->shape, weights, r, i, &m->memory[r].out[i]))
                m->wrong = "a result is wrong";
    if (!weights)
        m->wrong = "out of memory";
    free(weights);
}

static void run(struct simulation *m, lanes_stage_of *stage_of, void *self)
{
    const int64_t stages = lanes_stages(m->lanes);
    fill_memory(m);
    for (int64_t i = 0; i < stages && !m->wrong; i++) {
        for (int r = 0; r < m->shape.ranks; r++)
            m->takes[r] = stage_of(m->lanes, r, i, &m->stage[r], self);
        perform_all(m);
    }
    if (!m->wrong)
        check_results(m);
}

const char *simulate_lanes(const struct lanes *l, int root, bool in_place, lanes_stage_of *stage_of, void *self)
{
    const size_t p = (size_t)l->nodes->ranks, slices = (size_t)l->slices;
    struct simulation m = {
        .lanes = l,
        .shape = {.collective = l->collective, .ordered = l->ordered, .ranks = (int)p, .root = root},
        .in_place = in_place,
        .memory = calloc(p, sizeof *m.memory),
        .stage = calloc(p, sizeof *m.stage),
        .takes = calloc(p, sizeof *m.takes),
        .member = calloc(p, sizeof *m.member),
        .operand = calloc(p, sizeof *m.operand),
    };
    struct sim_value *values = calloc(2 * p * slices, sizeof *values);
    if (m.memory && m.stage && m.takes && m.member && m.operand && values) {
        for (size_t r = 0; r < p; r++)
            m.memory[r] = (struct rank_memory){.in = values + 2 * r * slices, .out = values + (2 * r + 1) * slices};
        run(&m, stage_of, self);
    } else
        m.wrong = "out of memory";
    free(values);
    free(m.memory);
    free(m.stage);
    free(m.takes);
    free(m.member);
    free(m.operand);
    return m.wrong;
}
