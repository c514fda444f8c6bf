/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach simulate: verifies engines by simulation, and compares their rounds with their bound. */
#include "simulate.h"

#include "cli.h"
#include "own_memory.h"
#include "simplex.h"
#include "simulate_lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIMULATED = 1 << 20 };
enum { OP_ORDER, OP_ANY, OP_BOTH };

static struct range ranks, roots = {0, 0}, blocks = {1, 9}, wides = {1, 1}, groups = {0, 0}, ranks_per_node = {1, 1};
static int op = OP_BOTH;
static const char *places;
static const struct places *tree;
static bool simplex;

/* The result for one engine and collective, over all cases. */
struct outcome {
    int64_t sizes;    /* number of values of --ranks for which the engine serves a case */
    int64_t cases;    /* simulated cases */
    int64_t left_out; /* cases that the engine does not serve */
    int64_t rounds;   /* most rounds of a case */
    int talkers;      /* most ranks of a node that exchange with other nodes */
    double in, out;   /* most bytes that went into a place, and out of one, in units of the message's m bytes */
    double volume;    /* most bytes that crossed between P nodes, in units of mP */
    double memory;    /* most bytes that ranks loaded from shared memory and stored there, per rank, in units of m */
    double busiest;   /* most such bytes of a rank */
    /* For composed calls: the most that a node moves, and the largest lower bound on this amount. */
    struct lanes_traffic moved, limit;
};

static bool every_root(void)
{
    return roots.high == MOST_SIMULATED - 1;
}

static void keep_most(struct outcome *t, const struct boundary *x, const struct shape *shape)
{
    double in = (double)x->in / (double)shape->blocks, out = (double)x->out / (double)shape->blocks;
    t->in = in > t->in ? in : t->in;
    t->out = out > t->out ? out : t->out;
}

static void simulate_case(const struct engine *e, const struct shape *shape, struct outcome *t)
{
    struct verdict v;
    if (!simulate_engine(e, shape, &v))
        cli_fail(STATUS_FAILED, "%s %s, %d ranks, root %d, %lld blocks, group %d, %s: %s", e->name,
                 collective_name(shape->collective), shape->ranks, shape->root, (long long)shape->blocks, shape->group,
                 shape->ordered ? "ordered" : "any order", v.why);
    t->cases++;
    if (t->rounds < v.rounds)
        t->rounds = v.rounds;
    if (t->talkers < v.talkers)
        t->talkers = v.talkers;
    int nodes = (shape->ranks - 1) / shape->node_ranks + 1;
    double volume = (double)v.crossing / ((double)shape->blocks * nodes);
    if (t->volume < volume)
        t->volume = volume;
    t->memory = fmax(t->memory, v.moved / shape->ranks);
    t->busiest = fmax(t->busiest, v.busiest);
    for (int i = 0; i < BOUNDARIES; i++) {
        keep_most(t, &v.with_root[i], shape);
        keep_most(t, &v.without_root[i], shape);
    }
}

/*
 * Simulates a shape with all numbers of blocks, and all sizes of pieces, groups and nodes. None of these decides whether the
 * engine fits. Pieces have at most as many blocks as the engine takes at once.
 */
static void simulate_shape(const struct engine *e, struct shape shape, struct outcome *t)
{
    const struct service *service = &e->serves[shape.collective];
    const int64_t layouts = ranks_per_node.high - ranks_per_node.low + 1;
    const int64_t least = service_wide(service, shape.ranks, wides.low);
    const int64_t most = service_wide(service, shape.ranks, wides.high);
    if (!engine_fits(e, &shape)) {
        t->left_out += (blocks.high - blocks.low + 1) * (most - least + 1) * (groups.high - groups.low + 1) * layouts;
        return;
    }
    for (int64_t group = groups.low; group <= groups.high; group++)
        for (int64_t k = ranks_per_node.low; k <= ranks_per_node.high; k++)
            for (shape.wide = least; shape.wide <= most; shape.wide++)
                for (shape.blocks = blocks.low; shape.blocks <= blocks.high; shape.blocks++) {
                    shape.group = (int)group;
                    shape.node_ranks = (int)k;
                    simulate_case(e, &shape, t);
                }
}

static void keep_more(struct lanes_traffic *t, struct lanes_traffic x)
{
    t->in = x.in > t->in ? x.in : t->in;
    t->out = x.out > t->out ? x.out : t->out;
    t->moved = x.moved > t->moved ? x.moved : t->moved;
}

/*
 * Simulates composed calls on these nodes, with all numbers of lanes, or of ports, and a few numbers of chunks. A chunk has
 * a slice for each lane. Each call with an operation runs twice, once in place; each broadcast runs twice, once with a
 * scatter. `least`: ranks of the smallest node.
 */
