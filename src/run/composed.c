/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Composed operations: stages (lanes.h), each an operation for the loop, by rounds in a node's segment or by messages
 * between nodes. Made when it runs, or once if each phase has one, by its phase's plan. All stages are one call of the
 * channel; their tags depend on the call and the stage.
 *
 * A rank that fails but goes on passes the error to the ranks that use its data. If it cannot go on, it gives up its rounds
 * in all later stages, so that its node does not wait.
 */
#include "execution.h"
#include "hash.h"
#include "own_memory.h"
#include "stages.h"

#include <stdlib.h>

struct position {
    int ranks, at;
};

static struct position position_in(const struct composition *c, enum stage_group group)
{
    const int *first = c->lanes.nodes->first, n = c->self.node;
    return group == GROUP_LANE ? (struct position){c->lanes.nodes->nodes, n}
                               : (struct position){first[n + 1] - first[n], c->self.index};
}

/* Of `count` units: bytes of one stretch of memory in a broadcast. */
static void make_stage(const struct operation *o, const struct stage *s, int64_t count, struct operation *stage)
{
    const struct composition *c = &o->composition;
    const struct position p = position_in(c, lanes_group(s->phase));
    const struct machine machine = {
        .node_least = c->lanes.ports, .domain = c->domain, .cell = c->cell, .node_places = {c->places, c->places}};
    const bool bytes = collective_streams(o->facts.collective);
    struct facts call = o->facts;
    struct stage_facts facts;
    call.machine = &machine;
    stage_facts(&facts, &call, &o->plan, s->phase, p.ranks, s->root, count);
    *stage =
        (struct operation){.facts = facts.facts,
                           .datatype = bytes ? MPI_BYTE : o->datatype,
                           .in_place = s->from == s->to || (o->in_place && s->from != BUFFER_KEPT && s->to != BUFFER_KEPT),
                           .plan = c->plan[s->phase],
                           .element = o->element,
                           .map = bytes ? NULL : o->map,
                           .op = o->op,
                           .fold = o->fold};
    stage->facts.readers = s->readers; /* on this node */
    stage->facts.reader = s->reader;
    if (stage->facts.ports.most) {
        stage->facts.ports.self = c->self.index;
        stage->facts.ports.ranks = position_in(c, GROUP_NODE).ranks;
    }
    if (bytes)
        stage->element = (struct extents){.size = 1, .extent = 1, .end = 1, .plain = true};
    if (stage->plan.blocks > stage->facts.units)
        stage->plan.blocks = stage->facts.units;
    operation_make(stage, p.at);
    stage->facts.machine = NULL;
}

void operation_compose(struct operation *o, const struct settings *s, const struct rule *rule, const struct node_list *nodes,
                       int rank)
{
    const int *first = &nodes->first[nodes->node[rank]];
    o->composition.lanes.nodes = nodes;
    stages_plan(s, rule, &o->facts, &o->plan, first[1] - first[0], nodes->node[o->facts.root], o->composition.plan);
}

void composition_make(struct operation *o, int rank)
{
    struct composition *c = &o->composition;
    const struct facts *f = &o->facts;
    composition_drop(c);
    c->lanes = (struct lanes){.collective = f->collective,
                              .ordered = f->op == OP_ORDERED,
                              .root = node_rank_of(c->lanes.nodes, f->root),
                              .lanes = whole_lanes(&o->plan, f->collective),
                              .slices = o->plan.blocks,
                              .ports = whole_ports(&o->plan, f->collective),
                              .scatters = lanes_scatter(f->collective, whole_lanes(&o->plan, f->collective), o->plan.blocks),
                              .nodes = c->lanes.nodes};
    c->self = node_rank_of(c->lanes.nodes, rank);
    c->domain = f->machine->domain;
    c->cell = f->machine->cell;
    c->places = f->machine->node_places[facts_source(f)];
    c->kept = c->kept_agreed = 0;
    if (collective_reduces(f->collective)) {
        c->room = extents_span(&o->element, cut_largest(&o->cut), &o->slot_at);
        c->kept = lanes_kept(&c->lanes) * c->room;
        c->kept_agreed = lanes_kept(&c->lanes) * span_align(cut_largest(&o->cut) * o->unit);
    }
    o->scratch = o->scratch_agreed = 0;
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++) {
        struct operation stage;
        if (!c->plan[phase].engine)
            continue;
        const bool parts = lanes_parts(f->collective, c->lanes.ordered, phase);
        make_stage(o, &(struct stage){.phase = phase, .to = BUFFER_OUT}, stage_units(f, &o->plan, parts), &stage);
        if (phase == STAGE_LANE)
            c->order = stage.order;
        o->scratch = stage.scratch > o->scratch ? stage.scratch : o->scratch;
        o->scratch_agreed = stage.scratch_agreed > o->scratch_agreed ? stage.scratch_agreed : o->scratch_agreed;
    }
    o->scratch += c->kept;
    o->scratch_agreed += c->kept_agreed;
}

