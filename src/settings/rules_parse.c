/* SPDX-License-Identifier: BSD-2-Clause */
/* See rules.h and pleach-rules(5). Goes on after an error, to find all. */
#include "newfile.h"
#include "rules_internal.h"
#include "say.h"
#include "textfile.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rules_reading {
    struct rules *rules;
    void (*report)(void *to, int line, bool fatal, const char *why);
    void *to;
    int line;
    int errors;
    bool learned;
};

__attribute__((format(printf, 3, 4))) static void report(struct rules_reading *r, bool fatal, const char *format, ...)
{
    char why[4 * SETTING_TEXT];
    va_list ap;
    va_start(ap, format);
    vsnprintf(why, sizeof why, format, ap);
    va_end(ap);
    make_printable(why, "");
    r->errors += fatal;
    if (r->report)
        r->report(r->to, r->line, fatal, why);
}

#define error(r, ...) report(r, true, __VA_ARGS__)

/* ---- Words ---------------------------------------------------------------------------------------------------------- */

/* One pair around all, or false. */
static bool unquote(char **value)
{
    size_t length = strlen(*value), quote = strcspn(*value, "\"");
    if (quote == length)
        return true;
    if (quote > 0 || strcspn(*value + 1, "\"") + 2 != length)
        return false;
    (*value)[length - 1] = 0;
    ++*value;
    return true;
}

/* "KEY, KEY and KEY", of actions or conditions. */
static const char *list_keys(bool action, char *text, size_t size)
{
    int left = 0, used = 0;
    for (const struct rule_key *key = rule_keys; key->name; key++)
        left += key->action == action;
    for (const struct rule_key *key = rule_keys; key->name; key++)
        if (key->action == action) {
            left--;
            used += snprintf(text + used, size - (size_t)used, "%s%s", key->name, left > 1 ? ", " : left ? " and " : "");
        }
    return text;
}

static const char *key_hint(struct nearest *near, bool action)
{
    for (const struct rule_key *key = rule_keys; key->name; key++)
        if (key->action == action)
            nearest_try(near, key->name);
    return nearest_hint(near);
}

static void parse_word(struct rules_reading *r, struct rule *rule, char *word, bool action, unsigned *seen)
{
    char names[SETTING_TEXT], shown[64];
    struct nearest near = {.text = word};
    const struct rule_key *key = rule_keys;
    snprintf(shown, sizeof shown, "%.60s", word);
    char *value = strchr(word, '=');
    if (value)
        *value++ = 0;
    while (key->name && strcmp(word, key->name) != 0)
        key++;
    if (!key->name) {
        error(r, "'%s' is no %s%s%s", shown, action ? "action; the actions are " : "condition; the conditions are ",
              list_keys(action, names, sizeof names), key_hint(&near, action));
        return;
    }
    unsigned bit = 1u << (key - rule_keys);
    if (key->action != action)
        error(r, "'%s' is %s '->'", shown, action ? "a condition: it belongs before" : "an action: it belongs behind");
    else if (*seen & bit)
        error(r, "the rule has %s twice, the second time as '%s'", key->name, shown);
    else if (!value)
        error(r, "'%s' has no value: it takes %s", shown, key->accepts);
    else if (!unquote(&value))
        error(r, "'%s' has wrong quotes: they go around the whole value", shown);
    else if (strlen(value) >= SETTING_TEXT)
        error(r, "'%s...' is too long: a value has at most %d characters", shown, SETTING_TEXT - 1);
    else {
        const char *why = rule_key_parse(key, rule, value);
        if (why && *why)
            error(r, "%s %s", shown, why);
        else if (why)
            error(r, "%s is not understood: it takes %s%s", shown, key->accepts, key->hint ? key->hint(value, &near) : "");
    }
    *seen |= bit;
}

/* ---- Lines ---------------------------------------------------------------------------------------------------------- */

/* Its engine has changed: calls are tried again. */
static bool is_stale(const struct rule *rule)
{
    const struct evidence *e = &rule->evidence;
    return e->origin == ORIGIN_LEARNED && e->table && rule->engine.rows &&
           e->table != engine_mark(engines[__builtin_ctzll(rule->engine.rows)]);
}

