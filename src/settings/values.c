/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and prints values of settings, by type; see values.h. */
#include "values.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool bool_parse(const char *text, bool *value)
{
    int word;
    const bool good = choice_parse(text, "no|0|false|off|n|yes|1|true|on|y", &word);
    if (good)
        *value = word >= 5;
    return good;
}

static bool range_parse(const char **p, long *low, long *high)
{
    char *end;
    if (!isdigit((unsigned char)**p))
        return false;
    *low = *high = strtol(*p, &end, 10);
    if (*end == '-') {
        if (!isdigit((unsigned char)end[1]))
            return false;
        *high = strtol(end + 1, &end, 10);
    }
    if (*end == ',' && end[1])
        end++;
    else if (*end)
        return false;
    *p = end;
    return *low <= *high;
}

bool settings_ranks_good(const char *text)
{
    long low, high;
    if (strcasecmp(text, "all") == 0)
        return true;
    if (!*text)
        return false;
    while (*text)
        if (!range_parse(&text, &low, &high))
            return false;
    return true;
}

bool settings_rank_listed(const char *list, int rank)
{
    long low, high;
    if (strcasecmp(list, "all") == 0)
        return true;
    while (*list && range_parse(&list, &low, &high))
        if (low <= rank && rank <= high)
            return true;
    return false;
}

bool settings_places_measured(const struct settings *s)
{
    return strcmp(s->places, "auto") == 0;
}

bool settings_learns(const struct settings *s)
{
    return strcmp(s->learn, "off") != 0;
}

bool settings_report_given(const char *report)
{
    return report[0] && strcmp(report, "none") != 0;
}

const char *settings_report_next(const char **rest, size_t *length)
{
    static const char separators[] = ", \t";
    const char *pattern = *rest + strspn(*rest, separators);
    *length = strcspn(pattern, separators);
    *rest = pattern + *length;
    return *length ? pattern : NULL;
}

const char *settings_wanted(const struct settings *s)
{
    return settings_report_given(s->report) ? "report" : s->log[0] ? "records" : NULL;
}

bool settings_places_none(const struct settings *s)
{
    return strcmp(s->places, "none") == 0;
}

bool settings_place_file(const struct settings *s)
{
    return !settings_places_measured(s) && !settings_places_none(s) && strcmp(s->places, "node") != 0;
}

static uint64_t all_rows(void)
{
    assert(engine_count() < 64);
    return ((uint64_t)1 << engine_count()) - 1;
}

bool engine_parse(const char *text, struct engine_setting *e)
{
    struct engine_setting result = {.rows = all_rows()};
    if (strcasecmp(text, "auto") == 0) {
        *e = result;
        return true;
    }
    if (strncasecmp(text, "random:", 7) == 0) {
        char *end;
        if (!isdigit((unsigned char)text[7]))
            return false;
        errno = 0;
        result.seed = strtoull(text + 7, &end, 10);
        result.random = true;
        if (*end || errno)
            return false;
        *e = result;
        return true;
    }
    bool exclude = text[0] == '^';
    uint64_t rows = 0;
    for (const char *name = text + exclude, *end;; name = end + 1) {
        char copy[SETTING_TEXT];
        end = name + strcspn(name, ",");
        snprintf(copy, sizeof copy, "%.*s", (int)(end - name), name);
        const struct engine *engine = engine_find(copy);
        if (!engine)
            return false;
        rows |= (uint64_t)1 << engine_row(engine);
        result.native |= !exclude && engine->algorithm;
        if (!*end)
            break;
    }
    result.rows = exclude ? all_rows() & ~rows : rows;
    result.named = !exclude;
    *e = result;
    return true;
}

const char *engine_hint(const char *text, struct nearest *near)
{
    static const char *const others[] = {"auto", "random:"};
    char copy[SETTING_TEXT] = "";
    text += text[0] == '^';
    for (size_t length; *text; text += length + (text[length] == ',')) {
        length = strcspn(text, ",");
        snprintf(copy, sizeof copy, "%.*s", (int)length, text);
        if (!engine_find(copy))
            break;
        copy[0] = 0;
    }
    *near = (struct nearest){.text = copy};
    for (int i = 0; engines[i]; i++)
        nearest_try(near, engines[i]->name);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        nearest_try(near, others[i]);
    near->text = text;
    if (copy[0] == '^')
        return " (^ stands once, before the list)";
    if (strcmp(near->word, "random:") == 0)
        return " (random: stands alone, and a number follows, as in random:7)";
    return nearest_hint(near);
}

