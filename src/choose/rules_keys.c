/* SPDX-License-Identifier: BSD-2-Clause */
/* The conditions and actions of rules, and how their values are read and written; see rules_internal.h, pleach-rules(5). */
#include "rules_internal.h"
#include "values.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char OTHERWISE[] = "";

static const char *verdict(bool good)
{
    return good ? NULL : OTHERWISE;
}

/* ---- Sets of words -------------------------------------------------------------------------------------------------- */

/* A set of words is a bit mask: bit i stands for word number i. A function gives the words, and NULL behind the last. */

static const char *numbered_op(int i)
{
    return i <= OP_ORDERED ? op_word((enum op_class)i) : NULL;
}

static const char *numbered_root(int i)
{
    return i <= ROOT_INSIDE ? root_word((enum root_place)i) : NULL;
}

/* Reads words that are joined by commas. */
static const char *take_words(unsigned *set, char *value, const char *(*word)(int i))
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

/* Accepts all names of a collective, not only the one that is printed. */
static const char *take_collectives(void *field, char *value)
{
    enum collective c;
    unsigned *set = field;
    *set = 0;
    for (char *word; (word = strsep(&value, ",")); *set |= 1u << c)
        if (!collective_parse(word, &c))
            return OTHERWISE;
    return NULL;
}

static bool print_collectives(const void *field, char text[SETTING_TEXT])
{
    return print_words(*(const unsigned *)field, text, collective_word);
}

static const char *take_ops(void *field, char *value)
{
    return take_words(field, value, numbered_op);
}

static bool print_ops(const void *field, char text[SETTING_TEXT])
{
    return print_words(*(const unsigned *)field, text, numbered_op);
}

static const char *take_roots(void *field, char *value)
{
    return take_words(field, value, numbered_root);
}

static bool print_roots(const void *field, char text[SETTING_TEXT])
{
    return print_words(*(const unsigned *)field, text, numbered_root);
}

/* ---- Ranges --------------------------------------------------------------------------------------------------------- */

/* Reads N, N-N or N-inf, where `parse` reads an N. */
static const char *take_span(struct span *span, char *value, bool (*parse)(const char *text, int64_t *number))
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

static const char *take_sizes(void *field, char *value)
{
    return take_span(field, value, size_parse);
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

static const char *take_counts(void *field, char *value)
{
    return take_span(field, value, rank_count_parse);
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

/* A glob that matches everything is no condition: the rule needs no call site, whose search takes time. */
static const char *take_site(void *field, char *value)
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

static const char *take_engine(void *field, char *value)
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

/* Suggests no "random:", which only settings accept. */
static const char *hint_engine(const char *value, struct nearest *near)
{
    const char *hint = engine_hint(value, near);
    return strcmp(near->word, "random:") == 0 ? "" : hint;
}

static const char *take_block(void *field, char *value)
{
    return verdict(size_parse(value, field) && *(const int64_t *)field > 0);
}

static bool print_block(const void *field, char text[SETTING_TEXT])
{
    const int64_t bytes = *(const int64_t *)field;
    size_print(bytes, text, SETTING_TEXT);
    return bytes > 0;
}

static const char *take_time(void *field, char *value)
{
    return verdict(time_parse(value, field));
}

static bool print_time(const void *field, char text[SETTING_TEXT])
{
    const double seconds = *(const double *)field;
    bool set = seconds >= 0;
    if (set)
        time_print(seconds, text, SETTING_TEXT);
    return set;
}

/* ---- All of them ---------------------------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct rule, field)
#define COUNT_RANGE "a whole number of at least 1, or a range such as 2-16 or 2-inf"
#define TIME "seconds, or with suffix ms, us or ns"

const struct rule_key rule_keys[] = {
    {"collective", false, "bcast, reduce, scan, exscan or allreduce, joined by commas", AT(collectives), take_collectives,
     print_collectives, NULL},
    {"op", false, "none, exact, rounding or user, joined by commas", AT(ops), take_ops, print_ops, NULL},
    {"root", false, "first, last or inside, joined by commas", AT(roots), take_roots, print_roots, NULL},
    {"bytes", false, "a size (bytes, or with K, M, G), or a range such as 64K-1M or 1M-inf", AT(bytes), take_sizes,
     print_sizes, NULL},
    {"ranks", false, COUNT_RANGE, AT(ranks), take_counts, print_counts, NULL},
    {"ranks-per-node", false, COUNT_RANGE, AT(node_ranks), take_counts, print_counts, NULL},
    {"site", false, "a pattern such as *solve*, in quotes if it has blanks", AT(site), take_site, print_site, NULL},
    {"engine", true, "auto, engine names (see pleach engines), or ^NAME", AT(engine), take_engine, print_engine,
     hint_engine},
    {"block", true, "a size (bytes, or with K, M, G; or inf) of at least 1", AT(block), take_block, print_block, NULL},
    {"alpha", true, TIME, AT(figures.alpha), take_time, print_time, NULL},
    {"beta", true, TIME, AT(figures.beta), take_time, print_time, NULL},
    {"gamma", true, TIME, AT(figures.gamma), take_time, print_time, NULL},
    {"hop", true, TIME, AT(figures.hop), take_time, print_time, NULL},
    {"gap", true, TIME, AT(figures.gap), take_time, print_time, NULL},
    {0},
};
