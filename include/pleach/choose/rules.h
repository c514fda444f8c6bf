/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules: what to do for which calls, from a file (PLEACH_RULES) that `pleach tune` or a user wrote; see pleach-rules(5).
 *
 *     pleach-rules 1
 *     collective=scan,exscan bytes=64K-1M ranks=2-16 -> engine=chain block=32K
 *     bytes=1M-inf site="*solve* < main*" -> engine=^circulant alpha=5us
 *
 * The first rule whose conditions all hold is the call's. All conditions but the call site are on facts, so ranks find the
 * same rule. Call sites may differ between ranks; the caller makes ranks agree on these (see rules_sited).
 */
#ifndef PLEACH_RULES_H
#define PLEACH_RULES_H

#include "settings.h"

#include <stdio.h>

enum { RULES_VERSION = 1, RULES_MOST = 1024, RULES_SITED_MOST = 64 };

/* A range of whole numbers, both ends included. */
struct span {
    int64_t least, most;
};

struct rule {
    int line; /* in the file, from 1 */
    /* Conditions. One that the file does not name always holds. */
    unsigned collectives;    /* bit c: enum collective c */
    unsigned ops;            /* bit o: enum op_class o */
    unsigned roots;          /* bit r: enum root_place r */
    struct span bytes;       /* m */
    struct span ranks;       /* p */
    struct span node_ranks;  /* most ranks on a node */
    char site[SETTING_TEXT]; /* glob (fnmatch) on the call site as records show it; "": any */
    int sited;               /* number of this rule among those with a site, from 0; -1 without */
    /* Actions. */
    struct engine_setting engine; /* which engines may serve; no rows: not set */
    int64_t block;                /* bytes; 0: not set */
    struct figures figures;       /* a figure < 0: not set */
};

/* A rule that sets nothing. */
extern const struct rule rule_blank;

/* A rule that has calls of a kind, of any size, served by one engine. `op`: OP_NONE sets none; `block`: likewise 0. */
struct rule rule_for(enum collective c, enum op_class op, int ranks, int node_ranks, const struct engine *e, int64_t block);

/* Writes a line that reads back as the same rule, which rules_parse() could have made: it has an action. */
void rule_put(FILE *f, const struct rule *rule);

struct rules {
    int count;
    int sited; /* rules with a site, at most RULES_SITED_MOST */
    struct rule rule[];
};

/*
 * Reads the text of a file of rules. Calls `report` (may be NULL) for every error, with its line and one sentence, and for
 * every rule that can never match (`fatal` false). NULL: an error, or no memory. To be freed with free().
 */
struct rules *rules_parse(const char *text, void (*report)(void *to, int line, bool fatal, const char *why), void *to);

/*
 * The rules with a site that matter for this call. Bit i: the other conditions of number i hold, and no rule without a site
 * matches before it. 0: the call site need not be known.
 */
uint64_t rules_sited(const struct rules *r, const struct facts *f);

/* Those of the rules in `sited` whose globs match a call site. */
uint64_t rules_at(const struct rules *r, uint64_t sited, const char *site);

/* The call's rule, or NULL. `matching`: the rules with a site that match on every rank. */
const struct rule *rules_find(const struct rules *r, const struct facts *f, uint64_t matching);

#endif
