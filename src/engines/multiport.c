/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multiport: short messages on nodes of several ranks, all of which send. A node is one processor with k ports: its first k
 * ranks. A call has the stages of a single lane (lanes.h), but in the stage between nodes all ranks of a node take part.
 *
 * J. Bruck and others, "Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems", IEEE TPDS
 * 8 (1997). For messages that are sent from memory which a node shares: PiP-MColl, arXiv 2305.10612; node-aware all-reduce:
 * arXiv 1910.09650.
 *
 * There are N nodes. The rank `reader` of a node has the node's operand, its total. Totals lie in a cell that all ranks of
 * the node see: block d has that of the node d before, mod N. In round t, where c = (k+1)^t blocks are there, port j = 0 ..
 * k-1 exchanges, if d = (j+1)c < N:
 *
 *     all-reduce   sends blocks 0 .. c-1 to the node d further on, receives as many from the node d before, as blocks d ..
 *     scans        likewise, but only from earlier nodes to later ones
 *     reduction    likewise, but nodes are numbered back from the root's, and one whose number has c as its last power sends
 *                  what it has to the node that lacks this digit
 *     broadcast    one of c nodes sends the message to the node d further on
 *
 * At the end, ranks that get a result fold the totals in the order of nodes, from the last one down. Totals are never summed
 * on the way, so all ranks have the same bits, whatever k is. Example, an all-reduce of N = 4, k = 1, by the port of node 0:
 * sends 0 to node 1, receives 1 from 3; sends 0..1 to node 2, receives 2..3 from 2; folds 1 (node 3), 2, 3, 0.
 *
 * Invariants: one rank writes a block, and tells a turn then: the reader turn 1, a port turn 2 + t in round t. A rank sends
 * or folds a block after that turn. Each exchange of round t needs blocks of earlier rounds alone, so it completes.
 */
#include "node_steps.h"

/* More numbers of the schedule. */
enum { ROUNDS = NODE_NUMBERS, NUMBERS };

enum { OWN_TURN = 1, ROUND_TURNS }; /* of the node's own operand; of round 0 */

