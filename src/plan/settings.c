/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading, printing and comparing settings; see settings.h. */
#include <pleach/settings.h>

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The figures that `auto` stands for until they are measured: 10 Gbit/s, 5 us a step, folding at 5 GB/s. */
static const struct figures default_figures = {.alpha = 5e-6, .beta = 0.8e-9, .gamma = 0.2e-9};

static const char prefix[] = "PLEACH_";

/* ---- values -------------------------------------------------------------------------------------------------------- */

struct unit {
    const char *suffix;
    double factor;
};

/* A decimal number, not negative, times the unit that follows it; false unless the text ends there. */
static bool number_parse(const char *text, const struct unit *units, double *value)
{
    /* In the C locale, whatever the application's is; strtod also takes signs, "inf", "nan" and hexadecimal: we do not. */
    static locale_t c_locale;
    char *end;
    if (!isdigit((unsigned char)text[0]) || strpbrk(text, "xX"))
        return false;
    if (!c_locale)
        c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    double x = strtod_l(text, &end, c_locale);
    for (; units->suffix; units++)
        if (strcasecmp(end, units->suffix) == 0) {
            *value = x * units->factor;
            return true;
        }
    return false;
}

bool size_parse(const char *text, int64_t *bytes)
{
    static const struct unit units[] = {{"", 1},         {"B", 1},           {"K", 1 << 10},   {"KB", 1 << 10}, {"KiB", 1 << 10},
                                        {"M", 1 << 20},  {"MB", 1 << 20},    {"MiB", 1 << 20}, {"G", 1 << 30},  {"GB", 1 << 30},
                                        {"GiB", 1 << 30}, {NULL, 0}};
    double x;
    if (strcasecmp(text, "inf") == 0) {
        *bytes = SIZE_INF;
        return true;
    }
    if (!number_parse(text, units, &x) || x >= 0x1p62)
        return false;
    *bytes = (int64_t)x;
    return true;
}

static bool time_parse(const char *text, double *seconds)
{
    static const struct unit units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}, {NULL, 0}};
    double x;
    if (!number_parse(text, units, &x) || x >= 1e6)
        return false;
    *seconds = x;
    return true;
}

