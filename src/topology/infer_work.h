/* SPDX-License-Identifier: BSD-2-Clause */
/* The state that the files of the inference share: memory, which is allocated at the start, and the tree found so far. */
#ifndef PLEACH_INFER_WORK_H
#define PLEACH_INFER_WORK_H

#include "infer.h"

enum {
    PIVOTS = 32,        /* most pivots of a place, so its sample shows no more parts than this */
    ORPHAN_GROUPS = 32, /* most parts of a place that its sample has missed */
    PARTS = PIVOTS + ORPHAN_GROUPS,
    PINGS = 8,       /* pings of a probe */
    PINGS_SURE = 16, /* pings of an important probe */
};

static const double SHORTEST_TIME = 1e-9; /* seconds; a shorter time counts as this one */

/* The search for the parts of one place. Hosts of the sample are numbered by their positions in it. */
struct set {
    int row;           /* of the place */
    const int *member; /* hosts of the place, in a random order */
    int count;         /* number of hosts, >= 2 */
    int sample;        /* number of hosts in the sample; they are the first of `member` */
    double *rtt;       /* rtt[i * PIVOTS + k]: shortest round trip between host i of the sample and pivot k, in seconds */
    int *speaker;      /* speaker[start[j]] .. speaker[start[j+1]-1]: the hosts that ping others for part j */
    int start[PIVOTS + 1];

    int pivots;
    int pivot[PIVOTS];   /* hosts of the sample, each far from the pivots before it */
    double far[PIVOTS];  /* far[k]: seconds between the host farthest from pivots 0 .. k and the nearest of these */
    double least;        /* shortest round trip so far, in seconds */
    bool open;           /* the search for pivots goes on */
    bool known;          /* the round trips to the newest pivot are known */
    bool asking;         /* a candidate pings the pivots */
    bool ahead;          /* the candidate also pings the rest of the sample, as if it were a pivot already */
    bool verified;       /* the distances between pivots of different parts have been checked */
    int asked, rejected; /* number of candidates so far, and of the busy ones */
    int refuted;         /* number of times that the search has begun anew */
    int candidate;       /* host of the sample that may become a pivot */
    double hoped;        /* seconds from the candidate to the nearest pivot, by the pings before its own */

    int parts;  /* number of parts that the sample shows */
    double cut; /* seconds; if a round trip between two hosts of the place takes longer, they lie in different parts */
    int groups; /* number of parts that the sample has missed */
};

/* The measurements between the parts of a place. */
struct crossing {
    int row;
    int part;      /* row of its first part; the rows of the others follow */
    int parts;     /* >= 2 */
    bool hosts;    /* the place has no parts, so its hosts count as parts */
    bool active;   /* takes part in this round */
    bool growing;  /* will more streams help? */
    int streams;   /* number of streams between two parts */
    double before; /* bytes per second of all parts together, with half as many streams */
};

/* A survey in the making. */
struct draft {
    struct survey *survey;
    struct count *count;        /* of each old place; see survey.c */
    struct survey_entry *entry; /* of each new place */
};

/* Gets the memory for the survey of a tree with `rows` rows. Returns false if memory runs out. Always call survey_end(). */
bool survey_begin(struct draft *d, int rows, int hosts);

/*
 * Makes the survey of a tree: of its places that have hosts, and of these hosts. row[i]: row of the innermost place of host
 * i.
 */
void survey_fill(struct draft *d, const struct found *place, int rows, const int *row, int hosts);

/* Frees the draft. Returns its survey if it is wanted, else NULL. */
struct survey *survey_end(struct draft *d, bool wanted);

struct work {
    const struct prober *prober;
    struct draft draft; /* the draft of the result */
    void *memory;       /* all other memory, in one block */
    int hosts, depth;   /* as in infer_places() */

    /* The tree. Its rows may stand in any order. */
    struct found *place;
    int rows;
    int *row;         /* of each host: row of its innermost place; -1: not known yet */
    int *member;      /* the hosts; the hosts of each place are neighbours: */
    int *first, *end; /* member[first[row]] .. member[end[row] - 1] */

    struct probe *probe;
    int probes;
    struct flow *flow; /* room for hosts / 2 */
    int flows;
    int exchanged;  /* number of flows of the last batch */
    double seconds; /* seconds that all batches of flows have taken so far */

    struct set *set;
    int sets;
    double *rtt;     /* the sets' arrays; also memory for sorting */
    int *speaker;    /* the sets' arrays */
    int *part;       /* of each host: number of its part in its set; -1: none */
    double *nearest; /* of each host: seconds to the nearest part; has room for two numbers per host, for other uses */
    bool *busy;      /* of each host: it answers late now and then */
    int *scratch;    /* room for a number per host */

    struct crossing *crossing;
    int crossings;
    int *parts;    /* of each place: number of its parts */
    int *part_row; /* of each place: row of its first part */
};

/* Adds a probe to the batch. */
static inline void add_probe(struct work *w, int from, int to, int pings)
{
    w->probe[w->probes++] = (struct probe){.from = from, .to = to, .pings = pings};
}

/* Measures the batch of probes. Returns false on all ranks if the prober gives up. The next probe begins a new batch. */
bool infer_ping(struct work *w);

/* Adds a place inside the place `around`, with the hosts member[first] .. member[end-1]. */
void infer_add_place(struct work *w, int around, int first, int end);

/* Sorts numbers. Returns their median, the lower of two middle ones; 0 if there are none. */
double infer_median(double *number, int count);

/* Splits the place of all hosts, and its parts, by round trips. Returns false if the prober gives up. */
bool infer_split(struct work *w);

/*
 * Divides a place into `parts` parts. w->part[host] is the number of a host's part; no part is empty. Hosts keep their order
 * inside parts, and parts come in the order of their lowest hosts.
 */
void infer_divide(struct work *w, int row, int parts);

/* Measures `flow` and `up` of all places. Returns false if the prober gives up. */
bool infer_figures(struct work *w);

#endif
