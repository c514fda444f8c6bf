/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What may choose a call's engine: settings, a rule, the model, measurements. The same on all ranks, as it follows from
 * settings, rule and facts. Nothing else decides this.
 */
#pragma once

#include "rules.h"

struct policy {
    struct engine_setting may; /* what may serve */
    struct shape shape;        /* with one block */
    enum reason refuses;       /* or REASON_NONE */
    enum reason picks;         /* REASON_RANDOM, _FORCED, _RULE or _MODEL */
    bool order_counts;         /* as facts_order_counts() says */
    bool below;                /* below the threshold; only these may serve: */
    bool ruled;                /* all that the rule names */
    bool segment;              /* those with a segment */
    bool lanes;                /* lanes and multiport; see policy_lanes() */
    bool writes;               /* all, in trials for a file */
    bool many;                 /* trials for a file, so cheap that many engines compete, even references */
    bool keeps_bits;           /* no measurement may choose the engine */
    bool uncut;                /* a user's operation gets the whole call */
    bool shares;               /* engines with a segment, and no others by the model, nor native if ranks outnumber cores */
    bool wants_figures;        /* measure first: the choice may depend on figures */
    bool wants_segment;        /* try to share a segment first */
    bool learns;               /* the call counts in the history */
    /* Trials are calls of ours beside the program's: in a dry run, or where the engine may change bits. */
    bool shadow;
};

/* `rule`: from rules_find(), or NULL. */
struct policy policy_of(const struct settings *s, const struct rule *rule, const struct facts *f);

/* Do they say the same about calls that differ in size alone? */
bool policy_same(const struct policy *a, const struct policy *b);

/* Why no engine may serve, as far as it needs no cost model; or REASON_NONE. Cheap: it runs on every call. */
enum reason policy_quick(const struct settings *s, const struct facts *f);

/* Bit c: the settings keep all calls of collective c native. */
unsigned policy_switched_off(const struct settings *s);

/* Can the engine serve the call? For native:NAME, each rank's MPI must be able to switch. */
bool policy_fits(const struct engine *e, const struct facts *f);

bool policy_fits_shape(const struct engine *e, const struct facts *f, const struct shape *shape);

/* Do the bits depend on the engine, in a call whose bits users compare? */
bool policy_keeps_bits(const struct settings *s, const struct facts *f);

/* Does the run write rules to a file? Trials then compare engines for short calls, too. */
bool policy_writes(const struct settings *s);

/*
 * May the model take lanes? Nodes need several ranks each. A short call needs a core for each rank and, if bits do not
 * depend on the engine, segments or many calls.
 */
bool policy_lanes(const struct facts *f);

bool policy_segment(const struct policy *p, enum collective c);

/* Is an engine that may serve composed? It needs a segment on each node. */
bool policy_composed(const struct policy *p, enum collective c);

/* Bytes of a block, by the settings, else by the rule; 0: neither. */
int64_t policy_block(const struct settings *s, const struct rule *rule, const struct facts *f);

/* By the settings, else the rule; -1: neither. If they set alpha, jump is 0, and hop and gap equal alpha unless set. */
struct figures policy_figures(const struct settings *s, const struct rule *rule);

/* Most bytes of a shadow trial's call, and of its extent in memory. */
enum { SHADOW_MOST = 64 << 20 };