static bool bool_parse(const char *text, bool *value)
{
    static const char *const words[][2] = {{"no", "yes"}, {"0", "1"}, {"false", "true"}, {"off", "on"}, {"n", "y"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (int b = 0; b < 2; b++)
            if (strcasecmp(text, words[i][b]) == 0) {
                *value = b;
                return true;
            }
    return false;
}

static bool count_parse(const char *text, int most, int *value)
{
    static const struct unit units[] = {{"", 1}, {NULL, 0}};
    double x;
    if (!number_parse(text, units, &x) || x > most || x != (int)x)
        return false;
    *value = (int)x;
    return true;
}

/* Reads one rank or range of a list and moves *p behind it. */
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

static bool ranks_parse(const char *text)
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

static uint64_t all_rows(void)
{
    return ((uint64_t)1 << engine_count()) - 1;
}

static bool engine_parse(const char *text, struct engine_setting *e)
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
    char copy[SETTING_TEXT], *rest = copy;
    bool exclude = text[0] == '^';
    uint64_t rows = 0;
    snprintf(copy, sizeof copy, "%s", text + exclude);
    for (char *name; (name = strsep(&rest, ","));) {
        const struct engine *engine = engine_find(name);
        if (!engine)
            return false;
        rows |= (uint64_t)1 << engine_row(engine);
    }
    result.rows = exclude ? all_rows() & ~rows : rows;
    result.named = !exclude;
    *e = result;
    return true;
}

/* Stores a value; false, with nothing changed, if it is not one. */
static bool value_parse(const struct setting *row, const char *text, void *place)
{
    int64_t size;
    switch (row->type) {
    case SET_BOOL:
        return bool_parse(text, place);
    case SET_SIZE:
        return size_parse(text, place);
    case SET_BLOCK:
        if (strcasecmp(text, "auto") == 0)
            size = 0;
        else if (!size_parse(text, &size) || size < 1)
            return false;
        *(int64_t *)place = size;
        return true;
    case SET_ENGINE:
        return engine_parse(text, place);
    case SET_TIME:
        if (strcasecmp(text, "auto") == 0) {
            size_t field = row->offset - offsetof(struct settings, figures);
            *(double *)place = *(const double *)((const char *)&default_figures + field);
            return true;
        }
        return time_parse(text, place);
    case SET_COUNT:
        return count_parse(text, 32, place);
    case SET_RANKS:
        if (!ranks_parse(text))
            return false;
        break;
    case SET_TEXT:
        break;
    }
    snprintf(place, SETTING_TEXT, "%s", text);
    return true;
}

/* ---- names --------------------------------------------------------------------------------------------------------- */

static void *place_of(const struct settings *s, const struct setting *row, int collective)
{
    return (char *)s + row->offset + (row->per_collective ? row->stride * (size_t)collective : 0);
}

/* The whole name of a row's form for a collective, or of the form without one (COLLECTIVES). */
static void variable_name(const struct setting *row, int collective, char *name, size_t size)
{
    char upper[16] = "";
    if (row->per_collective && collective < COLLECTIVES) {
        snprintf(upper, sizeof upper, "%s_", collective_name((enum collective)collective));
        for (char *c = upper; *c; c++)
            *c = (char)toupper((unsigned char)*c);
    }
    snprintf(name, size, "%s%s%s", prefix, upper, row->name);
}

/* The row and collective that a whole variable name means; false if none. */
static bool variable_find(const char *variable, int *row, int *collective)
{
    char name[SETTING_TEXT];
    for (*row = 0; *row < setting_count; ++*row)
        for (*collective = setting_list[*row].per_collective ? 0 : COLLECTIVES; *collective <= COLLECTIVES; ++*collective) {
            variable_name(&setting_list[*row], *collective, name, sizeof name);
            if (strcmp(variable, name) == 0)
                return true;
        }
    return false;
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

struct reading {
    struct settings *settings;
    void (*report)(void *to, const struct problem *p);
    void *to;
    int bad;
};

static void complain(struct reading *r, int kind, const char *format, ...)
{
    struct problem p = {.kind = kind};
    va_list ap;
    va_start(ap, format);
    vsnprintf(p.text, sizeof p.text, format, ap);
    va_end(ap);
    if (kind != PROBLEM_UNKNOWN && r->bad++ == 0)
        snprintf(r->settings->bad, sizeof r->settings->bad, "%s", p.text);
    if (r->report)
        r->report(r->to, &p);
}

/*
 * Takes VARIABLE=VALUE if it is a form without a collective (pass 0) or with one (pass 1); unknown names are reported in
 * pass 0. `where` is "" or names the file.
 */
static void take(struct reading *r, int pass, const char *line, const char *where)
{
    char variable[SETTING_TEXT];
    const char *equals = strchr(line, '=');
    int row, collective;
    if (!equals || strncmp(line, prefix, strlen(prefix)) != 0)
        return;
    snprintf(variable, sizeof variable, "%.*s", (int)(equals - line), line);
    const char *value = equals + 1;
    if (!variable_find(variable, &row, &collective)) {
        if (pass == 0)
            complain(r, PROBLEM_UNKNOWN, "%s%s is not a setting; it is ignored", where, variable);
        return;
    }
    const struct setting *s = &setting_list[row];
    if (pass != (s->per_collective && collective < COLLECTIVES))
        return;
    bool every = s->per_collective && collective == COLLECTIVES;
    bool good = strlen(value) < SETTING_TEXT;
    for (int c = every ? 0 : collective; good && c < (every ? COLLECTIVES : collective + 1); c++)
        good = value_parse(s, value, place_of(r->settings, s, s->per_collective ? c : 0));
    if (!good)
        complain(r, PROBLEM_BAD, "%s%s=%.60s is not understood: it takes %s", where, variable, value, s->accepts);
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
        *--end = 0;
    return text;
}

/* A line of the file: KEY=VALUE, spaces around either allowed, "PLEACH_" may be left out; '#' begins a comment. */
static bool file_line(char *line, char *out, size_t size)
{
    line[strcspn(line, "#")] = 0;
    line = trim(line);
    char *equals = strchr(line, '=');
    if (!*line) {
        *out = 0;
        return true;
    }
    if (!equals)
        return false;
    *equals = 0;
    char *key = trim(line);
    snprintf(out, size, "%s%s=%s", strncmp(key, prefix, strlen(prefix)) == 0 ? "" : prefix, key, trim(equals + 1));
    return true;
}

static void read_file(struct reading *r, const char *name)
{
    for (int pass = 0; pass < 2; pass++) {
        FILE *file = fopen(name, "re");
        char line[4 * SETTING_TEXT], setting[5 * SETTING_TEXT], where[2 * SETTING_TEXT];
        if (!file) {
            if (pass == 0)
                complain(r, PROBLEM_FILE, "%sCONF=%s cannot be read: %s", prefix, name, strerror(errno));
            return;
        }
        for (int number = 1; fgets(line, sizeof line, file); number++) {
            snprintf(where, sizeof where, "%s:%d: ", name, number);
            if (file_line(line, setting, sizeof setting))
                take(r, pass, setting, where);
            else if (pass == 0)
                complain(r, PROBLEM_FILE, "%sis not KEY=VALUE", where);
        }
        fclose(file);
    }
}

int settings_read(struct settings *s, char *const env[], void (*report)(void *to, const struct problem *p), void *to)
{
    struct reading r = {s, report, to, 0};
    memset(s, 0, sizeof *s); /* padding too: settings are compared as a whole in tests */
    for (int i = 0; i < setting_count; i++)
        for (int c = 0; c < (setting_list[i].per_collective ? COLLECTIVES : 1); c++)
            value_parse(&setting_list[i], setting_list[i].initial, place_of(s, &setting_list[i], c));

    for (int i = 0; env[i]; i++)
        if (strncmp(env[i], "PLEACH_CONF=", 12) == 0 && env[i][12])
            read_file(&r, env[i] + 12);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; env[i]; i++)
            take(&r, pass, env[i], "");
    return r.bad;
}

/* ---- printing and comparing ---------------------------------------------------------------------------------------- */

static void size_print(int64_t bytes, char *text, size_t size)
{
    static const char units[] = "\0KMG";
    int unit = 0;
    if (bytes == SIZE_INF) {
        snprintf(text, size, "inf");
        return;
    }
    for (; unit < 3 && bytes && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    snprintf(text, size, "%lld%.1s", (long long)bytes, &units[unit]);
}

static void engine_print(const struct engine_setting *e, char *text, size_t size)
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

void settings_print(const struct settings *s, int i, enum collective c, char *text, size_t size)
{
    const struct setting *row = &setting_list[i];
    const void *place = place_of(s, row, c);
    switch (row->type) {
    case SET_BOOL:
        snprintf(text, size, "%s", *(const bool *)place ? "yes" : "no");
        break;
    case SET_BLOCK:
        if (*(const int64_t *)place == 0) {
            snprintf(text, size, "auto");
            break;
        }
        /* fall through */
    case SET_SIZE:
        size_print(*(const int64_t *)place, text, size);
        break;
    case SET_ENGINE:
        engine_print(place, text, size);
        break;
    case SET_TIME: {
        double nanoseconds = *(const double *)place * 1e9;
        snprintf(text, size, "%lld.%06lldns", (long long)nanoseconds,
                 (long long)((nanoseconds - (double)(long long)nanoseconds) * 1e6));
        break;
    }
    case SET_COUNT:
        snprintf(text, size, "%d", *(const int *)place);
        break;
    case SET_RANKS:
    case SET_TEXT:
        snprintf(text, size, "%s", (const char *)place);
        break;
    }
}

/* Finds the i-th value that ranks must agree on; false behind the last. */
static bool agreed_value(int i, int *row, int *collective)
{
    for (*row = 0; *row < setting_count; ++*row)
        for (*collective = 0; setting_list[*row].agreed && *collective < (setting_list[*row].per_collective ? COLLECTIVES : 1);
             ++*collective)
            if (i-- == 0)
                return true;
    return false;
}

/* Behind the agreed settings themselves comes one more value: what could not be understood. */
int settings_agreed_count(void)
{
    int i = 0, row, collective;
    while (agreed_value(i, &row, &collective))
        i++;
    return i + 1;
}

int settings_difference(const bool *differs, char *name, size_t size)
{
    int i = 0, row, collective;
    while (!differs[i])
        i++;
    if (!agreed_value(i, &row, &collective)) {
        snprintf(name, size, "a bad setting");
        return i;
    }
    bool every = setting_list[row].per_collective && collective == 0;
    for (int c = 1; every && c < COLLECTIVES; c++)
        every = differs[i + c];
    variable_name(&setting_list[row], setting_list[row].per_collective && !every ? collective : COLLECTIVES, name, size);
    return i;
}

void settings_agreed_value(const struct settings *s, int i, char *text, size_t size)
{
    int row, collective;
    if (agreed_value(i, &row, &collective))
        settings_print(s, row, (enum collective)collective, text, size);
    else
        snprintf(text, size, "%s", s->bad);
}

void settings_hash(const struct settings *s, uint64_t *hash)
{
    for (int i = 0; i < settings_agreed_count(); i++) {
        char text[4 * SETTING_TEXT];
        settings_agreed_value(s, i, text, sizeof text);
        uint64_t h = 0xcbf29ce484222325u; /* FNV-1a */
        for (const char *c = text; *c; c++)
            h = (h ^ (unsigned char)*c) * 0x100000001b3u;
        hash[i] = h;
    }
}
