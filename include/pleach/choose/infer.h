/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places inferred from measurements. Hosts with short round trips between them lie in one place. Hosts with equal round
 * trips lie in different racks if bandwidth between them breaks down when all exchange at once.
 *
 * Pure, and the same on all ranks: every rank calls the same function with the same arguments, asks its prober for the same
 * batches, and gets the same numbers. So all ranks get the same result, and none decides alone. Results are computed from
 * comparisons, products, quotients and square roots, which IEEE 754 rounds alike everywhere.
 *
 * A host stands for all ranks of a node; hosts are numbered 0 .. hosts-1, by their lowest ranks.
 */
#ifndef PLEACH_INFER_H
#define PLEACH_INFER_H

#include "machine.h"

#include <stdbool.h>
#include <stdint.h>

/* Host `from` pings host `to`, `pings` times in sequence: it sends a byte, and `to` sends it back at once. */
struct probe {
    int from, to;  /* different hosts */
    int pings;     /* at least 3; PINGS_LONG will do if round trips take longer than PING_LONG */
    double least;  /* seconds of the shortest round trip; set by the prober */
    double median; /* seconds; of an even number, the upper middle one; set by the prober */
};

/* Hosts a and b exchange so many bytes: both send and receive at once. */
struct flow {
    int a, b;       /* different hosts; neither has another flow in the batch */
    double seconds; /* from the start of the exchange to its end, on the slower end; set by the prober */
};

/* How a prober pings: these numbers keep a batch short and its pings from disturbing each other. */
enum {
    PINGS_LONG = 3,   /* pings of a probe with long round trips: the second tells whether the third is the last */
    PINGS_OPEN = 128, /* most probes that a host has under way at once, one ping of each */
};
static const double PING_LONG = 2e-3;     /* seconds */
static const double PING_INTERVAL = 5e-6; /* seconds between two pings that a host sends; answers do not wait */

/*
 * The prober measures. Each function is collective: all ranks call it with the same batch at the same time, and get the same
 * results, to the last bit, and the same return value; false: give up. The first ranks of hosts measure; the others receive.
 *
 * A batch is measured at once, and one Allgather or two share it. No two of its probes have the same `from` and `to`; two
 * hosts may ping each other.
 */
struct prober {
    void *self;
    /*
     * Called first, once: gets memory for batches of up to so many probes, and as many flows as half the hosts. False, on
     * all ranks: some rank has no memory, or passes `mine` as false because infer.c itself lacks memory there.
     */
    bool (*begin)(void *self, bool mine, int probes);
    /*
     * Pings. The probes that a host sends begin in the order of the batch, PINGS_OPEN under way at once. A host answers
     * every ping at any time, also while it waits for answers, until it has the last ping of each probe to it: the byte
     * marks a probe's last ping. A host takes all that has arrived before it sends a ping. The time in which a connection
     * opens at its first message must not count. (Probing one host after the other is right, too, but slow.)
     */
    bool (*ping)(void *self, struct probe *probe, int count);
    /* Exchanges: all flows start at once, after a barrier. The cost of a connection's first message must not count. */
    bool (*exchange)(void *self, struct flow *flow, int count, int64_t bytes);
};

/* A place, or all hosts. */
struct found {
    int around;  /* row of the enclosing place; -1 for row 0, which is all hosts */
    int level;   /* boundaries around it: 0 for row 0 */
    bool loaded; /* its parts differ under load alone, not in round trips */
    /*
     * Seconds. Two hosts with a longer round trip between them lie in different parts of the place. If it has no parts, or
     * is loaded, at most one of the two lies in the place. 0: not known, as the place is a single host.
     */
    double cut;
    double alpha; /* seconds, one way, of the shortest message between its parts, or its hosts; 0: not measured */
    double flow;  /* seconds a byte of one stream between two hosts, of different parts if there are any; 0: not measured */
    double up;    /* seconds a byte over its own boundary, all streams together; 0: not measured, or row 0 */
};

/* The result, in one block of memory: free() it. */
struct survey {
    int hosts;
    int rows;   /* places, with row 0; by level, the parts of a place together */
    int depth;  /* most levels below row 0: 0 if all hosts are alike, PLACES_DEPTH at most */
    bool sites; /* the outermost places are sites: latency between them is at least 4 times that inside */
    struct reach reach[PLACES_DEPTH + 1]; /* by level, of the slowest place there, or 0; [depth]: inside */
    int *row;                             /* of each host: its innermost place; -1: a newcomer */
    struct found place[];
};

/*
 * Finds the places of `hosts` >= 1 hosts, on at most `depth` levels: PLACES_DEPTH, or one less if nodes have several ranks
 * and so are a level of their own. order[i] is the i-th host in the order of network addresses; NULL: by number.
 * Any seed. Takes less than a second for 10^4 hosts. NULL, on all ranks: no memory on one, or the prober gave up.
 */
struct survey *infer_places(const struct prober *prober, int hosts, int depth, const int *order, uint64_t seed);

/*
 * Puts newcomers into places: the hosts of `known` that have row -1, as survey_part() makes them. Only newcomers ping. Those
 * outside all known places form new places. The rest is as with infer_places(); `known` stays as it is.
 */
struct survey *infer_join(const struct prober *prober, const struct survey *known, int depth, const int *order);

/*
 * A survey of `hosts` >= 1 hosts: number i is host[i] of `all`, or a newcomer if host[i] is -1. At least one is known.
 * Leaves out places without hosts and those with a single part; keeps the figures. NULL: no memory, on this rank.
 */
struct survey *survey_part(const struct survey *all, const int *host, int hosts);

/* Fills path[0 .. s->depth-1] for places_of(): numbers of the places around the host, outermost first. */
void survey_path(const struct survey *s, int host, int *path);

#endif
