/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Infers places from measurements: hosts with short round trips between them lie in one place. Only racks, which do not show
 * in round trips, lie inside; the caller names them.
 *
 * Every rank calls with the same arguments, asks its prober for the same batches, and gets the same numbers. The results
 * follow by comparisons and by arithmetic that IEEE 754 rounds alike on all ranks. So no rank decides alone.
 *
 * A host stands for all ranks of a node. Hosts are numbered from 0, in the order of their lowest ranks.
 */
#pragma once

#include "machine.h"

#include <stdbool.h>
#include <stdint.h>

/* `from` sends a byte, and `to` sends it back at once, `pings` times in sequence. */
struct probe {
    int from, to;
    int pings;     /* >= 3; PINGS_LONG if round trips are longer than PING_LONG */
    double least;  /* seconds, by the prober */
    double median; /* seconds, by the prober */
};

/* Hosts a and b send each other a message at once. */
struct flow {
    int a, b;       /* no other flow of the batch has them */
    double seconds; /* to the end on the slower host; by the prober */
};

/* For short batches with undisturbed pings. */
enum {
    PINGS_LONG = 3,   /* the time of the second tells whether the third is the last */
    PINGS_OPEN = 128, /* most probes of a host under way at once, one ping of each */
};
static const double PING_LONG = 2e-3;     /* seconds */
static const double PING_INTERVAL = 5e-6; /* seconds between two pings of a host */

/* The least seconds of an exchange, so that latency counts for little. */
static inline double exchange_least(double alpha)
{
    static const double LONG_ENOUGH = 0.5e-3, ROUND_TRIPS = 4;
    return 2 * alpha * ROUND_TRIPS > LONG_ENOUGH ? 2 * alpha * ROUND_TRIPS : LONG_ENOUGH;
}

/*
 * Measures batches of probes or flows, each at once. Collective: all ranks call with the same batch, and get the same
 * results to the last bit; so are the return values, false if the prober gives up. Each host's first rank measures. No two
 * probes of a batch have both ends in common, in this direction.
 */
struct prober {
    void *self;
    /*
     * Called first, once: gets memory for batches of `probes` probes and hosts/2 flows. `mine`: this rank has its own
     * memory. Returns false on all ranks if any lacks memory.
     */
    bool (*begin)(void *self, bool mine, int probes);
    /*
     * Measures probes. Those of a host begin in order, at most PINGS_OPEN at once. A host answers at any time, until it has
     * the last ping of each probe to it (its byte says so); between two pings it receives a message, if one has arrived.
     * Opening connections must not count.
     */
    bool (*ping)(void *self, struct probe *probe, int count);
    /* Measures flows of `bytes` bytes, all at about the same time. Opening connections must not count. */
    bool (*exchange)(void *self, struct flow *flow, int count, int64_t bytes);
};

/* A place, or all hosts. */
struct found {
    int around;   /* row of the enclosing place, a lower one; -1 for row 0 */
    int hosts;    /* of the survey; may be 0 */
    int parts;    /* with hosts */
    int level;    /* boundaries around it; a place's only part has the place's boundary */
    double alpha; /* seconds one way between its parts or, without parts, hosts; 0: not measured */
    double flow;  /* seconds a byte in one stream, between parts if there are any; 0: not measured */
    double up;    /* seconds a byte over its boundary, all streams; 0: not measured, or row 0 */
};

enum { INFER_DEPTH = 2 };

/* One block of memory, for free(). */
struct survey {
    int hosts;
    int rows;                             /* places and row 0; parts of a place are neighbours */
    int depth;                            /* levels below row 0; 0: all hosts are alike */
    bool sites;                           /* latency between outermost places is 4 times that inside, or more */
    struct reach reach[PLACES_DEPTH + 1]; /* of the slowest place; 0: not measured; [depth]: inside places */
    int *row;
    struct found place[];
};

/*
 * Finds the places. Hosts of different rack[] do not lie in one innermost place. `seed` may be any number. Returns NULL on
 * all ranks if one lacks memory, or if the prober gives up.
 */
struct survey *infer_places(const struct prober *prober, int hosts, const int *rack, uint64_t seed);

/* A survey of the hosts host[i] of `all`; places keep rows and figures. NULL if memory runs out on this rank. */
struct survey *survey_part(const struct survey *all, const int *host, int hosts);

/* Sets path[0 .. s->depth-1] for places_of(), the outermost place first. */
void survey_path(const struct survey *s, int host, int *path);
