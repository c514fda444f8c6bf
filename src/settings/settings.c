/* SPDX-License-Identifier: BSD-2-Clause */
/* Long values are static, as stacks may be small: one thread at a time. */
#include "hash.h"
#include "nearest.h"
#include "say.h"
#include "textfile.h"
#include "values.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static const char prefix[] = "PLEACH_";

/* ---- names --------------------------------------------------------------------------------------------------------- */

static void *field_of(const struct settings *s, const struct setting *row, int collective)
{
    return (char *)s + row->offset + (row->per_collective ? row->stride * (size_t)collective : 0);
}

void setting_variable(const struct setting *row, int collective, char *name, size_t size)
{
    char upper[16] = "";
    if (row->per_collective && collective < COLLECTIVES) {
        snprintf(upper, sizeof upper, "%s_", collective_name((enum collective)collective));
        for (char *c = upper; *c; c++)
            *c = (char)toupper((unsigned char)*c);
    }
    snprintf(name, size, "%s%s%s", prefix, upper, row->name);
}

static bool variable_find(const char *variable, int *row, int *collective)
{
    char name[SETTING_TEXT];
    for (*row = 0; *row < setting_count; ++*row)
        for (*collective = setting_list[*row].per_collective ? 0 : COLLECTIVES; *collective <= COLLECTIVES; ++*collective) {
            setting_variable(&setting_list[*row], *collective, name, sizeof name);
            if (strcmp(variable, name) == 0)
                return true;
        }
    return false;
}

static const char *variable_hint(struct nearest *near)
{
    char name[SETTING_TEXT];
    for (int row = 0; row < setting_count; row++)
        for (int c = setting_list[row].per_collective ? 0 : COLLECTIVES; c <= COLLECTIVES; c++) {
            setting_variable(&setting_list[row], c, name, sizeof name);
            nearest_try(near, name);
        }
    return nearest_hint(near);
}

/* ---- problems ------------------------------------------------------------------------------------------------------ */

const char *problem_end(int kind, bool strict)
{
#define NATIVE "; every call goes to the native MPI library"
#define ABORTED "; the program is aborted, as PLEACH_STRICT says"
#define SEE_SETTINGS "; see pleach-settings(5)"
#define SEE_RULES "; see pleach-rules(5)"
#define SEE_PLACES "; see TOPOLOGY in pleach(7)"
    static const char *const end[PROBLEMS][2] = {
        [PROBLEM_BAD] = {NATIVE SEE_SETTINGS, ABORTED SEE_SETTINGS},
        [PROBLEM_FILE] = {NATIVE SEE_SETTINGS, ABORTED SEE_SETTINGS},
        [PROBLEM_UNKNOWN] = {SEE_SETTINGS, SEE_SETTINGS},
        [PROBLEM_IDLE] = {"; see 'pleach engines'", "; see 'pleach engines'"},
        [PROBLEM_RULES] = {NATIVE SEE_RULES, ABORTED SEE_RULES},
        [PROBLEM_PLACES] = {"; groups are nodes, as with PLEACH_PLACES=node" SEE_PLACES, ABORTED SEE_PLACES},
    };
    return end[kind][strict];
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

struct settings_reading {
    struct settings *settings;
    void (*report)(void *to, const struct problem *p);
    void *to;
    int bad;
};

static void report_setting(struct settings_reading *r, int kind, const char *format, ...)
{
    static struct problem p;
    va_list ap;
    p.kind = kind;
    va_start(ap, format);
    vsnprintf(p.text, sizeof p.text, format, ap);
    va_end(ap);
    make_printable(p.text, "");
    if (!problem_warns(kind) && r->bad++ == 0)
        snprintf(r->settings->bad, sizeof r->settings->bad, "%s", p.text);
    if (r->report)
        r->report(r->to, &p);
}

static void check_served(struct settings_reading *r, const char *variable, const char *where, int collective)
{
    const struct engine_setting *e = &r->settings->engine[collective];
    for (int row = 1; e->named && engines[row]; row++)
        if (e->rows >> row & 1 && !engines[row]->serves[collective].text.rounds) {
            report_setting(r, PROBLEM_IDLE,
                           "%s%s: %s does not serve %s; these calls are native unless another engine is named", where,
                           variable, engines[row]->name, collective_name((enum collective)collective));
            return;
        }
}

/*
 * In pass 0 without a collective, else in pass 1. Pass 0 reports unknown names, but not PLEACH_ROOT, the installation's
 * folder, which modules set. `where`: "" or file and line. Empty is the default of SET_TEXT, else not set.
 */
static void parse_setting(struct settings_reading *r, int pass, const char *variable, const char *value, const char *where)
{
    int row, collective;
    struct nearest near = {.text = variable, .prefix = sizeof prefix - 1};
    if (!variable_find(variable, &row, &collective)) {
        if (pass == 0 && strcmp(variable, "PLEACH_ROOT") != 0)
            report_setting(r, PROBLEM_UNKNOWN, "%s%s is not a setting; it is ignored%s", where, variable,
                           variable_hint(&near));
        return;
    }
    const struct setting *s = &setting_list[row];
    if (pass != (s->per_collective && collective < COLLECTIVES) || (!*value && s->type != SET_TEXT))
        return;
    if (s->off && choice_among(value, "no|off|none"))
        value = s->off;
    bool every = s->per_collective && collective == COLLECTIVES;
    bool good = strlen(value) < SETTING_VALUE;
    for (int c = every ? 0 : collective; good && c < (every ? COLLECTIVES : collective + 1); c++)
        good = value_parse(s, value, field_of(r->settings, s, s->per_collective ? c : 0));
    if (strlen(value) >= SETTING_VALUE)
        report_setting(r, PROBLEM_BAD, "%s%s=%.60s... is too long: a value has at most %d characters", where, variable,
                       value, SETTING_VALUE - 1);
    else if (!good)
        report_setting(r, PROBLEM_BAD, "%s%s=%.60s%s is not understood: it takes %s%s", where, variable, value,
                       strlen(value) > 60 ? "..." : "", s->accepts, s->type == SET_ENGINE ? engine_hint(value, &near) : "");
    else if (s->type == SET_ENGINE && !every)
        check_served(r, variable, where, collective);
}

static const char blanks[] = " \t\r\n\v\f"; /* isspace() depends on the locale */

/* Without blanks around. If cut, still too long. */
static void copy_value(const char *text, char value[SETTING_VALUE + 1])
{
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length && strchr(blanks, text[length - 1]))
        length--;
    snprintf(value, SETTING_VALUE + 1, "%.*s", length < SETTING_VALUE ? (int)length : SETTING_VALUE, text);
}

