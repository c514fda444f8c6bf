/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys of rules; see rules_internal.h, pleach-rules(5). */
#include "rules_internal.h"
#include "values.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct rule rule_blank = {.collectives = (1u << COLLECTIVES) - 1,
                                .ops = (2u << OP_ORDERED) - 1,
                                .roots = (2u << ROOT_INSIDE) - 1,
                                .bytes = {0, INT64_MAX},
                                .ranks = {0, INT64_MAX},
                                .node_ranks = {0, INT64_MAX},
                                .sited = -1,
                                .figures = {-1, -1, -1, -1, -1, -1}};

static const char OTHERWISE[] = "";

static const char *verdict(bool good)
{
    return good ? NULL : OTHERWISE;
}

/* ---- Sets of words -------------------------------------------------------------------------------------------------- */

static const char *parse_words(unsigned *set, char *value, const char *(*word)(int i))
{
    *set = 0;
    for (char *text; (text = strsep(&value, ","));) {
        int i = 0;
        while (word(i) && strcmp(text, word(i)) != 0)
            i++;
        if (!word(i))
            return OTHERWISE;
        *set |= 1u << i;
    }
    return NULL;
}

static bool print_words(unsigned set, char text[SETTING_TEXT], const char *(*word)(int i))
{
    int used = 0, i = 0;
    for (; word(i); i++)
        if (set >> i & 1)
            used += snprintf(text + used, SETTING_TEXT - (size_t)used, "%s%s", used ? "," : "", word(i));
    return set != (1u << i) - 1;
}

static const char *parse_collectives(void *field, char *value)
{
    enum collective c;
    unsigned *set = field;
    *set = 0;
    for (char *word; (word = strsep(&value, ",")); *set |= 1u << c)
        if (!collective_parse(word, &c))
            return OTHERWISE;
    return NULL;
}

/* ---- Ranges --------------------------------------------------------------------------------------------------------- */

/* N, N-N or N-inf, N by `parse`. */
static const char *parse_span(struct span *span, char *value, bool (*parse)(const char *text, int64_t *number))
{
    char *least = strsep(&value, "-");
    if (!parse(least, &span->least) || span->least == SIZE_INF)
        return OTHERWISE;
    span->most = span->least;
    if (value && !parse(value, &span->most))
        return OTHERWISE;
    return span->least > span->most ? "is an empty range: the lower end comes first" : NULL;
}

static bool is_narrow(const struct span *span)
{
    return span->least > rule_blank.bytes.least || span->most < rule_blank.bytes.most;
}

static bool print_sizes(const void *field, char text[SETTING_TEXT])
{
    const struct span *span = field;
    char least[UNITS_TEXT], most[UNITS_TEXT];
    size_print(span->least, least, sizeof least);
    size_print(span->most, most, sizeof most);
    snprintf(text, SETTING_TEXT, "%s-%s", least, most);
    return is_narrow(span);
}

static bool rank_count_parse(const char *text, int64_t *number)
{
    int ranks;
    bool infinite = strcasecmp(text, "inf") == 0;
    if (!infinite && !count_parse(text, 1, INT_MAX, &ranks))
        return false;
    *number = infinite ? SIZE_INF : ranks;
    return true;
}

static bool print_counts(const void *field, char text[SETTING_TEXT])
{
    const struct span *span = field;
    int used = snprintf(text, SETTING_TEXT, "%" PRId64, span->least);
    if (span->most == SIZE_INF)
        snprintf(text + used, SETTING_TEXT - (size_t)used, "-inf");
    else if (span->most > span->least)
        snprintf(text + used, SETTING_TEXT - (size_t)used, "-%" PRId64, span->most);
    return is_narrow(span);
}

/* ---- Others --------------------------------------------------------------------------------------------------------- */

/* One that matches all is none: no call site is needed. */
static const char *parse_site(void *field, char *value)
{
    if (!*value)
        return OTHERWISE;
    snprintf(field, SETTING_TEXT, "%s", value[strspn(value, "*")] ? value : "");
    return NULL;
}

static bool print_site(const void *field, char text[SETTING_TEXT])
{
    snprintf(text, SETTING_TEXT, "%s", (const char *)field);
    return *text;
}

static const char *parse_engine(void *field, char *value)
{
    struct engine_setting *may = field;
    return verdict(engine_parse(value, may) && may->rows && !may->random);
}

static bool print_engine(const void *field, char text[SETTING_TEXT])
{
    const struct engine_setting *may = field;
    engine_print(may, text, SETTING_TEXT);
    return may->rows;
}

/* Without "random:", which only settings accept. */
static const char *hint_engine(const char *value, struct nearest *near)
{
    const char *hint = engine_hint(value, near);
    return strcmp(near->word, "random:") == 0 ? "" : hint;
}

/* ---- Evidence --------------------------------------------------------------------------------------------------------- */

static const char *const origin_words[] = {[ORIGIN_USER] = "user", [ORIGIN_LEARNED] = "learned", [ORIGIN_TUNED] = "tuned"};

static const char *parse_origin(void *field, char *value)
{
    enum origin o = ORIGIN_USER;
    while (o < ORIGIN_TUNED && strcmp(value, origin_words[o]) != 0)
        o++;
    *(enum origin *)field = o;
    return verdict(strcmp(value, origin_words[o]) == 0);
}

static bool print_origin(const void *field, char text[SETTING_TEXT])
{
    const enum origin o = *(const enum origin *)field;
    snprintf(text, SETTING_TEXT, "%s", origin_words[o]);
    return o != ORIGIN_USER;
}

