/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The policy says what may choose a call's engine: settings, a rule, the model, measurements. It follows from settings, rule
 * and facts, so it is the same on all ranks. Nothing else finds out whether the model or a measurement may decide.
 */
#pragma once

#include "rules.h"

struct policy {
    struct engine_setting may; /* engines that may serve; named, or drawn at random */
    struct shape shape;        /* with one block */
    enum reason refuses;       /* why none may serve, else REASON_NONE */
    enum reason picks;         /* REASON_RANDOM, _FORCED, _RULE or _MODEL */
    bool order_counts;         /* as facts_order_counts() says */
    bool below;                /* the call is below the threshold: only these may serve: */
    bool ruled;                /* all that the rule names */
    bool segment;              /* those with a segment */
    bool lanes;                /* lanes and multiport; see policy_lanes() */
    bool writes;               /* all, in trials for the file of PLEACH_LEARN */
    bool many;                 /* trials are for a file and cheap: many engines, even references */
    bool keeps_bits;           /* no measurement may choose the engine */
    bool uncut;                /* a user's operation gets all elements of the call at once */
    bool shares; /* engines with a segment may serve, and the model takes no others, nor native if ranks outnumber cores */
    bool wants_figures; /* the choice may depend on figures: measure first */
    bool wants_segment; /* an engine that may serve needs a segment: try to share one */
    bool learns;        /* the call counts in the history */
    /*
     * Trials are shadow trials: calls of ours beside the program's. So in a dry run, or where the engine may change bits.
     * Else a trial is the program's own call.
     */
    bool shadow;
};

/* `rule`: from rules_find(), or NULL. */
struct policy policy_of(const struct settings *s, const struct rule *rule, const struct facts *f);

/* Are they the same, for calls that differ in size alone? */
bool policy_same(const struct policy *a, const struct policy *b);

/*
 * Why no engine may serve, or REASON_NONE, without the cost model. With the threshold auto, some calls below it are served
 * all the same. Cheap: it runs on every call.
 */
enum reason policy_quick(const struct settings *s, const struct facts *f);

/* Bit c: all calls of collective c are native by the settings. */
unsigned policy_switched_off(const struct settings *s);

/* Can the engine serve the call? For native:NAME, each rank's MPI library must be able to switch. */
bool policy_fits(const struct engine *e, const struct facts *f);

/* With the shape of the call. */
bool policy_fits_shape(const struct engine *e, const struct facts *f, const struct shape *shape);

/* Do the bits of the result depend on the engine, in a call whose bits users compare? */
bool policy_keeps_bits(const struct settings *s, const struct facts *f);

/* Does the run write its rules to a file? Trials then compare engines for short calls, too, as later runs gain. */
bool policy_writes(const struct settings *s);

/*
 * May the model take lanes or multiport? Nodes need several ranks each. In a short call, ranks need a core each and, if bits
 * do not depend on the engine, segments, or many calls.
 */
bool policy_lanes(const struct facts *f);

/* Does an engine that may serve go through a segment? */
bool policy_segment(const struct policy *p, enum collective c);

/* Is an engine that may serve composed? It then needs a segment on each node. */
bool policy_composed(const struct policy *p, enum collective c);

/* Bytes of a block by the settings, else the rule; 0: neither. */
int64_t policy_block(const struct settings *s, const struct rule *rule, const struct facts *f);

/* By the settings, else the rule; -1: neither. If they set alpha, jump is 0, and hop and gap equal alpha unless set. */
struct figures policy_figures(const struct settings *s, const struct rule *rule);

/* Most bytes of a call with a shadow trial, and of its message's extent in memory. */
enum { SHADOW_MOST = 64 << 20 };