static void parse_variable(struct settings_reading *r, int pass, const char *line)
{
    static char value[SETTING_VALUE + 1];
    char variable[SETTING_TEXT];
    const char *equals = strchr(line, '=');
    if (!equals || strncmp(line, prefix, strlen(prefix)) != 0)
        return;
    snprintf(variable, sizeof variable, "%.*s", (int)(equals - line), line);
    copy_value(equals + 1, value);
    parse_setting(r, pass, variable, value, "");
}

static char *trim(char *text)
{
    text += strspn(text, blanks);
    for (char *end = text + strlen(text); end > text && strchr(blanks, end[-1]);)
        *--end = 0;
    return text;
}

/* In double quotes (settings_quote()), else up to a comment, without blanks. Changes the text. NULL: bad quotes. */
static char *file_value(char *text)
{
    char *value = text + strspn(text, blanks), *from = value + 1, *to = value;
    if (*value != '"') {
        value[strcspn(value, "#")] = 0;
        return trim(value);
    }
    for (; *from && *from != '"'; from++, to++) {
        bool escape = *from == '\\';
        from += escape;
        *to = escape && *from == 'n' ? '\n' : *from;
        if (escape && (!*from || !strchr("n\\\"", *from)))
            return NULL;
    }
    if (!*from)
        return NULL;
    from += 1 + strspn(from + 1, blanks);
    *to = 0;
    return *from && *from != '#' ? NULL : value;
}

void settings_quote(const char *value, char *text, size_t size)
{
    size_t length = strlen(value);
    bool quotes = strpbrk(value, "#\n") || value[0] == '"' ||
                  (length && (strchr(blanks, value[0]) || strchr(blanks, value[length - 1])));
    if (!quotes) {
        snprintf(text, size, "%s", value);
        return;
    }
    size_t used = (size_t)snprintf(text, size, "\"");
    for (const char *c = value; *c; c++) {
        const char *escape = *c == '\n' ? "\\n" : *c == '"' ? "\\\"" : *c == '\\' ? "\\\\" : NULL;
        used += (size_t)snprintf(text + used, size - used, escape ? "%s" : "%.1s", escape ? escape : c);
    }
    snprintf(text + used, size - used, "\"");
}

/* KEY=VALUE, which it changes; KEY perhaps without "PLEACH_". CONF has no effect in a file. */
static void parse_line(struct settings_reading *r, int pass, char *line, const char *where)
{
    char variable[SETTING_TEXT];
    line += strspn(line, blanks);
    if (!*line || *line == '#')
        return;
    char *equals = line + strcspn(line, "=#");
    char *value = *equals == '=' ? file_value(equals + 1) : NULL;
    if (!value) {
        if (pass == 0)
            report_setting(r, PROBLEM_FILE, "%sthe line is neither KEY=VALUE nor KEY=\"VALUE\"", where);
        return;
    }
    *equals = 0;
    const char *key = trim(line);
    snprintf(variable, sizeof variable, "%s%s", strncmp(key, prefix, strlen(prefix)) == 0 ? "" : prefix, key);
    if (strcmp(variable, "PLEACH_CONF") != 0)
        parse_setting(r, pass, variable, value, where);
}

