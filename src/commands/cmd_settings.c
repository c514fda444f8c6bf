/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach settings: lists the settings, or prints their values in this environment. */
#include "choose.h"
#include "cli.h"
#include "placefile.h"
#include "rules.h"
#include "textfile.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

#define FIGURE(name) offsetof(struct settings, figures.name)

static bool effective;

static void list(void)
{
    for (int i = 0; i < setting_count; i++) {
        const struct setting *s = &setting_list[i];
        char name[SETTING_TEXT];
        snprintf(name, sizeof name, "PLEACH_%s%s", s->per_collective ? "[<COLL>_]" : "", s->name);
        if (i == 0)
            printf("%-28s%-20s%s\n", "VARIABLE", "DEFAULT", "UNIT");
        printf("%-28s%-20s%s\n", name, s->initial[0] ? s->initial : "-", s->unit && s->unit[0] ? s->unit : "-");
        printf("    %s\n    takes %s\n", s->help, s->accepts);
    }
    printf("\n<COLL> is ");
    for (int c = 0; c < COLLECTIVES; c++) {
        for (const char *letter = collective_name(c); *letter; letter++)
            putchar(*letter - 'a' + 'A');
        printf("%s", c < COLLECTIVES - 2 ? ", " : c == COLLECTIVES - 2 ? " or " : "");
    }
    printf("; a variable without <COLL>_ holds for collectives whose own variable is not set.\n");
}

/* Prints, as a comment, the nominal values of a figure that is not set: between nodes, and within a node. */
static void put_nominal(const struct settings *s, const struct setting *row)
{
    double value[2];
    for (int nodes = 1; nodes <= 2; nodes++) {
        const struct figures f = choose_figures(s, NULL, &(struct machine){.nodes = nodes}, true);
        size_t offset = row->offset - offsetof(struct settings, figures);
        memcpy(&value[nodes - 1], (const char *)&f + offset, sizeof value[0]);
    }
    printf(" # measured at the first large call, see 'pleach figures'; nominal: %g, or %g within a node", value[1],
           value[0]);
}

static void print_value(const struct settings *s, int i, enum collective c, bool every)
{
    const struct setting *row = &setting_list[i];
    char plain[SETTING_VALUE], value[2 * sizeof plain + 3], name[SETTING_TEXT];
    settings_print(s, i, c, plain, sizeof plain);
    settings_quote(plain, value, sizeof value);
    setting_variable(row, every ? COLLECTIVES : (int)c, name, sizeof name);
    printf("%s=%s", name, value);
    const bool is_auto = row->type == SET_TIME && strcmp(value, "auto") == 0;
    if (is_auto && s->figures.alpha >= 0 && (row->offset == FIGURE(hop) || row->offset == FIGURE(gap)))
        printf(" # as PLEACH_ALPHA");
    else if (is_auto)
        put_nominal(s, row);
    putchar('\n');
}

/* Does the setting have the same value for all collectives? */
static bool same(const struct settings *s, int i)
{
    char first[SETTING_VALUE], other[SETTING_VALUE];
    settings_print(s, i, 0, first, sizeof first);
    for (int c = 1; setting_list[i].per_collective && c < COLLECTIVES; c++) {
        settings_print(s, i, c, other, sizeof other);
        if (strcmp(first, other) != 0)
            return false;
    }
    return true;
}

static int idle; /* number of engines that are set for a collective that they do not serve */
static void (*complain)(const char *format, ...) __attribute__((format(printf, 1, 2))) = say;

/* Reports a problem in the words of the library (src/interpose/library.c). */
static void say_problem(void *to, const struct problem *p)
{
    idle += p->kind == PROBLEM_IDLE;
    complain("%s%s", p->text, problem_warns(p->kind) ? "" : (const char *)to);
}

static const char *consequence(const struct settings *s)
{
    return s->strict ? "; the program is aborted, as PLEACH_STRICT says" : "; every call goes to the native MPI library";
}

bool cli_settings(struct settings *s)
{
    settings_read_site(s, settings_site, environ, NULL, NULL);
    return settings_read_site(s, settings_site, environ, say_problem, (void *)consequence(s)) == 0;
}

/* Would the library take the file of rules? If not, reports the error in the library's words (rulefile.c). */
static bool rules_good(const struct settings *s)
{
    char why[SETTING_TEXT];
    struct rules_error first = {0};
    if (!s->rules[0])
        return true;
    char *text = rules_read(s->rules, s->learn, why, sizeof why);
    struct rules *rules = text ? rules_parse(text, rules_keep_first, &first) : NULL;
    bool good = rules != NULL;
    if (!text)
        complain("PLEACH_RULES: %s cannot be read: %s%s", s->rules, why, consequence(s));
    else if (first.line)
        complain("PLEACH_RULES: %s:%d: %s%s", s->rules, first.line, first.why, consequence(s));
    else if (!good)
        cli_fail(STATUS_FAILED, "out of memory");
    free(text);
    free(rules);
    return good;
}

/* Would the library take the file of places? If not, reports the error in the library's words (placefile_shared.c). */
static bool places_good(const struct settings *s)
{
    char why[SETTING_TEXT];
    int line = 0;
    if (!settings_place_file(s))
        return true;
    char *text = textfile_read(s->places, why, sizeof why);
    struct placefile *places = text ? placefile_parse(text, &line, why, sizeof why) : NULL;
    bool good = places != NULL;
    const char *then = s->strict ? consequence(s) : "; places are nodes, as with PLEACH_PLACES=node";
    if (!text)
        complain("PLEACH_PLACES: %s cannot be read: %s%s", s->places, why, then);
    else if (!good && line)
        complain("PLEACH_PLACES: %s:%d: %s%s", s->places, line, why, then);
    else if (!good)
        cli_fail(STATUS_FAILED, "out of memory");
    placefile_free(places);
    free(text);
    return good;
}

bool cli_settings_serve(struct settings *s, void (*report)(const char *format, ...))
{
    complain = report;
    idle = 0;
    bool good = cli_settings(s) && !idle;
    good = rules_good(s) && good;
    good = places_good(s) && good;
    complain = say;
    return good;
}

static int print_settings(char **operand)
{
    static struct settings s;
    (void)operand;
    if (!effective) {
        list();
        return 0;
    }
    if (!cli_settings_serve(&s, say))
        return STATUS_FAILED;
    for (int i = 0; i < setting_count; i++) {
        bool every = same(&s, i);
        for (int c = 0; c < (every ? 1 : COLLECTIVES); c++)
            print_value(&s, i, c, every);
    }
    return 0;
}

static const struct command_option options[] = {
    {"effective", NULL, "print the values from the environment and the file of settings", OPTION_FLAG, 0, 0, &effective},
    {0},
};

const struct command command_settings = {
    .name = "settings",
    .usage = "[--effective]",
    .summary = "list all settings: variable, default, unit, meaning, values",
    .details = "Lists all settings: variable, default, unit, meaning, values. With --effective, prints the values in\n"
               "force here, as lines for a file that PLEACH_CONF may name. Reports an error instead, and exits with\n"
               "status 1, if a value is not understood, if a named engine does not serve the collective, or if the\n"
               "library would not take the file that PLEACH_RULES or PLEACH_PLACES names.\n",
    .options = options,
    .work = print_settings,
};