/* What a port does in a round. `at`: the first block that it receives. */
struct exchange {
    int to, from; /* nodes, or NOBODY */
    int64_t sent, at, received;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The rounds of N nodes with k ports. */
static int rounds_of(int64_t nodes, int64_t ports)
{
    int rounds = 0;
    for (int64_t c = 1; c < nodes; c *= ports + 1)
        rounds++;
    return rounds;
}

/* (k+1)^t */
static int64_t blocks_before(const struct shape *s, int round)
{
    int64_t c = 1;
    for (int t = 0; t < round; t++)
        c *= s->ports.used + 1;
    return c;
}

/* The number of a node in trees: that of the root's is 0. In a reduction, numbers grow against the order of nodes. */
static int64_t number_of(const struct shape *s, int node)
{
    return collective_reduces(s->collective) ? (s->root - node + s->ranks) % s->ranks
                                             : (node - s->root + s->ranks) % s->ranks;
}

static int node_of(const struct shape *s, int64_t number)
{
    return rank_after(s, s->root, collective_reduces(s->collective) ? -number : number);
}

static struct exchange of_allreduce(const struct shape *s, int node, int64_t c, int64_t d)
{
    const int64_t count = least(c, s->ranks - d);
    return (struct exchange){rank_after(s, node, d), rank_after(s, node, -d), count, d, count};
}

static struct exchange of_scan(const struct shape *s, int node, int64_t c, int64_t d)
{
    return (struct exchange){.to = node + d < s->ranks ? (int)(node + d) : NOBODY,
                             .from = node >= d ? (int)(node - d) : NOBODY,
                             .sent = least(c, node + 1),
                             .at = d,
                             .received = least(c, node - d + 1)};
}

static struct exchange of_reduction(const struct shape *s, int node, int64_t c, int64_t d)
{
    const int64_t v = number_of(s, node), all = c * (s->ports.used + 1), last = v % all;
    return (struct exchange){.to = last == d ? node_of(s, v - d) : NOBODY,
                             .from = last == 0 && v + d < s->ranks ? node_of(s, v + d) : NOBODY,
                             .sent = least(c, s->ranks - v),
                             .at = d,
                             .received = least(c, s->ranks - v - d)};
}

static struct exchange of_bcast(const struct shape *s, int node, int64_t c, int64_t d)
{
    const int64_t v = number_of(s, node);
    return (struct exchange){.to = v < c && v + d < s->ranks ? node_of(s, v + d) : NOBODY,
                             .from = v >= d && v < d + c ? node_of(s, v - d) : NOBODY,
                             .sent = 1,
                             .received = 1};
}

static struct exchange exchange_of(const struct shape *s, int node, int round, int port)
{
    static struct exchange (*const of_flow[])(const struct shape *, int, int64_t,
                                              int64_t) = {[FLOW_ONE_TO_ALL] = of_bcast,
                                                          [FLOW_ALL_TO_ONE] = of_reduction,
                                                          [FLOW_ALL_TO_ALL] = of_allreduce,
                                                          [FLOW_PREFIX] = of_scan};
    const int64_t c = blocks_before(s, round), d = c * (port + 1);
    if (port >= s->ports.used || d >= s->ranks)
        return (struct exchange){.to = NOBODY, .from = NOBODY};
    return of_flow[collective_flow(s->collective)](s, node, c, d);
}

static void await_turn(struct cursor *c, const struct schedule *s, int rank, int turn)
{
    if (rank != s->shape.ports.self)
        node_push(c, s, STEP_AWAIT, 0, rank, turn);
}

/* The rank of this node that writes a block, and the turn that it tells then. */
struct writer {
    int rank, turn;
};

static struct writer writer_of(const struct schedule *s, int64_t block)
{
    const struct shape *shape = &s->shape;
    const bool streams = collective_streams(shape->collective);
    const int64_t d = streams ? number_of(shape, s->rank) : block;
    int64_t c = 1;
    int round = 0;
    for (; c * (shape->ports.used + 1) <= d; c *= shape->ports.used + 1)
        round++;
    return d == 0 ? (struct writer){shape->reader, OWN_TURN} : (struct writer){(int)(d / c) - 1, ROUND_TURNS + round};
}

static int cell_of(const struct schedule *s)
{
    return slot_cell(collective_streams(s->shape.collective) ? writer_of(s, 0).rank : s->shape.reader);
}

/* The last round before `round` in which this rank sends; -1: none. */
static int sent_before(const struct schedule *s, int round)
{
    while (--round >= 0 && exchange_of(&s->shape, s->rank, round, s->shape.ports.self).to == NOBODY)
        ;
    return round;
}

/* Before this rank sends blocks 0 .. x.sent-1: awaits the last of these that port `port` has received. */
static void await_port(struct cursor *c, const struct schedule *s, int round, int port, struct exchange x)
{
    const int known = sent_before(s, round); /* it has awaited the blocks of the rounds before that one */
    int last = round - 1;
    if (x.to == NOBODY || collective_streams(s->shape.collective))
        return;
    while (last >= 0 && blocks_before(&s->shape, last) * (port + 1) >= x.sent)
        last--;
    if (last >= 0 && last >= known)
        await_turn(c, s, port, ROUND_TURNS + last);
}

static void push_exchange(struct cursor *c, const struct schedule *s, int round, struct exchange x)
{
    const int cell = cell_of(s);
    const struct writer first = writer_of(s, 0);
    if (x.from != NOBODY)
        node_await_free(c, s, 0);
    if (x.to != NOBODY)
        await_turn(c, s, first.rank, first.turn);
    if (x.to != NOBODY || x.from != NOBODY)
        cursor_push(c, s,
                    (struct step){.kind = STEP_EXCHANGE,
                                  .when = round,
                                  .to = x.to,
                                  .from = x.from,
                                  .a = {cell, 0, x.to == NOBODY ? 0 : x.sent - 1},
                                  .b = {cell, x.at, x.from == NOBODY ? 0 : x.received - 1}});
    if (x.from != NOBODY)
        node_tell(c, s, 0, ROUND_TURNS + round);
}

/* Is the node's own operand of use to others, or to its own ranks? */
static bool contributes(const struct shape *s, int node)
{
    return collective_streams(s->collective) ? node == s->root
                                             : !(collective_traits[s->collective].exclusive && node == s->ranks - 1);
}

/* Puts the total of the node number i from the last one down into the result. */
static void put_result(struct cursor *c, const struct schedule *s, int i)
{
    const struct shape *shape = &s->shape;
    const bool streams = collective_streams(shape->collective);
    const int node = collective_last(shape->collective, s->rank, shape->ranks) - i;
    const int64_t block = streams ? 0 : (s->rank - node + shape->ranks) % shape->ranks;
    const struct writer writer = writer_of(s, block);
    const struct writer before = i > 0 ? writer_of(s, block > 0 ? block - 1 : shape->ranks - 1) : (struct writer){NOBODY, 0};
    if (writer.rank != before.rank || writer.turn != before.turn)
        await_turn(c, s, writer.rank, writer.turn);
    node_act(c, s, i == 0 ? STEP_COPY : STEP_FOLD, 0, node_block(block), cell_of(s), SLOT_OUT);
}

static void steps(struct cursor *c, const struct schedule *s, int64_t k, int beat)
{
    const struct shape *shape = &s->shape;
    const int self = shape->ports.self, ports = shape->ports.used, round = (beat - 1) / (ports + 1),
              port = (beat - 1) % (ports + 1);
    (void)k;
    if (beat >= s->number[NODE_WORK])
        put_result(c, s, beat - (int)s->number[NODE_WORK]);
    else if (beat == 0 && self == shape->reader && contributes(shape, s->rank)) {
        node_await_free(c, s, 0);
        node_act(c, s, STEP_COPY, 0, node_block(0), collective_streams(shape->collective) ? SLOT_OUT : SLOT_IN, cell_of(s));
        node_tell(c, s, 0, OWN_TURN);
    } else if (beat > 0) {
        const struct exchange x = exchange_of(shape, s->rank, round, self);
        if (port < ports)
            await_port(c, s, round, port, x);
        else
            push_exchange(c, s, round, x);
    }
}

static int results(const struct schedule *s)
{
    const struct shape *shape = &s->shape;
    if (!shape_writes(shape, s->rank, 0))
        return 0;
    if (collective_streams(shape->collective))
        return s->rank != shape->root || shape->ports.self != shape->reader;
    return collective_last(shape->collective, s->rank, shape->ranks) + 1;
}

static void generate(struct schedule *s)
{
    const int ports = s->shape.ports.used, rounds = rounds_of(s->shape.ranks, ports);
    assert(ports >= 1 && s->shape.ports.self < s->shape.ports.ranks && s->shape.blocks == s->shape.ranks);
    node_begin(s, steps, 1, 1 + (s->shape.ports.self < ports ? rounds * (ports + 1) : 0), results(s), 1);
}

/* ---- Cost ------------------------------------------------------------------------------------------------------------ */

static struct port_work port_work(const struct shape *s)
{
    const int64_t nodes = s->ranks, ports = s->ports.used;
    const bool streams = collective_streams(s->collective);
    struct port_work w = {.rounds = rounds_of(nodes, ports)};
    for (int round = 0; round < w.rounds; round++) {
        const int64_t c = blocks_before(s, round), senders = least(ports, ceil_div(nodes, c) - 1);
        w.messages += (double)senders;
        w.sent += (double)(streams ? senders : least(c * (ports + 1), nodes) - c);
    }
    return w;
}

/*
 * The work on a node: the operand goes into the cell; ports wait for each other after each round; those with a result fold
 * the totals. The first look of a round is a wait.
 */
static struct segment_work work(const struct shape *s)
{
    const struct port_work w = port_work(s);
    const bool streams = collective_streams(s->collective);
    const double looks = streams ? 0 : fmax(w.messages - w.rounds, 0);
    return (struct segment_work){
        .copied = 2, .folded = streams ? 0 : s->ranks - 1, .waits = streams ? 1 + w.rounds : 1 + w.rounds, .looks = looks};
}

/* With k ports, rounds are ceil(log N / log(k+1)). */
static struct round_bound round_bound(const struct shape *s)
{
    return (struct round_bound){.slope = 0, .latency = rounds_of(s->ranks, s->ports.used)};
}

#define SERVICE                                                                                                             \
    {                                                                                                                       \
        .text.rounds = "those of its stages", .needs = NEED_PORTS, .round_bound = round_bound,                              \
        .segment = {.cells = CELLS_NODES, .work = work, .staged = true, .ports = port_work}, .generate = generate,          \
        .composed = true                                                                                                    \
    }

const struct engine engine_multiport = {
    .name = "multiport",
    .summary = "short messages: inside nodes through shared memory, between nodes by messages that all ranks of a node send",
    .made_for = MADE_FOR_MANY_A_NODE,
    .serves = {[COLL_BCAST] = SERVICE,
               [COLL_REDUCE] = SERVICE,
               [COLL_SCAN] = SERVICE,
               [COLL_EXSCAN] = SERVICE,
               [COLL_ALLREDUCE] = SERVICE},
};