/* Messages begin with `variable`: "PLEACH_CONF=" or "". */
static void read_file(struct settings_reading *r, const char *variable, const char *name)
{
    static char where[SETTING_VALUE + 16];
    char why[SETTING_TEXT];
    char *text = textfile_read(name, why, sizeof why), *copy = text ? strdup(text) : NULL; /* a pass changes its text */
    if (text && !copy)
        snprintf(why, sizeof why, "out of memory");
    if (!copy)
        report_setting(r, PROBLEM_FILE, "%s%s cannot be read: %s", variable, name, why);
    for (int pass = 0; copy && pass < 2; pass++) {
        char *rest = pass == 0 ? copy : text, *line;
        for (int number = 1; (line = strsep(&rest, "\n")); number++) {
            snprintf(where, sizeof where, "%s:%d: ", name, number);
            parse_line(r, pass, line, where);
        }
    }
    free(copy);
    free(text);
}

static void set_thresholds(struct settings *s)
{
    for (int c = 0; c < COLLECTIVES; c++)
        s->threshold[c] = s->least[c] < 0 ? usual_threshold[c] : s->least[c];
}

const char settings_site[] = PLEACH_SYSCONFDIR "/pleach.conf";

static void read_site(struct settings_reading *r, const char *name)
{
    if (access(name, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return;
    snprintf(r->settings->conf, sizeof r->settings->conf, "%s", name);
    read_file(r, "", name);
}

int settings_read(struct settings *s, char *const env[], void (*report)(void *to, const struct problem *p), void *to)
{
    return settings_read_site(s, NULL, env, report, to);
}

/* As in the C locale. */
int settings_read_site(struct settings *s, const char *site, char *const env[],
                       void (*report)(void *to, const struct problem *p), void *to)
{
    struct settings_reading r = {.settings = s, .report = report, .to = to};
    static char *const none[] = {NULL};
    const locale_t before = uselocale(c_locale());
    env = env ? env : none;
    memset(s, 0, sizeof *s); /* padding, too: tests compare all */
    for (int i = 0; i < setting_count; i++)
        for (int c = 0; c < (setting_list[i].per_collective ? COLLECTIVES : 1); c++)
            value_parse(&setting_list[i], setting_list[i].initial, field_of(s, &setting_list[i], c));

    static const char conf[] = "PLEACH_CONF=";
    for (int i = 0; env[i]; i++)
        if (strncmp(env[i], conf, strlen(conf)) == 0) {
            static char name[SETTING_VALUE + 1];
            site = NULL;
            copy_value(env[i] + strlen(conf), name);
            if (*name && strlen(name) < SETTING_VALUE)
                read_file(&r, conf, name);
        }
    if (site)
        read_site(&r, site);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; env[i]; i++)
            parse_variable(&r, pass, env[i]);
    set_thresholds(s);
    if (!s->places[0])
        strcpy(s->places, "auto");
    uselocale(before);
    return r.bad;
}

const char *settings_origin(const struct settings *s, const char *variable, char *where, size_t size)
{
    const char *value = getenv(variable);
    const bool file = !value || !*value;
    snprintf(where, size, file ? "%s: " : "", s->conf);
    return file ? "remove the line" : "unset it";
}

/* ---- printing and comparing ---------------------------------------------------------------------------------------- */

void settings_print(const struct settings *s, int i, enum collective c, char *text, size_t size)
{
    value_print(&setting_list[i], field_of(s, &setting_list[i], c), text, size);
}

void settings_changed(const struct settings *s, char *text, size_t size)
{
    static struct settings initial;
    static char value[COLLECTIVES][SETTING_VALUE], usual[SETTING_VALUE];
    char name[SETTING_TEXT];
    size_t used = 0;
    settings_read(&initial, (char *const[]){NULL}, NULL, NULL);
    text[0] = 0;
    for (int i = 0; i < setting_count; i++) {
        const struct setting *row = &setting_list[i];
        const int forms = row->per_collective ? COLLECTIVES : 1;
        bool differs[COLLECTIVES], every = row->per_collective;
        for (int c = 0; c < forms; c++) {
            settings_print(s, i, (enum collective)c, value[c], sizeof value[c]);
            settings_print(&initial, i, (enum collective)c, usual, sizeof usual);
            differs[c] = strcmp(value[c], usual) != 0;
            every = every && differs[c];
        }
        for (int c = 0; c < forms; c++) {
            const bool whole = every && c == 0;
            if (used >= size || !differs[c] || (every && c > 0 && strcmp(value[c], value[0]) == 0))
                continue;
            setting_variable(row, whole || !row->per_collective ? COLLECTIVES : c, name, sizeof name);
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? " " : "", name, value[c]);
        }
    }
}

/* From 0, of agreed values; false: none. */
static bool agreed_value(int i, int *row, int *collective)
{
    for (*row = 0; *row < setting_count; ++*row)
        for (*collective = 0;
             setting_list[*row].agreed && *collective < (setting_list[*row].per_collective ? COLLECTIVES : 1); ++*collective)
            if (i-- == 0)
                return true;
    return false;
}

int settings_agreed_count(void)
{
    int i = 0, row, collective;
    while (agreed_value(i, &row, &collective))
        i++;
    assert(i < SETTINGS_AGREED_MOST);
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
    setting_variable(&setting_list[row], setting_list[row].per_collective && !every ? collective : COLLECTIVES, name, size);
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
        static char text[PROBLEM_TEXT];
        settings_agreed_value(s, i, text, sizeof text);
        hash[i] = hash_text(text);
    }
}
