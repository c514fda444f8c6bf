/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nodes' first ranks exchange with the next node, then with the one half-way round: in one of both, all hosts of a site use
 * its uplink, however ranks are distributed.
 */
#include "look.h"

#include "seconds.h"
#include "small_stack.h"

#include <math.h>
#include <stdlib.h>

struct seen {
    double small, large;
};

static double exchange(const struct comm *c, int by, int bytes, char *buffer)
{
    const struct node_list *l = c->locality.nodes;
    const int node = l->node[c->rank], to = node_list_rank(l, (node + by) % l->nodes, 0),
              from = node_list_rank(l, (node + l->nodes - by) % l->nodes, 0);
    const double start = seconds_now();
    pmpi.wire.Sendrecv(buffer, bytes, MPI_BYTE, to, 0, buffer + LOOK_BYTES, bytes, MPI_BYTE, from, 0, c->channel.comm,
                       MPI_STATUS_IGNORE);
    return seconds_now() - start;
}

/* The fastest but for the first, which may open a connection. */
static struct seen look_at(const struct comm *c, int by, char *buffer)
{
    enum { SMALL = 3 };
    struct seen s = {.small = INFINITY};
    exchange(c, by, 1, buffer);
    for (int i = 0; i < SMALL; i++)
        s.small = fmin(s.small, exchange(c, by, 1, buffer));
    s.large = exchange(c, by, LOOK_BYTES, buffer);
    return s;
}

double look(struct comm *c)
{
    struct budget *b = &c->known.budget;
    const struct node_list *l = c->locality.nodes;
    char *buffer = calloc(2, LOOK_BYTES);
    b->looked = true;
    b->message = nominal_figures[LINK_NETWORK];
    if (!pmpi_agreed(c->channel.comm, buffer != NULL, MPI_MIN) || !buffer) { /* agreed implies `buffer` */
        free(buffer);
        comm_knows_machine(c);
        return 0;
    }
    const double start = seconds_now();
    enum { SMALL, LARGE, SECONDS, NUMBERS };
    double mine[NUMBERS] = {0}, most[NUMBERS];
    for (int turn = 0; turn < 2 && node_rank_of(l, c->rank).index == 0; turn++) {
        const struct seen s = look_at(c, turn == 0 ? 1 : l->nodes / 2, buffer);
        mine[SMALL] = fmax(mine[SMALL], s.small);
        mine[LARGE] = fmax(mine[LARGE], s.large);
    }
    free(buffer);
    mine[SECONDS] = seconds_now() - start;
    pmpi.Allreduce(mine, most, NUMBERS, MPI_DOUBLE, MPI_MAX, c->channel.comm);
    const double alpha = most[SMALL], beta = fmax(most[LARGE] - most[SMALL], 0) / LOOK_BYTES;
    b->message.alpha = b->message.hop = b->message.gap = alpha;
    b->message.beta = fmax(beta, 1e-12);
    b->spent += (int64_t)(1e9 * most[SECONDS]);
    comm_knows_machine(c);
    return mine[SECONDS];
}
