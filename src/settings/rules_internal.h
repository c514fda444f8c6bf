/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files rules_*.c share. rules_parse.c reads rules, and rules_put.c writes them. */
#pragma once

#include "nearest.h"
#include "rules.h"

/* A condition or an action, KEY=VALUE. */
struct rule_key {
    const char *name;
    bool action;
    const char *accepts; /* for messages: "a size ..." */

    size_t offset; /* of its field in struct rule */

    enum setting_type type;     /* if values are those of settings of this type, except auto; SET_BOOL: they are not */
    const char *(*word)(int i); /* if the value is a set of words: word number i, or NULL behind the last */
    bool (*number)(const char *text, int64_t *number); /* if it is a range: reads one number; false if there is none */

    /* Do the work of rule_key_parse() and rule_key_print(). NULL: these follow from `type`, `word` or `number`. */
    const char *(*parse)(void *field, char *value);
    bool (*print)(const void *field, char text[SETTING_TEXT]);

    /* Suggests a good value for a refused one: " (did you mean ...?)" or "". `hint` may be NULL. */
    const char *(*hint)(const char *value, struct nearest *near);
};

/* All conditions, then all actions; a row without a name ends them. See rules_keys.c. */
extern const struct rule_key rule_keys[];

/*
 * Reads a value of fewer than SETTING_TEXT characters into the rule, and may change the text. Returns NULL if the value is
 * good, "" if the key does not accept it, else the end of a message that begins with "KEY=VALUE ".
 */
const char *rule_key_parse(const struct rule_key *key, struct rule *rule, char *value);

/* Writes the value as rule_key_parse() reads it, without quotes. Returns false if the rule does not set the key. */
bool rule_key_print(const struct rule_key *key, const struct rule *rule, char text[SETTING_TEXT]);

/* Why no call at all can meet the rule's conditions, because they contradict each other, or NULL. */
const char *rule_unreachable(const struct rule *rule);

/* Do the engines of the rule serve any of its calls? */
bool rule_served(const struct rule *rule);
