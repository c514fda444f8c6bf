/* SPDX-License-Identifier: BSD-2-Clause */
/* What a report is made from: tables of calls that have something in common. */
#ifndef PLEACH_REPORT_H
#define PLEACH_REPORT_H

#include "record.h"

/* PLACES: twice the call sites that are told apart, so that a search is short. */
enum { GROUPS = 128, SITES = 256, PLACES = 2 * SITES };

struct tally {
    int64_t calls;
    double bytes, seconds; /* of all calls */
    double least, most;    /* seconds of a call */
};

struct group {
    struct tally tally;
    enum collective collective;
    const char *engine;
    enum reason reason;
};

struct site {
    struct tally tally; /* no calls: the place is free */
    enum collective collective;
    void *frame[SITE_FRAMES]; /* as record_site() stores them; what is behind the end is NULL, too */
};

struct tables {
    struct tally all, by[COLLECTIVES], engines[COLLECTIVES]; /* `engines`: those of `by` that were not native */
    struct group group[GROUPS];
    int groups;
    struct site site[PLACES];
    int sites;
    struct tally other_groups, other_sites; /* what found no place */
    char note[RECORD_NOTE];                 /* or "" */
};

/* Adds calls to a tally: one, or all that another one has counted. */
void tally_add(struct tally *t, const struct tally *more);

/* The report's text, and its length; sorts the tables. Once at a time. */
const char *report_text(struct tables *t, int rank, double elapsed, int *length);

#endif
