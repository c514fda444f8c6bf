/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The policy for a call says what may choose the engine: settings, a rule, the model, measurements. It follows from
 * settings, rule and facts alone, so it is the same on all ranks. Choice, trials, decision and benchmark all ask the policy;
 * none of them finds out by itself whether the model or a measurement may decide.
 */
#pragma once

#include "rules.h"

struct policy {
    struct engine_setting may; /* the engines that may serve; whether they were named, or one of them is drawn */
    struct shape shape;        /* of the call with one block */
    enum reason refuses;       /* why no engine may serve the call; else REASON_NONE */
    enum reason picks;         /* how an engine is picked: REASON_RANDOM, _FORCED, _RULE or _MODEL */
    bool order_counts;         /* as facts_order_counts() says */
    bool below;                /* the call is below the threshold, so few engines may serve it; these are: */
    bool ruled;                /* if below: all that the rule names */
    bool segment;              /* if below: those with a segment */
    bool lanes;                /* if below: lanes and multiport, as policy_lanes() says */
    bool writes;               /* if below: all engines, in trials for the file of PLEACH_LEARN */
    bool many;                 /* trials compare many engines, even references: they are for a file, and cost little */
    bool keeps_bits;           /* as policy_keeps_bits() says: no measurement may choose the engine */
    bool uncut;                /* a user's operation gets all elements of the call at once */
    bool shares;               /* engines with a segment may serve: the model then takes no engine without a segment, nor
                                  native if there are more ranks than cores */
    bool wants_figures;        /* the choice may depend on the machine's figures, so the ranks should measure them first */
    bool wants_segment;        /* an engine that goes through a segment may serve, so the ranks should try to share one */
    bool learns;               /* calls like this one count in the history of the communicator */
    /*
     * A trial is the program's own call where nothing that a user sees depends on it. Else, in a dry run or where the engine
     * may change bits, it is a shadow trial: a call of ours beside the program's, which follows the model.
     */
    bool shadow;
};

/* `rule` comes from rules_find() and may be NULL. */
struct policy policy_of(const struct settings *s, const struct rule *rule, const struct facts *f);

/* Do two policies say the same about calls that differ in size alone? */
bool policy_same(const struct policy *a, const struct policy *b);

/*
 * Returns why no engine may serve the call, or REASON_NONE. Looks only for reasons that need no cost model, such as a size
 * below the threshold. If the threshold is auto, some shorter calls are served all the same. Cheap, as it runs on every
 * call.
 */
enum reason policy_quick(const struct settings *s, const struct facts *f);

/* The collectives whose calls are all native by the settings of engines and thresholds; bit c: collective c. */
unsigned policy_switched_off(const struct settings *s);

/* Can the engine serve the call? For native:NAME, the MPI library of each rank must be able to switch to NAME. */
bool policy_fits(const struct engine *e, const struct facts *f);

/* The same, for a caller that has the shape of the call. */
bool policy_fits_shape(const struct engine *e, const struct facts *f, const struct shape *shape);

/* Does the engine decide the bits of the result, in a call whose bits users compare? Then no measurement may choose it. */
bool policy_keeps_bits(const struct settings *s, const struct facts *f);

/*
 * Does the run write the rules that it learns to a file? If so, trials also compare engines for calls below a threshold of
 * auto, since later runs gain by the rules. Shadow trials also compare the engines that measurements find best, as no result
 * depends on a shadow trial.
 */
bool policy_writes(const struct settings *s);

/*
 * May the model take lanes or multiport for the call? Every node must have several ranks. For a short call, each rank must
 * have a core; and if the bits do not depend on the engine, the ranks must share memory already, or make many calls.
 */
bool policy_lanes(const struct facts *f);

/* Does an engine that may serve go through a segment? */
bool policy_segment(const struct policy *p, enum collective c);

/* Does an engine that may serve make its calls of stages? Such an engine needs a segment on each node. */
bool policy_composed(const struct policy *p, enum collective c);

/* Bytes of a block as the settings say, else as the rule says; 0 if neither sets a size. */
int64_t policy_block(const struct settings *s, const struct rule *rule, const struct facts *f);

/*
 * Each figure as the settings say, else as the rule says; -1 if neither sets it. If they set alpha, jump is 0; and hop and
 * gap equal alpha unless they are set, too.
 */
struct figures policy_figures(const struct settings *s, const struct rule *rule);

/* The most bytes of a call with a shadow trial, and of the memory over which its message spreads. By hand. */
enum { SHADOW_MOST = 64 << 20 };
