/* SPDX-License-Identifier: BSD-2-Clause */
/* The state that the files of the inference share: memory, which is allocated at the start, and the places found so far. */
#pragma once

#include "infer.h"

enum {
    PIVOTS = 32,       /* most pivots, so the sample shows no more parts than this */
    PINGS_SUREST = 30, /* pings of a probe if a busy host must not go unnoticed */
};

static const double SHORTEST_TIME = 1e-9; /* seconds; a shorter time counts as this one */

/* The measurements between the parts of a place. */
struct crossing {
    int row;
    int part;    /* row of its first part; the rows of the others follow */
    int parts;   /* >= 2 */
    bool hosts;  /* the place has no parts, so its hosts count as parts */
    bool active; /* takes part in this round */
    int streams; /* most streams between two parts */
};

/* Makes a survey with room for `rows` rows, all zeros; NULL if memory runs out. */
struct survey *survey_new(int rows, int hosts);

/* The rows and figures of places and the hosts' rows are known. Sets all else. */
void survey_lay_out(struct survey *s);

struct work {
    const struct prober *prober;
    struct survey *survey; /* the result in the making */
    void *memory;          /* all other memory, in one block */
    int hosts;

    int *member;      /* the hosts, at first in random order; the hosts of each place are neighbours: */
    int *first, *end; /* member[first[row]] .. member[end[row] - 1] */

    struct probe *probe;
    int probes;
    struct flow *flow; /* room for hosts / 2 */
    int flows;
    int exchanged;  /* number of flows of the last batch */
    double seconds; /* seconds that all batches of flows have taken so far */

    /* The search for parts. The sample is member[0] .. member[sample-1]; its hosts are numbered by these positions. */
    int sample;
    double *rtt;         /* rtt[i * PIVOTS + k]: shortest round trip between host i of the sample and pivot k, in seconds */
    int pivots;          /* number of pivots */
    int pivot[PIVOTS];   /* hosts of the sample, each far from the pivots before it */
    double far[PIVOTS];  /* far[k]: seconds between the host farthest from pivots 0 .. k and the nearest of these */
    double least;        /* shortest round trip so far, in seconds */
    bool open;           /* the search for pivots goes on */
    bool known;          /* the round trips to the newest pivot are known */
    bool asking;         /* a candidate pings the pivots */
    bool ahead;          /* the candidate also pings the rest of the sample, as if it were a pivot already */
    int asked, rejected; /* number of candidates so far, and of the busy ones */
    int refuted;         /* number of times that the search has begun anew */
    int candidate;       /* host of the sample that may become a pivot */
    double hoped;        /* seconds from the candidate to the nearest pivot, by the pings before its own */
    bool *busy;          /* of each host: it answers late now and then */

    int parts;  /* number of parts that the sample shows */
    double cut; /* seconds; if a round trip between two hosts takes longer, they lie in different parts */
    int groups; /* number of parts that the sample has missed */

    int *speaker; /* speaker[start[j]] .. speaker[start[j+1]-1]: the hosts that ping others for part j */
    int start[PIVOTS + 1];
    int *part;       /* of each host: number of its part; -1: none */
    double *nearest; /* of each host: seconds to the nearest part; has room for two numbers per host, for other uses */
    int *scratch;    /* room for a number per host */

    struct crossing *crossing;
    int crossings;
};

/* Adds a probe to the batch. */
static inline void add_probe(struct work *w, int from, int to, int pings)
{
    w->probe[w->probes++] = (struct probe){.from = from, .to = to, .pings = pings};
}

/* Measures the batch of probes. Returns false on all ranks if the prober gives up. The next probe begins a new batch. */
bool infer_ping(struct work *w);

/* Sorts numbers. Returns their median, the lower of two middle ones; 0 if there are none. */
double infer_median(double *number, int count);

/*
 * Finds the number of each host's part, from 0 on without gaps, by round trips. Sets w->part, w->nearest, w->parts,
 * w->groups and the alpha of all hosts. Returns false if the prober gives up.
 */
bool infer_split(struct work *w);

/* The seconds of the shortest round trip between a host of the sample and pivot number `pivot`. */
static inline double *rtt_of(const struct work *w, int host, int pivot)
{
    return &w->rtt[host * PIVOTS + pivot];
}

/* Returns the number of the pivot that is nearest to a host of the sample, among the first `pivots` pivots. */
static inline int nearest_pivot(const struct work *w, int host, int pivots)
{
    int nearest = 0;
    for (int k = 1; k < pivots; k++)
        if (*rtt_of(w, host, k) < *rtt_of(w, host, nearest))
            nearest = k;
    return nearest;
}

/* May there be parts? */
static inline bool may_split(const struct work *w)
{
    enum { FEWEST_HOSTS = 4 };
    return w->hosts >= FEWEST_HOSTS;
}

/* Finds the first pivot. Returns false if the prober gives up. */
bool infer_first_pivot(struct work *w);

/* Finds the other pivots, and sets w->far. Returns false if the prober gives up. */
bool infer_find_pivots(struct work *w);

/* Begins the search for pivots anew, without this host, a pivot that has turned out to be busy. */
void infer_pivots_without(struct work *w, int host);

/* Measures `flow` and `up` of all places. Returns false if the prober gives up. */
bool infer_figures(struct work *w);
