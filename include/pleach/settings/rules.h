/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rules: which engines, blocks and figures for which calls. From a file (PLEACH_RULES) of `pleach tune` or a user; see
 * pleach-rules(5).
 *
 *     pleach-rules 1
 *     collective=scan,exscan bytes=64K-1M ranks=2-16 -> engine=chain block=32K
 *     bytes=1M-inf site="*solve* < main*" -> engine=^circulant alpha=5us
 *
 * The first rule whose conditions hold counts, alike on all ranks: conditions are about facts. Call sites may differ, so
 * ranks agree on the rules with a site (rules_sited).
 */
#pragma once

#include "settings.h"

#include <stdio.h>

enum { RULES_VERSION = 1, RULES_MOST = 1024, RULES_SITED_MOST = 64, DATE_TEXT = 16 };

/* A range, both ends included. */
struct span {
    int64_t least, most;
};

enum origin { ORIGIN_USER, ORIGIN_LEARNED, ORIGIN_TUNED };

/* Only `origin` and `table` count: see rules_parse(). 0 and "" are unknown. */
struct evidence {
    enum origin origin;
    uint32_t table;       /* engine_mark() when it was made */
    int64_t at;           /* bytes of a timed call */
    double native_us, us; /* microseconds of a native call, and of one by this rule */
    int64_t calls;        /* timed ones by this rule */
    char date[DATE_TEXT]; /* of the measurement */
};

struct rule {
    int line;
    /* Conditions; those not named always hold. */
    unsigned collectives; /* bits of enum collective */
    unsigned ops;         /* bits of enum op_class */
    unsigned roots;       /* bits of enum root_place */
    struct span bytes;
    struct span ranks;
    struct span node_ranks;  /* ranks on the node that has most */
    char site[SETTING_TEXT]; /* glob (fnmatch), as in records; or "" */
    int sited;               /* number among rules with a site, or -1 */
    /* Actions. */
    struct engine_setting engine; /* no rows: not set */
    int64_t block;                /* bytes; 0: not set */
    struct figures figures;       /* < 0: not set */
    struct evidence evidence;
};

/* Second line of files learned by earlier versions, whose rules name no origin. */
#define RULES_LEARNED_BEFORE "# Learned by Pleach, which rewrites this file"

extern const struct rule rule_blank;

/* A rule for one engine and calls of any size. OP_NONE: any operation. `block` 0: not set. */
struct rule rule_for(enum collective c, enum op_class op, int ranks, int node_ranks, const struct engine *e, int64_t block);

/*
 * The bytes from which the rule serves below a threshold of auto, too: it names an algorithm of the MPI library, or engines
 * and a least size. INT64_MAX for others, and for native alone.
 */
int64_t rule_from(const struct rule *rule);

/* Does `earlier` hold wherever `later` does? Then `later` never matches. */
bool rule_covers(const struct rule *earlier, const struct rule *later);

/* Writes a line that rules_parse() reads as the same rule. The rule has an action. */
void rule_put(FILE *f, const struct rule *rule);

struct rules {
    int count;
    int sited; /* with a site, at most RULES_SITED_MOST */
    int stale; /* rules behind `count`, of engines that have changed: they do not count */
    struct rule rule[];
};

/*
 * Reads a file; for free(). If it is missing or empty, and is `grows`, the file for learned rules (or ""), the text has no
 * rules. Returns NULL, with the reason, on failure.
 */
char *rules_read(const char *name, const char *grows, char *why, size_t size);

/*
 * Parses the text; for free(). `report`, or NULL, gets each error and, with `fatal` false, each rule that is stale or never
 * matches. Returns NULL on an error, or without memory.
 */
struct rules *rules_parse(const char *text, void (*report)(void *to, int line, bool fatal, const char *why), void *to);

/* The first error; all 0, for rules_parse() with rules_keep_first(). */
struct rules_error {
    int line; /* 0: none */
    char why[1024];
};
void rules_keep_first(void *to, int line, bool fatal, const char *why);

/*
 * The rules with a site that may match, by bit `sited`: their other conditions hold, and no earlier rule matches at every
 * site. If 0, the call site need not be found.
 */
uint64_t rules_sited(const struct rules *r, const struct facts *f);

/* Those of `sited` whose globs match the site. */
uint64_t rules_at(const struct rules *r, uint64_t sited, const char *site);

/*
 * The least rule_from() for each collective. `switches`: the ranks' MPI libraries can switch algorithms; else rules for such
 * do not count.
 */
void rules_from(const struct rules *r, int ranks, bool switches, int64_t from[COLLECTIVES]);

/* Is the rule the same for all sizes between, all else being equal? */
bool rules_even(const struct rules *r, int64_t least, int64_t most);

/* The call's rule, or NULL. `matching`: rules with a site that match on every rank. */
const struct rule *rules_find(const struct rules *r, const struct facts *f, uint64_t matching);