void engine_print(const struct engine_setting *e, char *text, size_t size)
{
    if (e->random) {
        snprintf(text, size, "random:%llu", (unsigned long long)e->seed);
        return;
    }
    if (!e->named && e->rows == all_rows()) {
        snprintf(text, size, "auto");
        return;
    }
    int used = e->named ? 0 : snprintf(text, size, "^");
    const char *comma = "";
    text[used] = 0;
    for (int i = 0; engines[i] && used < (int)size; i++)
        if (((e->rows >> i) & 1) == e->named) {
            used += snprintf(text + used, size - (size_t)used, "%s%s", comma, engines[i]->name);
            comma = ",";
        }
}

/* ---- By type --------------------------------------------------------------------------------------------------------- */

/* `word` stands for the number `special`; of a CHOICE, it has all words. */
static const struct value_type {
    enum { SWITCH, CHOICE, SIZE, WHOLE, SECONDS, ENGINES, WORDS } form;
    const char *word;
    double special, least;
    int most;
} types[] = {
    [SET_BOOL] = {SWITCH},
    [SET_SIZE] = {SIZE, "auto", -1, 0},
    [SET_BUDGET] = {SIZE, "no", 0, 0},
    [SET_BLOCK] = {SIZE, "auto", 0, 1},
    [SET_ENGINE] = {ENGINES},
    [SET_SUMS] = {CHOICE, "plain|exact"},
    [SET_ADVICE] = {CHOICE, "no|yes|" ADVICE_FORMATS},
    [SET_TIME] = {SECONDS, "auto", -1, 0},
    [SET_PERIOD] = {SECONDS, "inf", INFINITY, 1e-3},
    [SET_COUNT] = {WHOLE, NULL, -1, 0, 32},
    [SET_RANKS] = {WORDS},
    [SET_TEXT] = {WORDS},
};

bool value_parse(const struct setting *row, const char *text, void *value)
{
    const struct value_type *t = &types[row->type];
    const bool word = t->word && strcasecmp(text, t->word) == 0;
    int64_t size = (int64_t)t->least;
    double seconds = t->special;
    int whole = 0;
    switch (t->form) {
    case SWITCH:
        return bool_parse(text, value);
    case CHOICE:
        return choice_parse(text, t->word, value);
    case ENGINES:
        return engine_parse(text, value);
    case SIZE:
        if (!word && (!size_parse(text, &size) || size < (int64_t)t->least))
            return false;
        *(int64_t *)value = word ? (int64_t)t->special : size;
        return true;
    case WHOLE:
        if (!word && !count_parse(text, (int)t->least, t->most, &whole))
            return false;
        *(int *)value = word ? (int)t->special : whole;
        return true;
    case SECONDS:
        if (!word && (!time_parse(text, &seconds) || seconds < t->least))
            return false;
        *(double *)value = seconds;
        return true;
    case WORDS:
        if (row->type == SET_RANKS && !settings_ranks_good(text))
            return false;
        snprintf(value, SETTING_VALUE, "%s", text);
        return true;
    }
    return false;
}

void value_print(const struct setting *row, const void *value, char *text, size_t size)
{
    const struct value_type *t = &types[row->type];
    if (t->form == CHOICE) {
        choice_print(*(const int *)value, t->word, text, size);
        return;
    }
    const double number = t->form == SIZE      ? (double)*(const int64_t *)value
                          : t->form == WHOLE   ? *(const int *)value
                          : t->form == SECONDS ? *(const double *)value
                                               : 0;
    if (t->word && number == t->special)
        snprintf(text, size, "%s", t->word);
    else if (t->form == SWITCH)
        snprintf(text, size, "%s", *(const bool *)value ? "yes" : "no");
    else if (t->form == SIZE)
        size_print(*(const int64_t *)value, text, size);
    else if (t->form == WHOLE)
        snprintf(text, size, "%d", *(const int *)value);
    else if (t->form == SECONDS)
        time_print(number, text, size);
    else if (t->form == ENGINES)
        engine_print(value, text, size);
    else
        snprintf(text, size, "%s", (const char *)value);
}