static void add_rule(struct rules_reading *r, struct rule *rule)
{
    struct rules *all = r->rules;
    const char *why = rule_unreachable(rule);
    int by = 0;
    if (!why && !rule_served(rule)) {
        error(r, "no engine of this rule serves any of its calls; see 'pleach engines'");
        return;
    }
    if (rule->site[0] && all->sited == RULES_SITED_MOST) {
        error(r, "more than %d rules have a site", RULES_SITED_MOST);
        return;
    }
    assert(all->count + all->stale < RULES_MOST);
    if (is_stale(rule)) {
        report(r, false, "this rule was learned with an engine that has changed since, and is learned anew");
        all->rule[all->count + all->stale++] = *rule;
        return;
    }
    while (by < all->count && !rule_covers(&all->rule[by], rule))
        by++;
    if (why)
        report(r, false, "this rule can never match: %s", why);
    else if (by < all->count)
        report(r, false, "this rule can never match: the rule of line %d matches all its calls", all->rule[by].line);
    rule->sited = rule->site[0] ? all->sited++ : -1;
    assert(rule->sited < RULES_SITED_MOST);
    all->rule[all->count + all->stale] = all->rule[all->count];
    all->rule[all->count++] = *rule;
}

static void parse_rule(struct rules_reading *r, char *word, char *rest)
{
    struct rule rule = rule_blank;
    bool arrow = false;
    int actions = 0, errors = r->errors;
    unsigned seen = 0;
    rule.line = r->line;
    rule.evidence.origin = r->learned ? ORIGIN_LEARNED : ORIGIN_USER;
    for (; word; word = textfile_word(&rest, true)) {
        bool is_arrow = strcmp(word, "->") == 0;
        if (is_arrow && arrow)
            error(r, "the rule has '->' twice");
        else if (!is_arrow)
            parse_word(r, &rule, word, arrow, &seen);
        actions += arrow && !is_arrow;
        arrow = arrow || is_arrow;
    }
    if (!arrow)
        error(r, "the rule has no '->' with actions behind it");
    else if (!actions)
        error(r, "the rule has no action behind '->'");
    if (r->errors == errors)
        add_rule(r, &rule);
}

/* The version; false: wrong, and nothing more is read. */
static bool parse_header(struct rules_reading *r, char *word, char *rest)
{
    char version[16], shown[64];
    snprintf(version, sizeof version, "%d", RULES_VERSION);
    snprintf(shown, sizeof shown, "%.60s", word);
    char *number = strcmp(word, "pleach-rules") == 0 ? textfile_word(&rest, true) : NULL;
    if (!number)
        error(r, "the first line must be 'pleach-rules %s', but begins with '%s'", version, shown);
    else if (strcmp(number, version) != 0)
        error(r, "the rules have version '%.60s', but this Pleach reads version %s", number, version);
    else if ((word = textfile_word(&rest, true)))
        error(r, "the first line has '%.60s' behind the version", word);
    else
        return true;
    return false;
}

static void parse_text(struct rules_reading *r, char *text)
{
    bool header = false;
    for (char *line; (line = strsep(&text, "\n"));) {
        r->line++;
        r->learned |= r->line == 2 && strncmp(line, RULES_LEARNED_BEFORE, strlen(RULES_LEARNED_BEFORE)) == 0;
        char *word = textfile_word(&line, true);
        if (!word)
            continue;
        if (!header) {
            if (!parse_header(r, word, line))
                return;
            header = true;
        } else if (r->rules->count + r->rules->stale == RULES_MOST) {
            error(r, "there are more than %d rules", RULES_MOST);
            return;
        } else {
            parse_rule(r, word, line);
        }
    }
    if (!header) {
        r->line = 1;
        error(r, "the first line must be 'pleach-rules %d'", RULES_VERSION);
    }
}

char *rules_read(const char *name, const char *grows, char *why, size_t size)
{
    char *text = textfile_read(name, why, size);
    const bool empty = text ? !*text : access(name, F_OK) != 0 && errno == ENOENT;
    if (!empty || !newfile_same(name, grows))
        return text;
    free(text);
    if (asprintf(&text, "pleach-rules %d\n", RULES_VERSION) >= 0)
        return text;
    snprintf(why, size, "out of memory");
    return NULL;
}

struct rules *rules_parse(const char *text, void (*report)(void *to, int line, bool fatal, const char *why), void *to)
{
    struct rules_reading r = {.report = report, .to = to};
    char *copy = strdup(text);
    size_t lines = 1;
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    if (lines > RULES_MOST)
        lines = RULES_MOST;
    r.rules = calloc(1, sizeof *r.rules + lines * sizeof r.rules->rule[0]);
    if (copy && r.rules) {
        locale_t before = uselocale(c_locale()); /* all ranks read the same */
        parse_text(&r, copy);
        uselocale(before);
    }
    if (!copy || r.errors) {
        free(r.rules);
        r.rules = NULL;
    }
    free(copy);
    return r.rules;
}

void rules_keep_first(void *to, int line, bool fatal, const char *why)
{
    struct rules_error *first = to;
    if (!fatal || first->line)
        return;
    first->line = line;
    snprintf(first->why, sizeof first->why, "%s", why);
}
