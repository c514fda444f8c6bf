/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reader of rules (rules_parse.c) is made of. */
#ifndef PLEACH_RULES_INTERNAL_H
#define PLEACH_RULES_INTERNAL_H

#include "nearest.h"
#include "rules.h"

/* A condition or an action, KEY=VALUE. */
struct rule_key {
    const char *name;
    bool action;
    const char *accepts; /* for messages: "a size ..." */

    /*
     * Reads a value of fewer than SETTING_TEXT characters, and may change it on the way. NULL if it is good, "" if it is
     * not what the key accepts, else what is wrong with it, which follows "KEY=VALUE ".
     */
    const char *(*take)(struct rule *rule, char *value);

    /* What was meant by a value that is not accepted: " (did you mean ...?)" or "". May be NULL. */
    const char *(*hint)(const char *value, struct nearest *near);
};

/* All conditions, then all actions; a row without name ends them. rules_keys.c */
extern const struct rule_key rule_keys[];

/* Which calls a rule can reach; rules_reach.c. */

/* Why no call at all can meet the rule's conditions, or NULL. */
const char *rule_unreachable(const struct rule *rule);

/* Does `earlier` match every call that `later` could? */
bool rule_covers(const struct rule *earlier, const struct rule *later);

/* Do the engines of the rule serve any of its calls? */
bool rule_served(const struct rule *rule);

#endif
