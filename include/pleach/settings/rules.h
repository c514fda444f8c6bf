/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules say which engines, blocks and figures hold for which calls. They come from a file (PLEACH_RULES) that `pleach tune`
 * or a user wrote; see pleach-rules(5).
 *
 *     pleach-rules 1
 *     collective=scan,exscan bytes=64K-1M ranks=2-16 -> engine=chain block=32K
 *     bytes=1M-inf site="*solve* < main*" -> engine=^circulant alpha=5us
 *
 * A call takes the first rule whose conditions all hold. All conditions except `site` are about facts, so all ranks find the
 * same rule. The call site may differ between ranks, so the caller makes the ranks agree on the rules whose site matches
 * (see rules_sited).
 */
#pragma once

#include "settings.h"

#include <stdio.h>

enum { RULES_VERSION = 1, RULES_MOST = 1024, RULES_SITED_MOST = 64, DATE_TEXT = 16 };

/* A range of whole numbers, both ends included. */
struct span {
    int64_t least, most;
};

/* Who made a rule. */
enum origin { ORIGIN_USER, ORIGIN_LEARNED, ORIGIN_TUNED };

/* What a rule was made from. Only `origin` and `table` count: see rules_parse(). */
struct evidence {
    enum origin origin;
    uint32_t table;       /* engine_mark() of the rule's engine at that time; 0: unknown */
    int64_t at;           /* bytes of a call that was timed; 0: unknown */
    double native_us, us; /* microseconds of a native call, and of a call by this rule; 0: unknown */
    int64_t calls;        /* the number of timed calls by this rule; 0: unknown */
    char date[DATE_TEXT]; /* of the measurement; "": unknown */
};

struct rule {
    int line; /* in the file, from 1 */
    /* Conditions. A condition that the rule does not name always holds. */
    unsigned collectives;    /* bit c: enum collective c */
    unsigned ops;            /* bit o: enum op_class o */
    unsigned roots;          /* bit r: enum root_place r */
    struct span bytes;       /* m */
    struct span ranks;       /* p */
    struct span node_ranks;  /* number of ranks on the node that has most */
    char site[SETTING_TEXT]; /* glob (fnmatch) on the call site as records show it; "": any */
    int sited;               /* number of this rule among the rules with a site, from 0; -1: no site */
    /* Actions. */
    struct engine_setting engine; /* which engines may serve; no rows: not set */
    int64_t block;                /* bytes; 0: not set */
    struct figures figures;       /* a figure < 0: not set */
    struct evidence evidence;
};

/* The second line of a file of rules that earlier versions have learned begins so. Its rules name no origin. */
#define RULES_LEARNED_BEFORE "# Learned by Pleach, which rewrites this file"

/* A rule that sets nothing. */
extern const struct rule rule_blank;

/* A rule by which one engine serves calls of any size. `op` OP_NONE: any operation. `block` 0: no size is set. */
struct rule rule_for(enum collective c, enum op_class op, int ranks, int node_ranks, const struct engine *e, int64_t block);

/*
 * A rule serves calls below a threshold of auto, too, if it names an algorithm of the MPI library, or engines and a least
 * size. Returns the bytes from which it serves; INT64_MAX for other rules, and for those that name native alone.
 */
int64_t rule_from(const struct rule *rule);

/* Does each condition of `earlier` hold wherever that of `later` holds? Then `later` can never match. */
bool rule_covers(const struct rule *earlier, const struct rule *later);

/* Writes the rule as a line that rules_parse() reads as the same rule. The rule must have an action. */
void rule_put(FILE *f, const struct rule *rule);

struct rules {
    int count;
    int sited;          /* rules with a site, at most RULES_SITED_MOST */
    int stale;          /* further rules, which do not count: learned with an engine that has changed since */
    struct rule rule[]; /* `count' rules, then the stale ones */
};

/*
 * Reads a file of rules. The caller frees the text with free(). A missing or empty file that is also `grows`, the file to
 * which the run writes learned rules ("" if there is none), gives a text without rules. Returns NULL, with the reason in
 * `why`, if the file cannot be read.
 */
char *rules_read(const char *name, const char *grows, char *why, size_t size);

/*
 * Reads the text of a file of rules. Calls `report` (may be NULL) for every error, with its line and one sentence, and for
 * every rule that can never match or is stale (`fatal` false). The caller frees the result with free(). Returns NULL on an
 * error, or if memory is short.
 */
struct rules *rules_parse(const char *text, void (*report)(void *to, int line, bool fatal, const char *why), void *to);

/* The first error. Such a struct, all 0, and rules_keep_first() are two arguments for rules_parse(). */
struct rules_error {
    int line; /* 0: none */
    char why[1024];
};
void rules_keep_first(void *to, int line, bool fatal, const char *why);

/*
 * The rules with a site that may match this call. Bit i: the other conditions of the rule with `sited` i hold, and no
 * earlier rule matches the call at every site. If the result is 0, the caller need not find the call site.
 */
uint64_t rules_sited(const struct rules *r, const struct facts *f);

/* The rules of the set `sited` whose globs match a call site. */
uint64_t rules_at(const struct rules *r, uint64_t sited, const char *site);

/*
 * Sets, for each collective, the least rule_from() of the rules for this number of ranks. `switches`: the ranks' MPI
 * libraries can switch to other algorithms; otherwise rules that name an algorithm do not count.
 */
void rules_from(const struct rules *r, int ranks, bool switches, int64_t from[COLLECTIVES]);

/* Have all sizes between these the same rule, other things being equal? */
bool rules_even(const struct rules *r, int64_t least, int64_t most);

/* The call's rule, or NULL. `matching`: the rules with a site that match on every rank. */
const struct rule *rules_find(const struct rules *r, const struct facts *f, uint64_t matching);