struct composed_run {
    const struct operation *o;
    const struct view *view;
    struct channel *channel;
    struct run_of_call call;
    char *stream; /* a broadcast's data in one stretch; NULL: no memory for a copy */
    char *kept;   /* element 0 of the slice kept between stages */
    int failed;   /* the error with which this rank goes on */
};

/* Of the stage's first unit, number `first` of the message. It may lie before KEPT, which has only this lane's slices. */
static void *slice_in(const struct composed_run *r, const struct stage *s, enum stage_buffer buffer, int64_t first)
{
    const struct operation *o = r->o;
    const struct view *v = r->view;
    if (collective_streams(o->facts.collective))
        return r->stream ? r->stream + first : NULL;
    if (buffer == BUFFER_KEPT) {
        const struct composition *c = &o->composition;
        const int lane = lanes_lane(&c->lanes, c->self);
        const int64_t own = s->slices > 1 && lane != NOBODY ? s->slice + lane : s->slice;
        char *const room = displaced(r->kept, own / c->lanes.lanes % lanes_kept(&c->lanes) * c->room);
        return displaced(room, (ptrdiff_t)((first - cut_offset(&o->cut, own)) * o->element.extent));
    }
    return displaced(buffer == BUFFER_IN ? v->in : v->out, (ptrdiff_t)(first * r->o->element.extent));
}

static struct view view_of(const struct composed_run *r, const struct operation *stage, const struct stage *s, int64_t first,
                           int64_t count)
{
    const bool reduces = collective_reduces(stage->facts.collective);
    return (struct view){.in = reduces ? slice_in(r, s, s->from, first) : NULL,
                         .out = slice_in(r, s, s->to, first),
                         .count = count,
                         .datatype = stage->datatype,
                         .op = reduces ? r->view->op : MPI_OP_NULL,
                         .own_op = r->view->own_op,
                         .error = r->failed};
}

/* Of this rank alone: to = KEPT (+) IN, or to = KEPT. */
static int act_alone(const struct composed_run *r, const struct stage *s, int64_t first, int64_t count)
{
    const struct operation *o = r->o;
    const struct view *v = r->view;
    char *to = slice_in(r, s, BUFFER_OUT, first);
    const bool adds = s->phase == STAGE_ADD;
    elements_copy(o, slice_in(r, s, adds ? BUFFER_IN : BUFFER_KEPT, first), to, count);
    return adds ? elements_combine(r->channel->mpi, o, v, slice_in(r, s, BUFFER_KEPT, first), to, count) : MPI_SUCCESS;
}

static int64_t units_in(const struct operation *o, const struct stage *s)
{
    return cut_offset(&o->cut, s->slice + s->slices) - cut_offset(&o->cut, s->slice);
}

static void make_ready(const struct operation *o, const struct stage *s, int64_t number, struct operation *stage)
{
    make_stage(o, s, units_in(o, s), stage);
    if (lanes_group(s->phase) == GROUP_LANE)
        stage->order = o->composition.lanes.nodes->lane;
    stage->meaning = mix64(o->meaning + (uint64_t)number);
}

/* `made`: or NULL. An error if this rank cannot go on. */
static int run_stage(struct composed_run *r, const struct stage *s, int64_t number, struct operation *made)
{
    const struct operation *o = r->o;
    const int64_t first = cut_offset(&o->cut, s->slice), count = units_in(o, s);
    struct operation stage;
    if (lanes_group(s->phase) == GROUP_SELF) {
        if (r->failed == MPI_SUCCESS)
            r->failed = act_alone(r, s, first, count);
        return MPI_SUCCESS;
    }
    if (made) {
        made->op = o->op;
        made->fold = o->fold;
    } else
        make_ready(o, s, number, made = &stage);
    const struct view v = view_of(r, made, s, first, count);
    return operation_execute(made, &v, r->channel, &r->call, &r->failed);
}

struct kept_stage {
    struct stage stage;
    struct operation operation; /* owns its schedule and tape alone */
};

struct kept_stages {
    int count;
    struct kept_stage stage[];
};

void composition_drop(struct composition *c)
{
    for (int i = 0; c->stages && i < c->stages->count; i++) {
        struct operation *stage = &c->stages->stage[i].operation;
        stage->map = NULL; /* the whole call's */
        operation_end(stage);
    }
    own_memory_free(c->stages);
    c->stages = NULL;
}