static void simulate_composed(const struct engine *e, const struct shape *shape, const struct node_list *nodes, int least,
                              struct outcome *t)
{
    const bool ports = e->serves[shape->collective].segment.ports;
    const int most = lanes_one(shape->collective, shape->ordered) && !ports ? 1 : least;
    const bool reduces = collective_reduces(shape->collective);
    const bool held = collective_flow(shape->collective) == FLOW_ALL_TO_ONE;
    const int chunks = ports ? 1 : held ? 3 : 2; /* the third takes the place of the first in BUFFER_KEPT */
    for (int number = 1; number <= most; number++)
        for (int variant = 0; variant < 2 * chunks; variant++) {
            const struct lanes l = {.collective = shape->collective,
                                    .ordered = shape->ordered,
                                    .root = node_rank_of(nodes, shape->root),
                                    .lanes = ports ? 1 : number,
                                    .slices = ports ? 1 : number * (1 + variant / 2),
                                    .ports = ports ? number : 0,
                                    .scatters = variant % 2 && !reduces,
                                    .nodes = nodes};
            const char *why = simulate_lanes(&l, shape->root, variant % 2 && reduces, lanes_stage_right, NULL);
            if (why)
                cli_fail(STATUS_FAILED, "%s %s, %d ranks, root %d, %d nodes, %d %s, %s: %s", e->name,
                         collective_name(shape->collective), shape->ranks, shape->root, nodes->nodes, number,
                         ports ? "ports" : "lanes", shape->ordered ? "ordered" : "any order", why);
            keep_more(&t->moved, lanes_traffic(&l, NULL));
            keep_more(&t->limit, lanes_traffic_limit(&l));
            t->cases++;
        }
}

/*
 * Simulates composed calls on nodes of all sizes. The ranks of a node are consecutive. If the order of operands is free, the
 * calls also run on nodes to which ranks are dealt in turn.
 */
static void simulate_on_nodes(const struct engine *e, struct shape shape, struct outcome *t)
{
    const int p = shape.ranks;
    const bool orders = shape.ordered || collective_prefix(shape.collective);
    int *node = malloc((size_t)p * sizeof *node);
    for (int64_t k = ranks_per_node.low; k <= ranks_per_node.high; k++)
        for (int in_turn = 0; in_turn < 2; in_turn++) {
            const int count = (int)((p - 1) / k + 1), least = in_turn ? p / count : (int)(p - (count - 1) * k);
            shape.lanes = shape.ports.most = count > 1 && least > 1 && !(in_turn && orders) ? least : 0;
            if (!engine_fits(e, &shape)) {
                t->left_out++;
                continue;
            }
            for (int r = 0; node && r < p; r++)
                node[r] = in_turn ? r % count : (int)(r / k);
            struct node_list *nodes = node ? node_list_new(node, p) : NULL;
            cli_enough(nodes);
            simulate_composed(e, &shape, nodes, least, t);
            own_memory_free(nodes);
        }
    free(node);
}

static struct outcome simulate_all(const struct engine *e, enum collective c)
{
    struct outcome t = {0};
    for (int64_t p = ranks.low; p <= ranks.high; p++) {
        int64_t before = t.cases, last = !collective_rooted(c) ? 0 : every_root() ? p - 1 : roots.high;
        for (int64_t root = collective_rooted(c) ? roots.low : 0; root <= last; root++)
            for (int ordered = 0; ordered < 2; ordered++)
                if (collective_reduces(c) ? op == OP_BOTH || ordered == (op == OP_ORDER) : !ordered)
                    (e->serves[c].composed ? simulate_on_nodes : simulate_shape)(e,
                                                                                 (struct shape){.collective = c,
                                                                                                .ordered = ordered,
                                                                                                .ranks = (int)p,
                                                                                                .root = (int)root,
                                                                                                .blocks = blocks.low,
                                                                                                .node_ranks = 1,
                                                                                                .depth = SEGMENT_DEPTH,
                                                                                                .places = tree},
                                                                                 &t);
        t.sizes += t.cases > before;
    }
    return t;
}

static void summarise(FILE *f, const struct engine *e, enum collective c, const struct outcome *t)
{
    const struct service *s = &e->serves[c];
    fprintf(f, "%s %s: %lld size%s, %lld case%s", e->name, collective_name(c), (long long)t->sizes, plural(t->sizes),
            (long long)t->cases, plural(t->cases));
    if (t->left_out)
        fprintf(f, ", %lld left out (needs %s)", (long long)t->left_out, need_text(s->needs));
    if (t->cases && !s->composed)
        fprintf(f, ", at most %lld round%s, never above %s%s%s", (long long)t->rounds, plural(t->rounds), s->text.rounds,
                s->text.interior ? " or, in order at an interior root, " : "", s->text.interior ? s->text.interior : "");
    if (t->cases && !s->composed && ranks_per_node.high > 1)
        fprintf(f, "; between P nodes at most %.2f mP, and at most %d rank%s of a node", t->volume, t->talkers,
                plural(t->talkers));
    if (t->cases && s->segment.cells && !s->composed)
        fprintf(f, "; each rank loads and stores at most %.2f m, on average at most %.2f m", t->busiest, t->memory);
    if (t->cases && !s->composed && tree)
        fprintf(f, "; into a group at most %.2f m, out of one at most %.2f m", t->in, t->out);
    if (t->cases && s->composed)
        fprintf(f, "; over a node's card at most %.2f m in and %.2f m out, limit %.2f m; in its memory %.2f m, limit %.2f m",
                t->moved.in, t->moved.out, t->limit.in, t->moved.moved, t->limit.moved);
    if (t->cases)
        fputs(": ok", f);
    fputc('\n', f);
}

