/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the inference share: memory, allocated at the start, and the places so far. */
#pragma once

#include "infer.h"

enum {
    PIVOTS = 32,       /* most pivots, and most parts of a sample */
    PINGS_SUREST = 30, /* pings of a probe if a busy host must not go unnoticed */
};

static const double SHORTEST_TIME = 1e-9; /* seconds; shorter times count as this */

/* Measurements between the parts of a place. */
struct crossing {
    int row;
    int part; /* row of its first part; the others follow */
    int parts;
    bool hosts;  /* without parts, hosts count as parts */
    bool active; /* in this round */
    int streams; /* most between two parts */
};

/* A survey of zeros; NULL if memory runs out. */
struct survey *survey_new(int rows, int hosts);

/* Sets what follows from rows, figures of places, and the hosts' rows. */
void survey_lay_out(struct survey *s);

struct work {
    const struct prober *prober;
    struct survey *survey;
    void *memory; /* all other, in one block */
    int hosts;

    int *member;      /* first in random order; then place by place: */
    int *first, *end; /* member[first[row]] .. member[end[row] - 1] */

    struct probe *probe;
    int probes;
    struct flow *flow; /* room for hosts / 2 */
    int flows;
    int exchanged;
    double seconds;

    /* The sample is member[0] .. member[sample-1], numbered so. */
    int sample;
    double *rtt; /* seconds; see rtt_of() */
    int pivots;
    int pivot[PIVOTS];  /* each far from those before */
    double far[PIVOTS]; /* seconds from the farthest host to the nearest of pivots 0 .. k */
    double least;       /* seconds of the shortest round trip so far */
    bool open;          /* the search for pivots goes on */
    bool known;         /* the round trips to the newest pivot are known */
    bool asking;        /* the candidate pings the pivots */
    bool ahead;         /* the candidate also pings the rest of the sample */
    int asked, rejected;
    int refuted;
    int candidate;
    double hoped; /* seconds from the candidate to the nearest pivot, by earlier pings */
    bool *busy;   /* answers late now and then */

    int parts;
    double cut; /* seconds; longer round trips lead to other parts */
    int groups; /* parts that the sample missed */

    int *speaker; /* of part j: from start[j] to start[j+1]-1, the hosts that ping for it */
    int start[PIVOTS + 1];
    int *part;       /* of each host; -1: none */
    double *nearest; /* of each host: seconds to the nearest part; twice the room */
    int *scratch;    /* a number a host */

    struct crossing *crossing;
    int crossings;
};

static inline void add_probe(struct work *w, int from, int to, int pings)
{
    w->probe[w->probes++] = (struct probe){.from = from, .to = to, .pings = pings};
}

/* Measures the batch, and empties it. False on all ranks if the prober gives up, also below. */
bool infer_ping(struct work *w);

/* Sorts. Returns the median, the lower of two middle ones, 0 of none. */
double infer_median(double *number, int count);

/* Numbers the hosts' parts, by round trips. Sets w->part, w->nearest, w->parts, w->groups and alpha of all hosts. */
bool infer_split(struct work *w);

static inline double *rtt_of(const struct work *w, int host, int pivot)
{
    return &w->rtt[host * PIVOTS + pivot];
}

static inline int nearest_pivot(const struct work *w, int host, int pivots)
{
    int nearest = 0;
    for (int k = 1; k < pivots; k++)
        if (*rtt_of(w, host, k) < *rtt_of(w, host, nearest))
            nearest = k;
    return nearest;
}

static inline bool may_split(const struct work *w)
{
    enum { FEWEST_HOSTS = 4 };
    return w->hosts >= FEWEST_HOSTS;
}

bool infer_first_pivot(struct work *w);

bool infer_find_pivots(struct work *w);

/* Begins the search anew, without a pivot that has turned out to be busy. */
void infer_pivots_without(struct work *w, int host);

bool infer_figures(struct work *w);