void composition_keep(struct operation *o)
{
    struct composition *c = &o->composition;
    const int64_t stages = lanes_stages(&c->lanes);
    struct stage s;
    int count = 0;
    if (c->stages || c->lanes.slices > 1)
        return;
    for (int64_t i = 0; i < stages; i++)
        count += lanes_stage(&c->lanes, c->self, i, &s);
    struct kept_stages *kept = own_memory(sizeof *kept + (size_t)count * sizeof *kept->stage);
    if (!kept)
        return;
    kept->count = 0;
    for (int64_t i = 0; i < stages; i++) {
        struct kept_stage *k = &kept->stage[kept->count];
        if (!lanes_stage(&c->lanes, c->self, i, &k->stage))
            continue;
        kept->count++;
        k->operation = (struct operation){.count = 0};
        if (lanes_group(k->stage.phase) == GROUP_SELF)
            continue;
        make_ready(o, &k->stage, i, &k->operation);
        operation_keep(&k->operation);
    }
    c->stages = kept;
}

static void skip_stage(const struct composed_run *r, const struct stage *s)
{
    struct operation stage;
    struct walk *const walk = r->channel->walk;
    if (lanes_group(s->phase) != GROUP_NODE && !(lanes_group(s->phase) == GROUP_LANE && r->o->composition.lanes.ports))
        return;
    make_stage(r->o, s, units_in(r->o, s), &stage);
    engine_walk(stage.plan.engine, walk, &stage.shape, stage.at);
    rounds_skip(r->channel->segment, &stage, walk->schedule.rounds);
}

/* Sets the ranks of this rank's lane or port, by position. Found anew each time, as the order of places may change. */
static void find_lane(const struct composition *c)
{
    const struct lanes *l = &c->lanes;
    const struct node_list *nodes = l->nodes;
    const int port = c->self.index < l->ports ? c->self.index : NOBODY;
    const int lane = l->ports ? port : lanes_lane(l, c->self);
    const struct lane_held held = {c->order ? 0 : l->lanes, l->ports, lane, l->collective, l->root};
    if (lane == NOBODY || (held.lanes && lane_held_same(&held, nodes->held)))
        return;
    *nodes->held = held;
    for (int i = 0; i < nodes->nodes; i++) {
        const int n = c->order ? c->order[i] : i;
        nodes->lane[i] = node_list_rank(nodes, n, l->ports ? port : lanes_member(l, n, lane));
    }
}

static int run_or_skip(struct composed_run *r, const struct stage *s, int64_t number, struct operation *made, int error)
{
    if (error == MPI_SUCCESS)
        return run_stage(r, s, number, made);
    skip_stage(r, s);
    return error;
}

static int run_stages(struct composed_run *r)
{
    const struct composition *c = &r->o->composition;
    const int64_t stages = c->stages ? c->stages->count : lanes_stages(&c->lanes);
    struct stage s;
    int error = MPI_SUCCESS;
    find_lane(c);
    for (int64_t i = 0; i < stages; i++) {
        struct kept_stage *kept = c->stages ? &c->stages->stage[i] : NULL;
        if (kept || lanes_stage(&c->lanes, c->self, i, &s))
            error = run_or_skip(r, kept ? &kept->stage : &s, i, kept ? &kept->operation : NULL, error);
    }
    return error != MPI_SUCCESS ? error : r->failed;
}

/* A broadcast with gaps: runs all stages on a packed copy. */
static int run_packed(struct composed_run *r)
{
    const struct operation *o = r->o;
    const bool source = r->call.rank == o->facts.root;
    if (source && r->failed == MPI_SUCCESS)
        typemap_pack(o->map, r->view->out, 0, o->facts.bytes, r->stream);
    const int error = run_stages(r);
    if (!source && error == MPI_SUCCESS)
        typemap_unpack(o->map, r->view->out, 0, o->facts.bytes, r->stream);
    return error;
}

int composed_run(const struct operation *o, const struct view *v, struct channel *channel, const struct run_of_call *call)
{
    const bool stream = collective_streams(o->facts.collective), packs = stream && !o->gapless;
    struct composed_run r = {.o = o, .view = v, .channel = channel, .call = *call, .failed = v->error};
    char *const scratch = channel->scratch, *const packed = packs ? malloc((size_t)o->facts.bytes) : NULL;
    const int64_t bytes = channel->bytes;
    const bool lacks = o->scratch > bytes || operation_lacks_map(o) || (packs && !packed);
    const int64_t kept = lacks ? o->composition.kept_agreed : o->composition.kept;
    if (lacks && r.failed == MPI_SUCCESS)
        r.failed = MPI_ERR_NO_MEM;
    if (lacks)
        r.call.drop = scratch;
    r.stream = packs ? packed : stream ? displaced(v->out, o->stream_at) : NULL;
    r.kept = displaced(scratch, o->slot_at);
    channel->scratch += kept;
    channel->bytes -= kept;
    const int error = packs ? run_packed(&r) : run_stages(&r);
    channel->scratch = scratch;
    channel->bytes = bytes;
    free(packed);
    return error;
}
