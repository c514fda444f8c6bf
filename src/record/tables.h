/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a report is made from: sums over calls that have something in common. The tables are bounded, so that counting a call
 * never allocates; what finds no row is counted as `others`.
 */
#ifndef PLEACH_TABLES_H
#define PLEACH_TABLES_H

#include "part.h"
#include "record.h"

/* SITE_SLOTS: twice the call sites that are told apart, so that a search is short. */
enum { KINDS = 128, SITES = 256, SITE_SLOTS = 2 * SITES };

/* Calls of one collective that one engine served for one reason. */
struct kind_row {
    struct tally tally;
    enum collective collective;
    const char *engine; /* name; static storage */
    enum reason reason;
};

/* Calls of one collective from one call site. */
struct site_row {
    struct tally tally; /* no calls: the slot is free */
    enum collective collective;
    void *frame[SITE_FRAMES]; /* as site_take() fills them; what is behind the end is NULL, too */
};

struct tables {
    struct tally all, by[COLLECTIVES], engines[COLLECTIVES]; /* `engines`: those of `by` that were not native */
    struct kind_row kind[KINDS];
    int kinds;
    struct site_row site[SITE_SLOTS]; /* a hash table */
    int sites;
    struct tally other_kinds, other_sites; /* what found no row */
    char note[RECORD_NOTE];                /* or "" */
    int learned;                           /* kinds of calls; see report_trials() */
    double lost;                           /* seconds; likewise */
};

/* Counts a call. */
void tables_add(struct tables *t, const struct record *r);

/*
 * The text of the report, which stays until the next call, and its length in bytes; sorts the tables. `elapsed`: seconds
 * since the first call could be counted. Once at a time. See report_text.c.
 */
const char *report_text(struct tables *t, int rank, double elapsed, int *length);

#endif
