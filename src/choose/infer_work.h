/* SPDX-License-Identifier: BSD-2-Clause */
/* The common state of the inference's files: its memory, allocated at the start, and the tree as far as it is known. */
#ifndef PLEACH_INFER_WORK_H
#define PLEACH_INFER_WORK_H

#include "infer.h"

enum {
    PIVOTS = 32,        /* most parts that a sample of a place shows */
    ORPHAN_GROUPS = 32, /* most parts that the sample missed */
    PARTS = PIVOTS + ORPHAN_GROUPS,
    PINGS = 8,       /* of a probe */
    PINGS_SURE = 16, /* of an important probe */
};

/* A place under way, from its hosts to its parts. Hosts of the sample are numbered by their positions in it. */
struct set {
    int row;
    const int *member; /* its hosts, in a random order */
    int count;         /* of them, >= 2 */
    int sample;        /* the first so many are its sample */
    double *rtt;       /* seconds between host i of the sample and pivot k: rtt[i * PIVOTS + k] */
    int *speaker;      /* members of the sample that speak for part j: speaker[start[j]] .. */
    int start[PIVOTS + 1];

    int pivots;
    int pivot[PIVOTS];   /* hosts of the sample, each far from those before */
    double far[PIVOTS];  /* seconds from the host that is the farthest from pivots 0 .. k to the nearest of them */
    double least;        /* seconds of the shortest round trip seen */
    bool open;           /* more pivots are wanted */
    bool known;          /* the distances of the newest pivot are known */
    bool asking;         /* a candidate pings the pivots */
    bool ahead;          /* it pings the rest of the sample, too, as if it were a pivot already */
    bool verified;       /* the pivots are no busy hosts, and the parts lie as far from each other as it seemed */
    int asked, rejected; /* candidates */
    int refuted;         /* times that it was begun anew */
    int candidate;       /* host of the sample */
    double hoped;        /* seconds from it to the nearest pivot, as it was nominated */

    int parts;  /* 1: not split */
    double cut; /* as in struct found */
    int groups; /* more parts, which the sample missed */
};

/* An innermost place that may have racks: its hosts are line[first] .. */
struct stretch {
    int row;
    int first, hosts;
};

/* The measurements between the parts of a place. */
struct crossing {
    int row;
    int part;      /* row of its first part, which the others follow */
    int parts;     /* >= 2 */
    bool hosts;    /* its parts are hosts */
    bool active;   /* in this round */
    bool growing;  /* will more streams help? */
    int streams;   /* between two parts */
    double before; /* bytes a second of all parts together, with half as many streams */
};

/* A survey in the making. */
struct draft {
    struct survey *survey;
    struct count *count;        /* of each old place, see survey.c */
    struct survey_entry *entry; /* of each new place */
};

/* Gets the memory for a survey made from a tree of so many rows; false: there is none. Call survey_end() in any case. */
bool survey_begin(struct draft *d, int rows, int hosts);

/* Makes the survey of a tree: of its places that have hosts and of the hosts in them; row[host] < 0: in none. */
void survey_fill(struct draft *d, const struct found *place, int rows, const int *row, int hosts);

/* Frees the rest of the draft. Returns the survey if it is wanted, else NULL. */
struct survey *survey_end(struct draft *d, bool wanted);

struct work {
    const struct prober *prober;
    struct draft draft; /* of the result */
    void *memory;       /* all other memory, in one block */
    int hosts, depth;
    const int *order; /* hosts by address */

    /* The tree, in any order. */
    struct found *place;
    int rows;
    int *row;         /* of each host: its innermost place; -1: not known yet */
    int *member;      /* hosts, those of each place together, */
    int *first, *end; /* which are member[first[row]] .. member[end[row] - 1] */

    struct probe *probe;
    int probes;
    struct flow *flow; /* room for hosts / 2 */
    int flows;
    int exchanged;  /* flows of the last batch */
    double seconds; /* that flows took so far */

    struct set *set;
    int sets;
    double *rtt;     /* of the sets; also what is sorted */
    int *speaker;    /* of the sets */
    int *part;       /* of each host: its part of the set; -1: none */
    double *nearest; /* of each host: seconds to the nearest part; two numbers for each, for other uses */
    bool *busy;      /* of each host */
    int *scratch;    /* two numbers for each host */

    struct stretch *stretch;
    int stretches;
    int *line;    /* hosts by place, and there by address */
    double *rate; /* bytes a second between each host of the line and the next: the two best rates */

    struct crossing *crossing;
    int crossings;
    int *parts;    /* of each place */
    int *part_row; /* of each place: row of its first part */
};

/* Adds a probe to the batch, or a flow. */
static inline void add_probe(struct work *w, int from, int to, int pings)
{
    w->probe[w->probes++] = (struct probe){.from = from, .to = to, .pings = pings};
}

/* Measures the batch; false, on all ranks: the prober gave up. The next probe that is added begins a new batch. */
bool infer_ping(struct work *w);
bool infer_exchange(struct work *w, int64_t bytes);

/* Gets all memory of this rank and of the prober. False, on all ranks: not all have it. Call infer_end() in any case. */
bool infer_begin(struct work *w, int probes);

/* Frees the memory. Returns the survey if `found`, else NULL. */
struct survey *infer_end(struct work *w, bool found);

/* Counts the parts of all places, and finds their first ones. */
void infer_count_parts(struct work *w);

/* Adds a place with the hosts member[first] .. member[end-1]; returns its row. */
int infer_add_place(struct work *w, int around, int first, int end);

/* The median of these numbers. Sorts them. */
double infer_median(double *number, int count);

/* Splits the places of rows from .. w->rows-1, and their parts, by round trips. False: the prober gave up. */
bool infer_split(struct work *w, int from);

/*
 * Divides a place into so many parts, none of them empty; part[host] is the number of a host's part. Hosts keep their order
 * inside parts, and parts come in the order of their lowest hosts.
 */
void infer_divide(struct work *w, int row, int parts);

/* Splits innermost places of rows from .. by their rates under load. */
bool infer_racks(struct work *w, int from);

/* Measures alpha, flow and up of places from .. */
bool infer_figures(struct work *w, int from);

#endif
