/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the reader and the writer of rules (rules_parse.c, rules_keys.c). */
#ifndef PLEACH_RULES_INTERNAL_H
#define PLEACH_RULES_INTERNAL_H

#include "nearest.h"
#include "rules.h"

/* A condition or an action, KEY=VALUE. */
struct rule_key {
    const char *name;
    bool action;
    const char *accepts; /* for messages: "a size ..." */

    size_t offset; /* of its field in struct rule */

    /*
     * Reads a value of fewer than SETTING_TEXT characters, and may change it on the way. NULL if it is good, "" if it is
     * not what the key accepts, else what is wrong with it, which follows "KEY=VALUE ".
     */
    const char *(*take)(void *field, char *value);

    /* Writes the value as take() reads it, without quotes. False if it is not set. */
    bool (*print)(const void *field, char text[SETTING_TEXT]);

    /* The value that a refused one may mean: " (did you mean ...?)" or "". May be NULL. */
    const char *(*hint)(const char *value, struct nearest *near);
};

/* All conditions, then all actions; a row without name ends them. rules_keys.c */
extern const struct rule_key rule_keys[];

/* They end a word that is not in quotes. */
extern const char rule_blanks[];

/* Which calls a rule can reach; rules_reach.c. */

/* Why no call at all can meet the rule's conditions, or NULL. */
const char *rule_unreachable(const struct rule *rule);

/* Does `earlier` match every call that `later` could? */
bool rule_covers(const struct rule *earlier, const struct rule *later);

/* Do the engines of the rule serve any of its calls? */
bool rule_served(const struct rule *rule);

#endif
