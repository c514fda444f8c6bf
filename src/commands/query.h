/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A question that the user of `pleach choose` or `pleach rules` asks: what would the library choose for a call? Unless a
 * file of figures says more, the question assumes that nothing was measured, that the ranks fill one node after the other,
 * and that each rank has a core.
 */
#pragma once

#include "choose.h"

/* The call, and all that its choice depends on. */
struct query {
    struct settings settings;
    const char *file;        /* name of the file of rules; "" if there is none */
    struct rules *rules;     /* or NULL */
    const struct rule *rule; /* the rule that holds for the call, or NULL */
    bool sited;              /* the call site is not given, and at some call site another rule would hold */
    struct machine machine;
    struct facts facts;
    struct plan plan;
};

/*
 * Sets the machine of a job, which keeps its figures. If `places` is NULL, nodes are places, as in the library, unless there
 * are more than MOST_PLACED ranks.
 */
void query_machine(struct query *q, enum natives natives, int64_t ranks, int64_t node_ranks, struct places *places);

/* Sets the call. The operation is OP_NONE for a broadcast; an element has `element` bytes. */
void query_call(struct query *q, enum collective c, enum op_class op, int64_t ranks, int64_t root, int64_t bytes,
                int64_t element);

/* Reads the settings, as cli_settings() does; the command ends if one is not understood. */
void query_settings(struct query *q);

/*
 * Reads the rules of a file; NULL: of PLEACH_RULES. The command ends if they are wrong. The machine and the number of ranks
 * are set. The caller frees q->rules.
 */
void query_rules(struct query *q, const char *file);

/* Sets the rule of the call, made at this site; NULL: the site is not known. */
void query_rule(struct query *q, const char *site);

/* Does the call have one rank or no bytes? Then there is nothing to choose or to predict. */
bool query_empty(const struct query *q);

/* Why the plan is what it is, in a few words; "" if the word for the reason says it all. */
const char *query_because(const struct query *q);

/* The size of the largest block, in bytes, if the engine cuts the message into `blocks` blocks. */
int64_t block_bytes(const struct query *q, const struct engine *e, int64_t blocks);
