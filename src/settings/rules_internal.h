/* SPDX-License-Identifier: BSD-2-Clause */
/* What rules_*.c share. */
#pragma once

#include "nearest.h"
#include "rules.h"

/* KEY=VALUE. */
struct rule_key {
    const char *name;
    bool action;
    const char *accepts;

    size_t offset;

    enum setting_type type;                            /* of settings, without auto; SET_BOOL: none */
    const char *(*word)(int i);                        /* of a set of words; NULL behind the last */
    bool (*number)(const char *text, int64_t *number); /* of a range; false: no number */

    /* Instead of `type`, `word` and `number`, or NULL. */
    const char *(*parse)(void *field, char *value);
    bool (*print)(const void *field, char text[SETTING_TEXT]);

    /* For a refused value: " (did you mean ...?)" or "". May be NULL. */
    const char *(*hint)(const char *value, struct nearest *near);
};

/* Conditions, then actions; a row without a name ends them. */
extern const struct rule_key rule_keys[];

/*
 * Reads fewer than SETTING_TEXT characters, which it may change. Returns NULL if it is good, "" if the key does not accept
 * it, else the end of a message "KEY=VALUE ..".
 */
const char *rule_key_parse(const struct rule_key *key, struct rule *rule, char *value);

/* Writes the value without quotes, for rule_key_parse(). Returns false if it is not set. */
bool rule_key_print(const struct rule_key *key, const struct rule *rule, char text[SETTING_TEXT]);

/* Why its conditions contradict each other; or NULL. */
const char *rule_unreachable(const struct rule *rule);

/* Do its engines serve any of its calls? */
bool rule_served(const struct rule *rule);
