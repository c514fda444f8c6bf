/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * short_calls [NODES RANKS [COLLECTIVE BYTES..]] prints the simulated microseconds of calls on nodes of so many ranks: by
 * the choice of the library and by what MPI libraries do, as TSV. It goes through the schedules of the library itself. The
 * rows `limit' are T(node) + T(wire) + T(node): the least times of the stages of lanes and multiport on nodes and between
 * them, each stage alone, for any number of lanes or ports.
 *
 * Each rank has a clock. The constants below are the figures of the machine: the start of a call, a look at what another
 * rank of the node has written, and a network. A rank spends GAP on each message between nodes. The card of a node sends one
 * message after the other, and receives likewise; each takes CARD, or longer if it has many bytes. The memory of a node
 * slows no rank down, so messages are short; or ranks a node are few.
 *
 * CALL and LOOK were fitted to the sums of 256 bytes in doc/shared-memory, MESSAGE to a native message between two ranks of
 * that node. Without arguments the program prints times that were measured there beside its own.
 *
 * The natives are compositions, from the documents and sources of MPI libraries; the root is rank 0:
 *
 *     mpich    binomial trees on nodes and between the first ranks of nodes; an all-reduce has recursive doubling between
 *              them. A scan doubles on nodes and between them, an exscan among all ranks
 *     tuned    Open MPI's, which knows no nodes: binomial trees, recursive doubling, scans along a line of ranks
 *     han      Open MPI's: between nodes as mpich. On a node one rank reads what the others have written, and in the end all
 *              read what one has written. Scans are those of tuned
 *
 * Each call is also made on messages in parts: sums are halved, then gathered; broadcasts are scattered, then gathered by
 * doubling. The faster form counts. Rings and pipelines of these libraries are left out.
 */
#include "cell.h"
#include "settings.h"
#include "stages.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double CALL = 1.2e-6, LOOK = 0.2e-6, MESSAGE = 1.1e-6; /* seconds */
static const double COPY = 0.1e-9, FOLD = 0.1e-9;                   /* seconds per byte */
static const double ALPHA = 2e-6, BETA = 0.08e-9, GAP = 0.4e-6, CARD = 0.05e-6;

enum { ROOM = 1 << 12 }; /* most ranks */

/* ---- Ranks ----------------------------------------------------------------------------------------------------------- */

/* What a rank has told others: a turn of a round of a stage, or a message. */
struct told {
    int stage, to, turn; /* to: NOBODY if it is a turn */
    int64_t round;
    double at; /* when others can see it */
    bool taken;
};

/* A step of a native call: any of a message out and one in. */
struct native_step {
    int to, from;
    double bytes, folded;
};

static struct clock_of_rank {
    double now;
    int stage; /* number of the stage that the rank is in */
    bool walks, holds;
    struct walk walk;
    struct step step;
    struct told *told;
    int tolds, tolds_room;
    struct native_step *native;
    int natives, natives_room, at;
    bool sent; /* the message out of the step at hand */
    int waits; /* next of the ranks that wait for the same rank; NOBODY at the end */
    int waiters;
} * ranks;

static struct node_list *nodes;
static double *card_out, *card_in; /* by node: when the card is free */
static int heap[ROOM], heaped;

static void grow(void **p, int count, int *room, size_t size)
{
    if (count < *room)
        return;
    *room = 2 * *room + 8;
    *p = realloc(*p, (size_t)*room * size);
    assert(*p);
}

static void tell(int rank, struct told x)
{
    struct clock_of_rank *r = &ranks[rank];
    grow((void **)&r->told, r->tolds, &r->tolds_room, sizeof *r->told);
    r->told[r->tolds++] = x;
}

/* ---- Order of time --------------------------------------------------------------------------------------------------- */

static bool sooner(int a, int b)
{
    return ranks[a].now < ranks[b].now || (ranks[a].now == ranks[b].now && a < b); // NOLINT: one order on all machines
}

static void put(int rank)
{
    int i = heaped++;
    assert(heaped <= ROOM);
    for (; i > 0 && sooner(rank, heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = rank;
}

static int take(void)
{
    const int first = heap[0], last = heap[--heaped];
    int i = 0;
    for (int child; (child = 2 * i + 1) < heaped; i = child) {
        child += child + 1 < heaped && sooner(heap[child + 1], heap[child]);
        if (!sooner(heap[child], last))
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return first;
}

static void wait_for(int rank, int other)
{
    ranks[rank].waits = ranks[other].waiters;
    ranks[other].waiters = rank;
}

static void wake_all(int rank)
{
    int next = ranks[rank].waiters;
    ranks[rank].waiters = NOBODY;
    while (next != NOBODY) {
        const int r = next;
        next = ranks[r].waits;
        put(r);
    }
}

/* ---- Messages -------------------------------------------------------------------------------------------------------- */

static void send(int rank, int stage, int to, double bytes)
{
    struct clock_of_rank *r = &ranks[rank];
    const int here = nodes->node[rank], there = nodes->node[to];
    double at;
    if (here == there)
        at = r->now += bytes * COPY;
    else {
        r->now += GAP;
        const double begin = fmax(r->now, card_out[here]), wire = fmax(CARD, bytes * BETA);
        card_out[here] = begin + wire;
        at = fmax(begin + ALPHA - GAP, card_in[there]) + wire; /* the last byte is there */
        card_in[there] = at;
    }
    tell(rank, (struct told){.stage = stage, .to = to, .at = at});
}

/* Takes the next message from a rank. Returns false if it is not sent yet. */
static bool receive(int rank, int stage, int from, double bytes)
{
    struct clock_of_rank *r = &ranks[rank], *s = &ranks[from];
    for (int i = 0; i < s->tolds; i++) {
        struct told *x = &s->told[i];
        if (x->to == rank && x->stage == stage && !x->taken) {
            const bool near = nodes->node[rank] == nodes->node[from];
            x->taken = true;
            r->now = fmax(r->now, x->at) + (near ? MESSAGE + bytes * COPY : 0);
            return true;
        }
    }
    wait_for(rank, from);
    return false;
}

/* Performs an exchange, or the part of it that is left. Returns false if the message in is not sent yet. */
static bool exchange(int rank, int stage, int to, double out, int from, double in)
{
    struct clock_of_rank *r = &ranks[rank];
    if (to != NOBODY && !r->sent) {
        send(rank, stage, to, out);
        wake_all(rank);
    }
    r->sent = true;
    if (from != NOBODY && !receive(rank, stage, from, in))
        return false;
    r->sent = false;
    return true;
}

/* ---- Calls of the library -------------------------------------------------------------------------------------------- */

static struct planned {
    struct facts facts;
    const struct engine *alone; /* serves the whole call, which is not composed; else NULL */
    struct plan whole, plan[STAGE_PHASES];
    enum stage_phase only; /* the phase whose stages alone are made; STAGE_PHASES: all */
    struct lanes lanes;
} call;

struct own_stage {
    struct stage stage;
    struct shape shape;
    struct cut cut;
    const struct engine *engine;
    double unit;
};

static int64_t stages(void)
{
    return call.alone ? 1 : lanes_stages(&call.lanes);
}

/* The rank's part in a stage; false: it has none. */
static bool own_stage(int rank, int number, struct own_stage *own)
{
    const struct node_rank self = node_rank_of(nodes, rank);
    struct stage_facts s;
    own->unit = (double)(call.facts.bytes / call.facts.units);
    if (call.alone) {
        own->stage.phase = STAGE_GATHER;
        own->engine = call.alone;
        own->shape = choose_shape(&call.facts, call.whole.blocks);
        own->shape.wide = call.whole.wide;
        own->cut = (struct cut){
            .units = call.facts.units, .blocks = call.whole.blocks, .parts = engine_parts(call.alone, &own->shape)};
        return true;
    }
    if (!lanes_stage(&call.lanes, self, number, &own->stage) || (call.only != STAGE_PHASES && call.only != own->stage.phase))
        return false;
    const enum stage_phase phase = own->stage.phase;
    const int on_node = nodes->first[self.node + 1] - nodes->first[self.node];
    const bool lane = lanes_group(phase) == GROUP_LANE;
    if (lanes_group(phase) == GROUP_SELF) {
        own->engine = NULL;
        return true;
    }
    const struct cut slices = {.units = call.facts.units, .blocks = call.whole.blocks, .parts = 1};
    const int64_t units = cut_offset(&slices, own->stage.slice + own->stage.slices) - cut_offset(&slices, own->stage.slice);
    stage_facts(&s, &call.facts, &call.whole, phase, lane ? nodes->nodes : on_node, own->stage.root, units);
    s.facts.readers = own->stage.readers;
    s.facts.reader = own->stage.reader;
    if (s.facts.ports.most) {
        s.facts.ports.self = self.index;
        s.facts.ports.ranks = on_node;
    }
    const bool ports = s.facts.ports.ranks > 0;
    own->engine = call.plan[phase].engine;
    const int64_t blocks = call.plan[phase].blocks < units ? call.plan[phase].blocks : units;
    own->shape = choose_shape(&s.facts, ports ? nodes->nodes : blocks);
    own->shape.wide = ports ? nodes->nodes : call.plan[phase].wide;
    own->cut = (struct cut){.units = units,
                            .blocks = ports ? 1 : own->shape.blocks,
                            .parts = ports ? 1 : engine_parts(own->engine, &own->shape)};
    return true;
}

static double bytes_of(const struct own_stage *own, struct piece p)
{
    if (own->shape.ports.ranks)
        return (double)(p.more + 1) * (double)own->cut.units * own->unit;
    const int64_t n = own->cut.blocks, end = p.block + p.more + 1; /* it may go around the end */
    const int64_t units = end <= n ? cut_offset(&own->cut, end) : own->cut.units + cut_offset(&own->cut, end - n);
    return (double)(units - cut_offset(&own->cut, p.block)) * own->unit;
}

/* The rank at a position of the stage. */
static int rank_in(const struct own_stage *own, int rank, int position, bool on_wire)
{
    const struct node_rank self = node_rank_of(nodes, rank);
    if (position == NOBODY || call.alone)
        return position;
    if (!on_wire)
        return node_list_rank(nodes, self.node, position);
    const bool ports = own->shape.ports.ranks > 0;
    return node_list_rank(nodes, position,
                          ports ? self.index : lanes_member(&call.lanes, position, lanes_lane(&call.lanes, self)));
}

enum { LEFT = SEGMENT_TURNS }; /* the turn of a rank that has left the round */

/* The time when others see that the rank has come to the turn; -1: it has not. */
static double told_at(int rank, int stage, int64_t round, int turn)
{
    const struct clock_of_rank *s = &ranks[rank];
    for (int i = 0; i < s->tolds; i++) {
        const struct told *x = &s->told[i];
        if (x->to == NOBODY && x->stage == stage && x->round == round && x->turn >= turn)
            return x->at;
    }
    return -1;
}

/* Looks at the turn of a rank. Returns false if that rank has not come to it yet. */
static bool await(int rank, int stage, int other, int64_t round, int turn)
{
    struct clock_of_rank *r = &ranks[rank];
    const double at = told_at(other, stage, round, turn);
    if (at < 0) {
        wait_for(rank, other);
        return false;
    }
    r->now = fmax(r->now, at) + (other == rank ? 0 : LOOK);
    return true;
}

static bool await_all(int rank, const struct own_stage *own, const struct step *x)
{
    const double before = ranks[rank].now;
    bool all = true;
    for (int i = 0; i < own->shape.ranks && all; i++)
        all = await(rank, ranks[rank].stage, rank_in(own, rank, i, false), x->when, x->turn);
    if (!all)
        ranks[rank].now = before;
    return all;
}

/*
 * Waits until all ranks, or the only reader, have left the round that had the cell of this round before, in this stage. One
 * look serves for many rounds, so it takes no time.
 */
static bool await_free(int rank, const struct own_stage *own, const struct step *x)
{
    const int stage = ranks[rank].stage, reader = rank_in(own, rank, x->from, false);
    double left = 0;
    for (int i = 0; x->when >= SEGMENT_DEPTH && i < own->shape.ranks; i++) {
        const int other = reader == NOBODY ? rank_in(own, rank, i, false) : reader;
        const double at = told_at(other, stage, x->when - SEGMENT_DEPTH, LEFT);
        if (at < 0) {
            wait_for(rank, other);
            return false;
        }
        left = fmax(left, at);
    }
    ranks[rank].now = fmax(ranks[rank].now, left);
    return true;
}

/* Performs a step of a schedule. Returns false if the rank has to wait first. */
static bool perform(int rank, const struct own_stage *own, const struct step *x)
{
    struct clock_of_rank *r = &ranks[rank];
    switch (x->kind) {
    case STEP_EXCHANGE:
        return exchange(rank, r->stage, rank_in(own, rank, x->to, true), x->to == NOBODY ? 0 : bytes_of(own, x->a),
                        rank_in(own, rank, x->from, true), x->from == NOBODY ? 0 : bytes_of(own, x->b));
    case STEP_AWAIT:
        return await(rank, r->stage, rank_in(own, rank, x->from, false), x->when, x->turn);
    case STEP_AWAIT_ALL:
        return await_all(rank, own, x);
    case STEP_AWAIT_FREE:
        return await_free(rank, own, x);
    case STEP_TELL:
    case STEP_LEAVE:
        tell(rank, (struct told){.stage = r->stage,
                                 .to = NOBODY,
                                 .round = x->when,
                                 .turn = x->kind == STEP_TELL ? x->turn : LEFT,
                                 .at = r->now});
        wake_all(rank);
        return true;
    case STEP_COPY:
    case STEP_FOLD:
    case STEP_FOLD_INTO:
        r->now += bytes_of(own, x->a) * (x->kind == STEP_COPY ? COPY : FOLD);
    }
    return true;
}

/* Goes on until the rank has to wait, or for one step. Returns false if it waits, or has come to the end. */
static bool go_on(int rank)
{
    struct clock_of_rank *r = &ranks[rank];
    struct own_stage own;
    while (r->stage < stages()) {
        if (!own_stage(rank, r->stage, &own) || !own.engine) {
            r->stage++;
            continue;
        }
        const struct node_rank self = node_rank_of(nodes, rank);
        const bool lane = lanes_group(own.stage.phase) == GROUP_LANE;
        if (!r->walks)
            engine_walk(own.engine, &r->walk, &own.shape, call.alone ? rank : lane ? self.node : self.index);
        r->walks = true;
        if (r->holds || walk_next(&r->walk, &r->step)) {
            r->holds = !perform(rank, &own, &r->step);
            return !r->holds;
        }
        r->walks = false;
        r->stage++;
    }
    return false;
}

/* ---- Native calls ---------------------------------------------------------------------------------------------------- */

static void add(int rank, struct native_step x)
{
    struct clock_of_rank *r = &ranks[rank];
    grow((void **)&r->native, r->natives, &r->natives_room, sizeof *r->native);
    r->native[r->natives++] = x;
}

static void message(int from, int to, double bytes, bool folds)
{
    add(from, (struct native_step){.to = to, .from = NOBODY, .bytes = bytes});
    add(to, (struct native_step){.to = NOBODY, .from = from, .bytes = bytes, .folded = folds ? bytes : 0});
}

static void both(int a, int b, double bytes, double folded)
{
    add(a, (struct native_step){.to = b, .from = b, .bytes = bytes, .folded = folded});
    add(b, (struct native_step){.to = a, .from = a, .bytes = bytes, .folded = folded});
}

/* The ranks first, first + stride, .. are `count` ranks. In these trees, rank number 0 is the root. */
struct row {
    int first, stride, count;
};

static int in_row(struct row r, int i)
{
    return r.first + i * r.stride;
}

/* `scatters`: each rank gets its part, and those of the ranks below it. */
static void tree_down(struct row r, double m, bool scatters)
{
    int top = 1;
    while (top < r.count)
        top *= 2;
    for (int d = top / 2; d > 0; d /= 2)
        for (int i = 0; i + d < r.count; i += 2 * d)
            message(in_row(r, i), in_row(r, i + d), scatters ? m / top * d : m, false);
}

static void tree_up(struct row r, double m, bool gathers)
{
    for (int d = 1; d < r.count; d *= 2)
        for (int i = 0; i + d < r.count; i += 2 * d)
            message(in_row(r, i + d), in_row(r, i), gathers ? m / r.count * d : m, !gathers);
}

static void flat_up(struct row r, double m)
{
    for (int i = 1; i < r.count; i++)
        message(in_row(r, i), r.first, m, true);
}

static void flat_down(struct row r, double m)
{
    for (int i = 1; i < r.count; i++)
        message(r.first, in_row(r, i), m, false);
}

/* Among 2^k ranks: all exchange with ranks at distance 1, 2, 4, .. The bytes grow by a factor from one step to the next. */
static void pairs(struct row r, double bytes, double growth, bool folds)
{
    for (int d = 1; d < r.count; d *= 2, bytes *= growth)
        for (int i = 0; i < r.count; i++)
            if (!(i & d))
                both(in_row(r, i), in_row(r, i | d), bytes, folds ? bytes : 0);
}

static bool parts; /* messages go in parts, among 2^k ranks */

static bool has_parts(struct row r)
{
    return parts && (r.count & (r.count - 1)) == 0;
}

static void broadcast(struct row r, double m)
{
    const bool scatters = has_parts(r);
    tree_down(r, m, scatters);
    if (scatters)
        pairs(r, m / r.count, 2, false);
}

static void reduction(struct row r, double m)
{
    const bool halves = has_parts(r);
    if (halves)
        pairs(r, m / 2, 0.5, true);
    tree_up(r, m, halves);
}

/* The ranks beyond a power of two hand their operands over. */
static void all_reduction(struct row r, double m)
{
    struct row all = {r.first, r.stride, 1};
    while (2 * all.count <= r.count)
        all.count *= 2;
    for (int i = all.count; i < r.count; i++)
        message(in_row(r, i), in_row(r, i - all.count), m, true);
    if (parts) {
        pairs(all, m / 2, 0.5, true);
        pairs(all, m / all.count, 2, false);
    } else
        pairs(all, m, 1, true);
    for (int i = all.count; i < r.count; i++)
        message(in_row(r, i - all.count), in_row(r, i), m, false);
}

static void scan_doubling(struct row r, double m)
{
    for (int d = 1; d < r.count; d *= 2)
        for (int i = 0; i < r.count; i++)
            if (!(i & d) && (i ^ d) < r.count)
                both(in_row(r, i), in_row(r, i ^ d), m, 2 * m);
}

static void line(struct row r, double m)
{
    for (int i = 1; i < r.count; i++)
        message(in_row(r, i - 1), in_row(r, i), m, true);
}

enum native_way { MPICH, TUNED, HAN, NATIVE_WAYS };
static const char *const way_names[NATIVE_WAYS] = {"mpich", "tuned", "han"};

static struct row row_of_node(int n)
{
    return (struct row){nodes->first[n], 1, nodes->first[n + 1] - nodes->first[n]};
}

static void native(enum native_way way, enum collective c, double m)
{
    const struct row all = {0, 1, nodes->ranks}, leaders = {0, nodes->first[1], nodes->nodes};
    const bool by_node = way != TUNED && nodes->nodes > 1 && !collective_prefix(c), up = c != COLL_BCAST,
               down = c != COLL_REDUCE;
    if (collective_prefix(c)) {
        if (way != MPICH)
            line(all, m);
        else if (c == COLL_EXSCAN || nodes->nodes == 1)
            scan_doubling(all, m);
        else { /* on nodes, then between them, then to all ranks of a node */
            for (int n = 0; n < nodes->nodes; n++) {
                scan_doubling(row_of_node(n), m);
                message(nodes->first[n + 1] - 1, nodes->first[n], m, false);
            }
            scan_doubling(leaders, m);
            for (int n = 0; n < nodes->nodes; n++)
                add(nodes->first[n], (struct native_step){.to = n + 1 < nodes->nodes ? nodes->first[n + 1] : NOBODY,
                                                          .from = n > 0 ? nodes->first[n - 1] : NOBODY,
                                                          .bytes = m});
            for (int n = 1; n < nodes->nodes; n++)
                broadcast(row_of_node(n), m);
        }
        return;
    }
    for (int n = 0; by_node && up && n < nodes->nodes; n++)
        (way == HAN ? flat_up : reduction)(row_of_node(n), m);
    (c == COLL_ALLREDUCE ? all_reduction : up ? reduction : broadcast)(by_node ? leaders : all, m);
    for (int n = 0; by_node && down && n < nodes->nodes; n++)
        (way == HAN ? flat_down : broadcast)(row_of_node(n), m);
}

static bool go_on_native(int rank)
{
    struct clock_of_rank *r = &ranks[rank];
    if (r->at == r->natives)
        return false;
    const struct native_step *x = &r->native[r->at];
    if (!exchange(rank, 0, x->to, x->bytes, x->from, x->bytes))
        return false;
    r->now += x->folded * FOLD;
    r->at++;
    return true;
}

/* ---- Times ----------------------------------------------------------------------------------------------------------- */

static double run(bool (*step)(int rank))
{
    double end = 0;
    for (int n = 0; n < nodes->nodes; n++)
        card_out[n] = card_in[n] = 0;
    for (int r = 0; r < nodes->ranks; r++) {
        struct clock_of_rank *x = &ranks[r];
        x->now = CALL;
        x->stage = x->tolds = x->at = 0;
        x->walks = x->holds = x->sent = false;
        x->waits = x->waiters = NOBODY;
    }
    for (int r = 0; r < nodes->ranks; r++)
        put(r);
    while (heaped) {
        const int r = take();
        if (step(r))
            put(r);
    }
    for (int r = 0; r < nodes->ranks; r++) {
        assert(step == go_on_native ? ranks[r].at == ranks[r].natives : ranks[r].stage == stages());
        end = fmax(end, ranks[r].now);
    }
    return end;
}

static double native_time(enum native_way way, enum collective c, double m)
{
    double least = INFINITY;
    for (int form = 0; form < 2; form++) {
        parts = form;
        for (int r = 0; r < nodes->ranks; r++)
            ranks[r].natives = 0;
        native(way, c, m);
        least = fmin(least, run(go_on_native));
    }
    return least;
}

static double native_least(enum collective c, int64_t bytes)
{
    double least = INFINITY;
    for (enum native_way way = 0; way < NATIVE_WAYS; way++)
        least = fmin(least, native_time(way, c, (double)bytes));
    return least;
}

static void set_call(const struct machine *m, enum collective c, int64_t bytes)
{
    call.facts = (struct facts){.collective = c,
                                .op = c == COLL_BCAST ? OP_NONE : OP_ROUNDS,
                                .symmetric = c != COLL_BCAST,
                                .ranks = nodes->ranks,
                                .bytes = bytes,
                                .units = c == COLL_BCAST ? bytes : bytes / 8,
                                .machine = m};
}

static double composed_time(const struct settings *s, enum stage_phase only)
{
    const enum collective c = call.facts.collective;
    const int lanes = whole_lanes(&call.whole, c);
    call.alone = NULL;
    call.only = only;
    stages_plan(s, NULL, &call.facts, &call.whole, call.facts.machine->node_ranks, 0, call.plan);
    call.lanes = (struct lanes){.collective = c,
                                .lanes = lanes,
                                .slices = call.whole.blocks,
                                .ports = whole_ports(&call.whole, c),
                                .scatters = lanes_scatter(c, lanes, call.whole.blocks),
                                .nodes = nodes};
    return run(go_on);
}

/* The time by the choice of the library; 0: the call stays native. */
static double own_time(const struct settings *s)
{
    call.whole = choose(s, NULL, &call.facts);
    if (engine_by_mpi(call.whole.engine))
        return 0;
    if (call.whole.engine->serves[call.facts.collective].composed)
        return composed_time(s, STAGE_PHASES);
    call.alone = call.whole.engine;
    return run(go_on);
}

/* Lowers the times of stages to those of the engine, if it can serve the call cut into `blocks`. */
static void lower(const struct settings *s, const char *engine, int blocks, int wide, double least[STAGE_PHASES])
{
    const struct shape shape = choose_shape(&call.facts, blocks);
    call.whole = (struct plan){.engine = engine_find(engine), .blocks = blocks, .wide = wide};
    if (blocks > call.facts.units || !engine_fits(call.whole.engine, &shape))
        return;
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++)
        least[phase] = fmin(least[phase], composed_time(s, phase) - CALL);
}

/* The rounds of the stage between nodes if each node has so many ports. */
static int rounds_by(int ports)
{
    int rounds = 0;
    for (int64_t known = 1; known < nodes->nodes; known *= ports + 1)
        rounds++;
    return rounds;
}

/* Of the numbers of ports that need equally many rounds, the least serves. */
static double limit_time(const struct settings *s)
{
    const int of_each = call.facts.machine->node_ranks;
    double least[STAGE_PHASES], sum = CALL;
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++)
        least[phase] = INFINITY;
    for (int lanes = lanes_one(call.facts.collective, false) ? 1 : of_each; lanes > 0; lanes /= 2)
        lower(s, "lanes", lanes, lanes, least);
    for (int ports = 1; ports <= of_each && ports < nodes->nodes; ports++)
        if (ports == 1 || rounds_by(ports) < rounds_by(ports - 1))
            lower(s, "multiport", 1, ports, least);
    for (enum stage_phase phase = 0; phase < STAGE_PHASES; phase++)
        sum += least[phase];
    return sum;
}

static void lay_out(int count, int of_each)
{
    int *node = calloc((size_t)(count * of_each), sizeof *node);
    assert(node && count * of_each <= ROOM);
    for (int r = 0; r < count * of_each; r++)
        node[r] = r / of_each;
    nodes = node_list_new(node, count * of_each);
    ranks = calloc((size_t)nodes->ranks, sizeof *ranks);
    card_out = calloc((size_t)count, sizeof *card_out);
    card_in = calloc((size_t)count, sizeof *card_in);
    assert(nodes && ranks && card_out && card_in);
    free(node);
}

static struct machine lay_out_machine(int count, int of_each)
{
    lay_out(count, of_each);
    return (struct machine){.nodes = count,
                            .node_ranks = of_each,
                            .node_least = of_each,
                            .gathered = true,
                            .consecutive = true,
                            .one_node = count == 1,
                            .shared_tried = true,
                            .cell = segment_cell_bytes(of_each, count)};
}

static void print_row(const char *by, const char *engine, double seconds)
{
    const struct facts *f = &call.facts;
    printf("%d\t%d\t%s\t%d\t%s\t%s\t%.2f\n", f->machine->nodes, f->machine->node_ranks, collective_name(f->collective),
           (int)f->bytes, by, engine, seconds * 1e6);
}

static void print_rows(const struct settings *s, enum collective c, int64_t bytes, const struct machine *m)
{
    double least = INFINITY;
    set_call(m, c, bytes);
    for (enum native_way way = 0; way < NATIVE_WAYS; way++) {
        const double seconds = native_time(way, c, (double)bytes);
        least = fmin(least, seconds);
        print_row(way_names[way], "-", seconds);
    }
    const double own = own_time(s);
    print_row("auto", call.whole.engine->name, own > 0 ? own : least);
    print_row("limit", "-", limit_time(s));
}

static void print_table(int count, int of_each, int given, char **words)
{
    static const int64_t sizes[] = {8, 64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10};
    char *no_settings[] = {NULL};
    struct settings s;
    settings_read(&s, no_settings, NULL, NULL);
    const struct machine m = lay_out_machine(count, of_each);
    puts("nodes\tnode_ranks\tcollective\tbytes\tby\tengine\tus");
    for (enum collective c = 0; c < COLLECTIVES; c++)
        if (!given)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                print_rows(&s, c, sizes[i], &m);
        else if (strcmp(words[0], collective_name(c)) == 0)
            for (int i = 1; i < given; i++)
                print_rows(&s, c, atoll(words[i]), &m);
}

static void print_error_row(enum collective c, const char *engine, double measured, double seconds)
{
    printf("%d\t%s\t%d\t%s\t%.1f\t%.1f\n", nodes->ranks, collective_name(c), (int)call.facts.bytes, engine, measured,
           1e6 * seconds);
}

static void print_error(void)
{
    static const struct {
        enum collective collective;
        const char *engine;
        double us[3]; /* of 256 bytes on 4, 8 and 16 ranks */
    } few[] = {{COLL_REDUCE, "node-flat", {1.8, 2.5, 5.6}},    {COLL_REDUCE, "node-tree", {1.8, 2.1, 3.3}},
               {COLL_ALLREDUCE, "node-flat", {1.8, 2.5, 4.6}}, {COLL_ALLREDUCE, "node-tree", {1.8, 2.2, 3.1}},
               {COLL_SCAN, "node-flat", {1.5, 2.1, 3.1}},      {COLL_SCAN, "node-tree", {1.5, 2.0, 2.6}}};
    static const int64_t sizes[] = {4 << 10, 64 << 10};
    static const struct {
        enum collective collective;
        double own[2], native[2]; /* us on 16 ranks, of these sizes, by our choice and by the faster of two MPI libraries */
    } more[] = {{COLL_BCAST, {2.4, 14.8}, {11.8, 53.8}},
                {COLL_REDUCE, {5.4, 31.3}, {14.9, 66.1}},
                {COLL_ALLREDUCE, {7.7, 32.8}, {16.5, 80.2}},
                {COLL_SCAN, {5.3, 70.7}, {21.5, 210.6}},
                {COLL_EXSCAN, {5.2, 45.4}, {15.5, 154.7}}};
    char *no_settings[] = {NULL};
    struct settings s;
    struct machine m;
    settings_read(&s, no_settings, NULL, NULL);
    puts("ranks\tcollective\tbytes\tengine\tmeasured_us\tsimulated_us");
    for (int i = 0; i < 3; i++) {
        m = lay_out_machine(1, 4 << i);
        for (size_t k = 0; k < sizeof few / sizeof *few; k++) {
            set_call(&m, few[k].collective, 256);
            call.alone = engine_find(few[k].engine);
            call.whole = (struct plan){.engine = call.alone, .blocks = 1};
            print_error_row(few[k].collective, few[k].engine, few[k].us[i], run(go_on));
        }
    }
    for (size_t k = 0; k < sizeof more / sizeof *more; k++)
        for (int i = 0; i < 2; i++) {
            set_call(&m, more[k].collective, sizes[i]);
            print_error_row(more[k].collective, "auto", more[k].own[i], own_time(&s));
            print_error_row(more[k].collective, "native", more[k].native[i], native_least(more[k].collective, sizes[i]));
        }
}

int main(int argc, char **argv)
{
    if (argc >= 3)
        print_table(atoi(argv[1]), atoi(argv[2]), argc - 3, argv + 3);
    else
        print_error();
    return 0;
}
