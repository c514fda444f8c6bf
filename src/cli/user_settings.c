/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the user's settings, and the files that they name, as the library does; see cli.h. */
#include "cli.h"
#include "placefile.h"
#include "rules.h"
#include "textfile.h"

#include <stdlib.h>

extern char **environ;

static int idle; /* number of engines that are set for a collective that they do not serve */
static void (*complain)(const char *format, ...) __attribute__((format(printf, 1, 2))) = say;

/* Reports a problem in the words of the library (src/interpose/library.c). */
static void say_problem(void *settings, const struct problem *p)
{
    idle += p->kind == PROBLEM_IDLE;
    complain("%s%s", p->text, problem_end(p->kind, ((const struct settings *)settings)->strict));
}

bool cli_settings(struct settings *s)
{
    static struct settings strict; /* a line after that of the problem may set PLEACH_STRICT */
    settings_read_site(&strict, settings_site, environ, NULL, NULL);
    return settings_read_site(s, settings_site, environ, say_problem, &strict) == 0;
}

/* Would the library take the file of rules? If not, reports the error in the library's words (rules_file.c). */
static bool rules_good(const struct settings *s)
{
    char why[SETTING_TEXT];
    struct rules_error first = {0};
    if (!s->rules[0])
        return true;
    char *text = rules_read(s->rules, s->learn, why, sizeof why);
    struct rules *rules = text ? rules_parse(text, rules_keep_first, &first) : NULL;
    bool good = rules != NULL;
    const char *end = problem_end(PROBLEM_RULES, s->strict);
    if (!text)
        complain("PLEACH_RULES: %s cannot be read: %s%s", s->rules, why, end);
    else if (first.line)
        complain("PLEACH_RULES: %s:%d: %s%s", s->rules, first.line, first.why, end);
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
    const char *end = problem_end(PROBLEM_PLACES, s->strict);
    if (!text)
        complain("PLEACH_PLACES: %s cannot be read: %s%s", s->places, why, end);
    else if (!good && line)
        complain("PLEACH_PLACES: %s:%d: %s%s", s->places, line, why, end);
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
