/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Infers places from measurements. Hosts with short round trips between them lie in one place. These places have no places
 * inside, except racks, which the caller names, as they do not show in round trips.
 *
 * The functions are pure, and have the same result on all ranks, so no rank decides alone. Every rank calls the same
 * function with the same arguments, asks its prober for the same batches, and gets the same numbers. The results follow from
 * these numbers by comparisons, products, quotients and square roots, which IEEE 754 rounds alike on all ranks.
 *
 * A host stands for all ranks of a node. Hosts are numbered 0 .. hosts-1, in the order of their lowest ranks.
 */
#pragma once

#include "machine.h"

#include <stdbool.h>
#include <stdint.h>

/* Host `from` pings host `to`, `pings` times in sequence. In a ping, `from` sends a byte, which `to` sends back at once. */
struct probe {
    int from, to;  /* different hosts */
    int pings;     /* at least 3; PINGS_LONG are enough if round trips take longer than PING_LONG */
    double least;  /* seconds of the shortest round trip; the prober sets it */
    double median; /* seconds of the median round trip; the prober sets it */
};

/* Hosts a and b exchange messages of the same size: both send and receive at once. */
struct flow {
    int a, b;       /* different hosts; neither has another flow in the batch */
    double seconds; /* time from the start of the exchange to its end on the slower host; the prober sets it */
};

/* Numbers for the prober. They keep a batch short, and keep its pings from disturbing each other. */
enum {
    PINGS_LONG = 3, /* pings of a probe with long round trips; the time of the second tells whether the third is the last */
    PINGS_OPEN = 128, /* most probes that a host has under way at once, with one ping of each */
};
static const double PING_LONG = 2e-3;     /* seconds */
static const double PING_INTERVAL = 5e-6; /* seconds between two pings that a host sends; answers go out at once */

/* The least seconds of an exchange: its start and its latency (alpha) must count for little. */
static inline double exchange_least(double alpha)
{
    static const double LONG_ENOUGH = 0.5e-3, ROUND_TRIPS = 4;
    return 2 * alpha * ROUND_TRIPS > LONG_ENOUGH ? 2 * alpha * ROUND_TRIPS : LONG_ENOUGH;
}

/*
 * The prober measures batches of probes or flows. Its functions are collective: all ranks call them with the same batch at
 * the same time, and get the same results, to the last bit. The return values are the same on all ranks, too; false means
 * that the prober gives up. The first rank of each host measures; the other ranks receive the results.
 *
 * A batch is measured at once, and then the ranks share its results. No two probes of a batch have both the same `from` and
 * the same `to`; two hosts may ping each other.
 */
struct prober {
    void *self;
    /*
     * Gets memory for batches of up to `probes` probes, and of as many flows as half the hosts. infer.c calls it first, and
     * once. `mine` is false if infer.c has no memory on this rank. Returns false on all ranks if any rank lacks memory.
     */
    bool (*begin)(void *self, bool mine, int probes);
    /*
     * Measures probes. The probes from a host begin in the order of the batch, and at most PINGS_OPEN are under way at once.
     * A host answers pings at any time, also while it waits for answers itself. It stops answering once it has the last ping
     * of each probe to it; the byte of a ping says whether this ping is the last. Between two pings, a host receives a
     * message, if one has arrived. The time in which the first message opens a connection must not count. (A prober may also
     * probe one host after the other, which takes longer.)
     */
    bool (*ping)(void *self, struct probe *probe, int count);
    /* Measures flows of `bytes` bytes, which all start at about the same time. Opening connections must not count. */
    bool (*exchange)(void *self, struct flow *flow, int count, int64_t bytes);
};

/* A place, or all hosts. */
struct found {
    int around;   /* row of the enclosing place, a lower one; -1 for row 0, which has all hosts */
    int hosts;    /* number of the survey's hosts in it; may be 0 */
    int parts;    /* number of its parts with hosts */
    int level;    /* number of boundaries around the place: 0 for row 0. A place's only part has the place's boundary. */
    double alpha; /* seconds, one way, of the shortest message between its parts or, without parts, hosts; 0: not measured */
    double flow;  /* seconds per byte of a stream between two hosts, of different parts if there are any; 0: not measured */
    double up;    /* seconds per byte over the boundary of the place, all streams together; 0: not measured, or row 0 */
};

enum { INFER_DEPTH = 2 };

/* The result, in one block of memory, which the caller frees with free(). */
struct survey {
    int hosts;
    int rows;   /* number of places, including row 0; the parts of a place are neighbours */
    int depth;  /* levels below row 0: 0 if all hosts are alike, at most INFER_DEPTH */
    bool sites; /* the outermost places are sites: latency between them is at least 4 times the latency inside */
    struct reach reach[PLACES_DEPTH + 1]; /* of the slowest place of each level; 0: not measured; [depth]: inside places */
    int *row;                             /* row of the innermost place of each host */
    struct found place[];
};

/*
 * Finds the places of `hosts` >= 1 hosts. Hosts with different rack[] do not lie in one innermost place. `seed` may be any
 * number. Takes less than a second for 10^4 hosts. Returns NULL on all ranks if one of them lacks memory, or if the prober
 * gives up.
 */
struct survey *infer_places(const struct prober *prober, int hosts, const int *rack, uint64_t seed);

/*
 * Makes a survey of `hosts` >= 1 hosts: its host i is host[i] of `all`. The places keep their rows and figures. Returns NULL
 * if memory runs out on this rank.
 */
struct survey *survey_part(const struct survey *all, const int *host, int hosts);

/* Sets path[0 .. s->depth-1] for places_of() to the numbers of the places around the host, the outermost first. */
void survey_path(const struct survey *s, int host, int *path);