static bool is_all(const char *text)
{
    return strcmp(text, "all") == 0;
}

static void check_roots(const char *collective)
{
    if (ranks.low == 0)
        cli_fail(STATUS_USAGE, "--ranks is missing");
    if (every_root() || roots.high == 0)
        return;
    if (!is_all(collective) && !collective_rooted(cli_collective(collective)))
        cli_fail(STATUS_USAGE, "--root: %s has no root", collective);
    if (roots.high >= ranks.low)
        cli_fail(STATUS_USAGE, "--root %lld: with --ranks %lld, the ranks are 0 to %lld", (long long)roots.high,
                 (long long)ranks.low, (long long)ranks.low - 1);
}

static int simulate_engines(char **operand)
{
    const struct engine *one = is_all(operand[0]) ? NULL : cli_simplex(cli_engine(operand[0]), simplex);
    enum collective only = is_all(operand[1]) ? COLLECTIVES : cli_collective(operand[1]);
    struct text t;
    int64_t cases = 0;
    if (places && ranks.high != ranks.low)
        cli_fail(STATUS_USAGE, "--places has one number of ranks, so --ranks takes no range");
    tree = cli_places(places, &ranks.low);
    ranks.high = places ? ranks.low : ranks.high;
    check_roots(operand[1]);

    FILE *summary = text_begin(&t);
    for (int i = 0; engines[i]; i++) {
        const struct engine *e = simplex ? simplex_engine(engines[i]) : engines[i];
        for (int c = 0; c < COLLECTIVES; c++)
            if (e && (e->serves[c].generate || e->serves[c].composed) && (!one || e == one) &&
                (c == (int)only || only == COLLECTIVES)) {
                struct outcome outcome = simulate_all(e, c);
                summarise(summary, e, c, &outcome);
                cases += outcome.cases;
            }
    }
    char *text = text_end(&t);
    if (cases == 0)
        cli_fail(STATUS_USAGE, "nothing to simulate: %s has no schedule for %s in these cases; see 'pleach engines'",
                 operand[0], operand[1]);
    fputs(text, stdout);
    free(text);
    return 0;
}

static const struct command_option options[] = {
    {"ranks", "NUMBER|FROM-TO", "number of ranks, or all numbers of a range", OPTION_RANGE, 1, MOST_SIMULATED, &ranks},
    {"root", "RANK|FROM-TO|all", "rank of the root; default 0", OPTION_RANGE, 0, MOST_SIMULATED - 1, &roots},
    {"blocks", "NUMBER|FROM-TO", "number of blocks; default 1-9", OPTION_RANGE, 1, MOST_SIMULATED, &blocks},
    {"wide", "NUMBER|FROM-TO", "most blocks in one message, for engines that send several at once; default 1", OPTION_RANGE,
     1, MOST_SIMULATED, &wides},
    {"op", "ordered|any|both", "combine operands in the order of the ranks, in any order, or both ways (default)",
     OPTION_WORD, 0, 0, &op},
    {"group", "NUMBER|FROM-TO", "ranks in a group of a fractional tree; default: for the fewest rounds", OPTION_RANGE, 1,
     MOST_SIMULATED, &groups},
    {"ranks-per-node", "NUMBER|FROM-TO", "consecutive ranks that share a node; default 1", OPTION_RANGE, 1, MOST_SIMULATED,
     &ranks_per_node},
    {"places", "TREE", "which ranks are near each other: 4x8 (4 groups of 8), 50,40,30, or 12-12-12 (sites in a line)",
     OPTION_TEXT, 0, 0, &places},
    {"simplex", NULL, "the variant for half-duplex links, where no rank sends and receives in the same step", OPTION_FLAG, 0,
     0, &simplex},
    {0},
};

const struct command command_simulate = {
    .name = "simulate",
    .usage = "ENGINE|all COLLECTIVE|all --ranks NUMBER|FROM-TO|--places TREE [OPTION...]",
    .summary = "verify engines by simulation, and their rounds against their bound",
    .details =
        "All ranks run their schedules, where no message is buffered. Checks every result, and compares the rounds with\n"
        "the engine's bound. For each engine and collective, prints a line that ends with `ok', or the first error.\n",
    .options = options,
    .least = 2,
    .most = 2,
    .work = simulate_engines,
};