static const char *parse_table(void *field, char *value)
{
    const size_t digits = strspn(value, "0123456789abcdef");
    *(uint32_t *)field = (uint32_t)strtoul(value, NULL, 16);
    return verdict(digits == 8 && !value[8]);
}

static bool print_table(const void *field, char text[SETTING_TEXT])
{
    const uint32_t table = *(const uint32_t *)field;
    snprintf(text, SETTING_TEXT, "%08" PRIx32, table);
    return table;
}

static const char *parse_number(void *field, char *value)
{
    int number = 0;
    const bool good = count_parse(value, 1, INT_MAX, &number);
    *(int64_t *)field = number;
    return verdict(good);
}

static bool print_number(const void *field, char text[SETTING_TEXT])
{
    const int64_t number = *(const int64_t *)field;
    snprintf(text, SETTING_TEXT, "%" PRId64, number);
    return number > 0;
}

static const char *parse_microseconds(void *field, char *value)
{
    char *end;
    double *us = field;
    *us = strtod(value, &end);
    return verdict(value[strspn(value, "0123456789.")] == 0 && *value && !*end && *us > 0);
}

/* One printed as 0.0 is unknown. */
static bool print_microseconds(const void *field, char text[SETTING_TEXT])
{
    const double us = *(const double *)field;
    snprintf(text, SETTING_TEXT, "%.1f", us);
    return us >= 0.06 && us < 1e15;
}

static const char *parse_date(void *field, char *value)
{
    const bool good = strlen(value) == 10 && strspn(value, "0123456789-") == 10;
    snprintf(field, DATE_TEXT, "%.10s", good ? value : "");
    return verdict(good);
}

static bool print_date(const void *field, char text[SETTING_TEXT])
{
    snprintf(text, SETTING_TEXT, "%s", (const char *)field);
    return *text;
}

/* ---- All of them ---------------------------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct rule, field)
#define COUNTS "a whole number of at least 1, or a range such as 2-16 or 2-inf"
#define MICROSECONDS "microseconds, such as 12.5"
#define TIME "seconds, or with suffix ms, us or ns"

const struct rule_key rule_keys[] = {
    {"collective", false, COLLECTIVE_WORDS ", joined by commas", AT(collectives), .parse = parse_collectives,
     .word = collective_word},
    {"op", false, "none, exact, rounding or user, joined by commas", AT(ops), .word = op_word},
    {"root", false, "first, last or inside, joined by commas", AT(roots), .word = root_word},
    {"bytes", false, "a size (bytes, or with K, M, G), or a range such as 64K-1M or 1M-inf", AT(bytes), .number = size_parse,
     .print = print_sizes},
    {"ranks", false, COUNTS, AT(ranks), .number = rank_count_parse, .print = print_counts},
    {"ranks-per-node", false, COUNTS, AT(node_ranks), .number = rank_count_parse, .print = print_counts},
    {"site", false, "a pattern such as *solve*, in quotes if it has blanks", AT(site), .parse = parse_site,
     .print = print_site},
    {"engine", true, "auto, engine names (see pleach engines), or ^NAME", AT(engine), .parse = parse_engine,
     .print = print_engine, .hint = hint_engine},
    {"block", true, "a size (bytes, or with K, M, G; or inf) of at least 1", AT(block), .type = SET_BLOCK},
    {"alpha", true, TIME, AT(figures.alpha), .type = SET_TIME},
    {"beta", true, TIME, AT(figures.beta), .type = SET_TIME},
    {"gamma", true, TIME, AT(figures.gamma), .type = SET_TIME},
    {"hop", true, TIME, AT(figures.hop), .type = SET_TIME},
    {"gap", true, TIME, AT(figures.gap), .type = SET_TIME},
    {"origin", true, "user, learned or tuned", AT(evidence.origin), .parse = parse_origin, .print = print_origin},
    {"at", true, "a size (bytes, or with K, M, G) of at least 1", AT(evidence.at), .type = SET_BLOCK},
    {"native-us", true, MICROSECONDS, AT(evidence.native_us), .parse = parse_microseconds, .print = print_microseconds},
    {"us", true, MICROSECONDS, AT(evidence.us), .parse = parse_microseconds, .print = print_microseconds},
    {"calls", true, "a whole number of at least 1", AT(evidence.calls), .parse = parse_number, .print = print_number},
    {"date", true, "a day such as 2026-11-30", AT(evidence.date), .parse = parse_date, .print = print_date},
    {"table", true, "eight hexadecimal digits", AT(evidence.table), .parse = parse_table, .print = print_table},
    {0},
};

const char *rule_key_parse(const struct rule_key *key, struct rule *rule, char *value)
{
    void *field = (char *)rule + key->offset;
    if (key->type)
        return verdict(strcasecmp(value, "auto") != 0 && value_parse(&(struct setting){.type = key->type}, value, field));
    return key->parse    ? key->parse(field, value)
           : key->number ? parse_span(field, value, key->number)
                         : parse_words(field, value, key->word);
}

bool rule_key_print(const struct rule_key *key, const struct rule *rule, char text[SETTING_TEXT])
{
    const void *field = (const char *)rule + key->offset;
    if (key->type) {
        value_print(&(struct setting){.type = key->type}, field, text, SETTING_TEXT);
        return strcmp(text, "auto") != 0;
    }
    return key->print ? key->print(field, text) : print_words(*(const unsigned *)field, text, key->word);
}
