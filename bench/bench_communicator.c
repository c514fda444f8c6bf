/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Measures what a communicator costs one of its ranks: the bytes that it keeps, and microseconds. The steps:
 *
 *     nodes      a job's ranks find out their nodes, once
 *     places     the first call of a communicator lays out its nodes and places
 *     choice     the first call of a kind chooses an engine
 *     operation  the first call of a kind prepares the engine's operation
 *     list       the first call that lanes may serve lists the ranks of all nodes
 *     lanes      the first call of a kind that lanes serve plans its stages, and prepares the operation
 *
 * The program runs without MPI: it makes up the nodes, and ranks do not agree on anything. Each node has 16 consecutive
 * ranks, or 64 if lanes serve. The fastest of several runs counts.
 */
#include "cell.h"
#include "choose.h"
#include "history.h"
#include "layout.h"
#include "operation.h"
#include "seconds.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#if !__GLIBC_PREREQ(2, 33)
#define mallinfo2 mallinfo
#endif

enum { ON_A_NODE = 16, IN_LANES = 64, REPEAT = 5, MESSAGE = 1 << 20 };

/* Bytes that a step keeps, and seconds that it takes. */
struct price {
    double bytes, seconds;
};

static struct settings settings;

static void *get(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static double kept(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}

/* Performs a step. Keeps the bytes of this run, and the least seconds of all runs. */
static void pay(struct price *p, void (*step)(void *with), void *with)
{
    const double before = kept(), start = seconds_now();
    step(with);
    const double seconds = seconds_now() - start;
    p->bytes = kept() - before;
    p->seconds = p->seconds == 0 || seconds < p->seconds ? seconds : p->seconds;
}

struct communicator {
    int ranks, on_a_node;
    int *node, (*path)[PLACES_DEPTH]; /* of each rank; the ranks have found them out together */
    struct machine machine;
    struct places *places;
    struct history *history;
    struct facts facts;
    struct plan plan;
    struct operation operation;
    struct node_list *nodes;
};

static void find_out(void *with)
{
    struct communicator *c = with;
    c->node = get(malloc((size_t)c->ranks * sizeof *c->node));
    c->path = get(calloc((size_t)c->ranks, sizeof *c->path));
    for (int r = 0; r < c->ranks; r++)
        c->path[r][PLACES_DEPTH - 1] = c->node[r] = r / c->on_a_node;
}

static void lay_out(void *with)
{
    struct communicator *c = with;
    int *order = get(malloc((size_t)c->ranks * sizeof *order));
    if (!layout_of(c->node, c->ranks, &c->machine, order))
        abort();
    free(order);
    c->places = get(places_of(c->path[0], c->ranks, PLACES_DEPTH, false));
    c->machine.places[SOURCE_SURE] = c->machine.places[SOURCE_MEASURED] = c->places;
    c->machine.generation = 1;
    c->history = get(calloc(1, sizeof *c->history));
}

static void choose_engine(void *with)
{
    struct communicator *c = with;
    c->plan = choose(&settings, NULL, &c->facts);
}

static void prepare(void *with)
{
    struct communicator *c = with;
    c->operation = (struct operation){
        .facts = c->facts, .plan = c->plan, .element = {.size = sizeof(double), .extent = sizeof(double), .plain = true}};
    operation_make(&c->operation, c->ranks / 3);
    operation_keep(&c->operation);
}

static void list_nodes(void *with)
{
    struct communicator *c = with;
    c->nodes = get(node_list_new(c->node, c->ranks));
    c->machine.shared_tried = true;
    c->machine.cell = segment_cell_bytes(c->machine.node_ranks, c->machine.nodes);
}

/* The root is rank 0, on the first node. */
static void prepare_lanes(void *with)
{
    struct communicator *c = with;
    c->plan = choose_row(&settings, NULL, &c->facts, engine_row(engine_find("lanes")));
    c->operation = (struct operation){
        .facts = c->facts, .plan = c->plan, .element = {.size = sizeof(double), .extent = sizeof(double), .plain = true}};
    operation_compose(&c->operation, &settings, NULL, c->nodes, c->ranks / 3);
    operation_make(&c->operation, c->ranks / 3);
}

/* The bytes of a schedule. pay() counts none if malloc() reuses memory of an earlier run. */
static double schedule_bytes(const struct operation *o)
{
    return o->schedule ? (double)malloc_usable_size(o->schedule) : 0;
}

static void give_back(struct communicator *c)
{
    operation_end(&c->operation);
    free(c->nodes);
    places_free(c->places);
    free(c->history);
    free(c->node);
    free(c->path);
}

static void put_price(const char *step, const char *collective, const char *engine, int ranks, const struct price *p)
{
    printf("%-10s %-10s %-17s %9d %12.0f %12.1f\n", step, collective, engine, ranks, p->bytes, p->seconds * 1e6);
}

/* Makes *c anew: a communicator on nodes of `on_a_node` ranks each, and a call. */
static void begin(struct communicator *c, int ranks, int on_a_node, enum collective collective)
{
    *c = (struct communicator){.ranks = ranks,
                               .on_a_node = on_a_node,
                               .facts = {.collective = collective,
                                         .op = collective_reduces(collective) ? OP_ROUNDS : OP_NONE,
                                         .symmetric = true,
                                         .ranks = ranks,
                                         .bytes = MESSAGE,
                                         .units = collective_reduces(collective) ? MESSAGE / (int)sizeof(double) : MESSAGE,
                                         .machine = &c->machine}};
}

/* Prints what a kind of call costs; with the first kind, also what the communicator itself costs. */
static void put_prices(int ranks, enum collective collective, bool first)
{
    struct price found = {0}, laid_out = {0}, chosen = {0}, prepared = {0};
    struct communicator c;
    for (int i = 0; i < REPEAT; i++) {
        begin(&c, ranks, ON_A_NODE, collective);
        pay(&found, find_out, &c);
        pay(&laid_out, lay_out, &c);
        pay(&chosen, choose_engine, &c);
        if (c.plan.engine != engines[0])
            pay(&prepared, prepare, &c);
        prepared.bytes = schedule_bytes(&c.operation);
        give_back(&c);
    }
    if (first) {
        put_price("nodes", "-", "-", ranks, &found);
        put_price("places", "-", "-", ranks, &laid_out);
    }
    put_price("choice", collective_name(collective), c.plan.engine->name, ranks, &chosen);
    put_price("operation", collective_name(collective), c.plan.engine->name, ranks, &prepared);
}

static void put_lanes(int ranks, enum collective collective, bool first)
{
    struct price listed = {0}, prepared = {0};
    struct communicator c;
    for (int i = 0; i < REPEAT; i++) {
        begin(&c, ranks, IN_LANES, collective);
        find_out(&c);
        lay_out(&c);
        pay(&listed, list_nodes, &c);
        pay(&prepared, prepare_lanes, &c);
        give_back(&c);
    }
    if (first)
        put_price("list", "-", "lanes", ranks, &listed);
    put_price("lanes", collective_name(collective), "lanes", ranks, &prepared);
}

int main(void)
{
    static const int sizes[] = {1 << 4, 1 << 10, 1 << 16, 1 << 20};
    settings_read(&settings, (char *const[]){NULL}, NULL, NULL);
    printf("%-10s %-10s %-17s %9s %12s %12s\n", "step", "collective", "engine", "ranks", "bytes", "us");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int c = 0; c < COLLECTIVES; c++)
            put_prices(sizes[k], (enum collective)c, c == 0);
    for (size_t k = 1; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int c = 0; c < COLLECTIVES; c++)
            put_lanes(sizes[k], (enum collective)c, c == 0);
    return 0;
}
