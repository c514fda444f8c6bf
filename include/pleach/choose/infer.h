/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places inferred from measurements: hosts between which round trips are short lie in one place; hosts of equal round trips,
 * between which bandwidth breaks down when all exchange at once, lie in different racks.
 *
 * Pure, and written for all ranks: every rank calls the same function with the same arguments, asks its prober for the same
 * batches, and gets the same numbers. So all come to the same result, and nothing is decided by one of them. Results are
 * computed from comparisons, products, quotients and square roots, which IEEE 754 rounds alike everywhere.
 *
 * A host stands for all ranks of a node; hosts are numbered 0 .. hosts-1, by their lowest ranks.
 */
#ifndef PLEACH_INFER_H
#define PLEACH_INFER_H

#include "machine.h"

#include <stdbool.h>
#include <stdint.h>

/* Host `from` pings host `to`: it sends a byte, which comes back at once, `pings` times, one after the other. */
struct probe {
    int from, to;  /* different hosts */
    int pings;     /* at least 3; where round trips take longer than PING_LONG, PINGS_LONG will do */
    double least;  /* seconds of the shortest round trip; set by the prober */
    double median; /* seconds; the upper middle one where their number is even; set by the prober */
};

/* Hosts a and b exchange so many bytes: both send and receive at once. */
struct flow {
    int a, b;       /* different hosts, which have no other flow in the batch */
    double seconds; /* from the start of the exchange to its end, on the slower end; set by the prober */
};

/* The way a prober pings, which makes a batch short and lets its pings not disturb each other. */
enum {
    PINGS_LONG = 3,   /* pings of a probe whose round trips take long: the second tells whether the third is the last */
    PINGS_OPEN = 128, /* most probes that a host has under way at once, one ping of each */
};
static const double PING_LONG = 2e-3;     /* seconds */
static const double PING_INTERVAL = 5e-6; /* seconds from one ping that a host sends to the next; answers do not wait */

/*
 * What measures. Each function is collective: all ranks call it with the same batch at the same time, and return with the
 * same results, to the last bit, and the same truth; false: give up. The first ranks of hosts measure; the others receive.
 *
 * A batch is measured at once, and shared by one Allgather or two. No two of its probes are from one host to the same
 * other one; two hosts may ping each other.
 */
struct prober {
    void *self;
    /*
     * Comes first, once: gets memory for batches of up to so many probes, and as many flows as half the hosts. False, on all
     * ranks: some rank has none, or `mine` is false there, as infer.c itself lacks memory.
     */
    bool (*begin)(void *self, bool mine, int probes);
    /*
     * Pings. The probes of a host, as `from`, begin in the order of the batch, PINGS_OPEN under way at once. A host answers
     * whatever comes, at any time, also while it waits for answers, until the last ping of each probe to it came: the byte
     * tells which ping is a probe's last. It takes all that has arrived before it sends a ping. Who opens connections at a
     * first message must see to it that this does not count. (One probe of a host after the other is right, too, but slow.)
     */
    bool (*ping)(void *self, struct probe *probe, int count);
    /* Exchanges: all flows start at once, after a barrier. What a connection's first message costs must not count. */
    bool (*exchange)(void *self, struct flow *flow, int count, int64_t bytes);
};

/* A place, or all hosts. */
struct found {
    int around;  /* row of the place that it is a part of; -1 for row 0, which is all hosts */
    int level;   /* boundaries between it and all: 0 for row 0 */
    bool loaded; /* its parts were told apart under load; round trips do not tell them */
    /*
     * Seconds. Hosts whose round trip takes longer lie in different parts of it; where it has no parts, or loaded ones, not
     * both in it. 0: not known, as it is a single host.
     */
    double cut;
    double alpha; /* seconds, one way, of the shortest message between its parts, or its hosts; 0: not measured */
    double flow;  /* seconds a byte of one stream between two hosts of different parts, or any; 0: not measured */
    double up;    /* seconds a byte over its own boundary, whichever of its hosts share it; 0: not measured, or row 0 */
};

/* What was found, in one block of memory: free() it. */
struct survey {
    int hosts;
    int rows;   /* places, with all; by level, the parts of a place together */
    int depth;  /* most levels below all: 0 where all hosts are alike, PLACES_DEPTH at most */
    bool sites; /* the parts of all are sites: latency between them is 4 times that inside, or more */
    struct reach reach[PLACES_DEPTH + 1]; /* by level, of the slowest place there, or 0; [depth]: inside */
    int *row;                             /* of each host: its innermost place; -1: a newcomer */
    struct found place[];
};

/*
 * Finds the places of `hosts` >= 1 hosts, on at most `depth` levels: PLACES_DEPTH, or one less where nodes have several
 * ranks and so are a level of their own. order[i] is the i-th host in the order of network addresses; NULL: by number.
 * Any seed. Takes less than a second for 10^4 hosts. NULL, on all ranks: no memory on one, or the prober gave up.
 */
struct survey *infer_places(const struct prober *prober, int hosts, int depth, const int *order, uint64_t seed);

/*
 * Puts newcomers into places: the hosts of `known` that have row -1, as survey_part() makes them. Only they ping. Where
 * they lie in no known place, new ones are made of them. The rest is as with infer_places(); `known` stays as it is.
 */
struct survey *infer_join(const struct prober *prober, const struct survey *known, int depth, const int *order);

/*
 * A survey of `hosts` >= 1 hosts, of which number i is host[i] of `all`, or a newcomer, if that is -1. At least one is
 * known. Places without hosts are left out, and those with one part; figures stay. NULL: no memory, on this rank.
 */
struct survey *survey_part(const struct survey *all, const int *host, int hosts);

/* Fills path[0 .. s->depth-1] for places_of(): numbers of the places in which the host lies, from outside to inside. */
void survey_path(const struct survey *s, int host, int *path);

#endif
