/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach settings: the list of settings, or what the environment makes of them. */
#include "choose.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

extern char **environ;

static bool effective;

/* The default; those of all collectives where they are not the same. */
static void put_initial(const struct setting *row, char *text, size_t size)
{
    int used = snprintf(text, size, "%s", setting_initial(row, 0));
    bool same = true;
    for (int c = 1; c < COLLECTIVES; c++)
        same = same && strcmp(setting_initial(row, (enum collective)c), text) == 0;
    for (int c = 1; c < COLLECTIVES && !same; c++)
        used += snprintf(text + used, size - (size_t)used, ",%s", setting_initial(row, (enum collective)c));
}

static void list(void)
{
    for (int i = 0; i < setting_count; i++) {
        const struct setting *s = &setting_list[i];
        char name[SETTING_TEXT], initial[SETTING_TEXT];
        snprintf(name, sizeof name, "PLEACH_%s%s", s->per_collective ? "[<COLL>_]" : "", s->name);
        if (i == 0)
            printf("%-28s%-20s%s\n", "VARIABLE", "DEFAULT", "UNIT");
        put_initial(s, initial, sizeof initial);
        printf("%-28s%-20s%s\n", name, initial[0] ? initial : "-", s->unit && s->unit[0] ? s->unit : "-");
        printf("    %s\n    takes %s\n", s->help, s->accepts);
    }
    printf("\n<COLL> is ");
    for (int c = 0; c < COLLECTIVES; c++) {
        for (const char *letter = collective_name(c); *letter; letter++)
            putchar(*letter - 'a' + 'A');
        printf("%s", c < COLLECTIVES - 2 ? ", " : c == COLLECTIVES - 2 ? " or " : "");
    }
    printf("; the form without it sets all that no such form sets.\n");
}

/* What a figure of the model is where it is not set, as a comment. */
static void put_nominal(const struct settings *s, const struct setting *row)
{
    double value[2];
    for (int nodes = 1; nodes <= 2; nodes++) {
        const struct figures f = choose_figures(s, NULL, &(struct machine){.nodes = nodes}, true);
        size_t offset = row->offset - offsetof(struct settings, figures);
        memcpy(&value[nodes - 1], (const char *)&f + offset, sizeof value[0]);
    }
    printf(" # measured at the first large call, see 'pleach figures'; where that may not count, %g, within a node %g",
           value[1], value[0]);
}

static void print_value(const struct settings *s, int i, enum collective c, bool every)
{
    const struct setting *row = &setting_list[i];
    char plain[SETTING_VALUE], value[2 * sizeof plain + 3], name[SETTING_TEXT];
    settings_print(s, i, c, plain, sizeof plain);
    settings_quote(plain, value, sizeof value);
    setting_variable(row, every ? COLLECTIVES : (int)c, name, sizeof name);
    printf("%s=%s", name, value);
    if (row->type == SET_TIME && strcmp(value, "auto") == 0)
        put_nominal(s, row);
    putchar('\n');
}

/* Is a setting the same for all collectives? */
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

/* In the words of the library (src/interpose/library.c). */
static void say_problem(void *consequence, const struct problem *p)
{
    say("%s%s", p->text, p->kind == PROBLEM_UNKNOWN ? "" : (const char *)consequence);
}

bool cli_settings(struct settings *s)
{
    settings_read_site(s, settings_site, environ, NULL, NULL);
    const char *consequence =
        s->strict ? "; the program is aborted, as PLEACH_STRICT says" : "; every call goes to the native MPI library";
    return settings_read_site(s, settings_site, environ, say_problem, (void *)consequence) == 0;
}

static int print_settings(char **operand)
{
    static struct settings s;
    (void)operand;
    if (!effective) {
        list();
        return 0;
    }
    if (!cli_settings(&s))
        return STATUS_FAILED;
    for (int i = 0; i < setting_count; i++) {
        bool every = same(&s, i);
        for (int c = 0; c < (every ? 1 : COLLECTIVES); c++)
            print_value(&s, i, c, every);
    }
    return 0;
}

static const struct command_option options[] = {
    {"effective", NULL, "what the environment and the file of settings make of them", OPTION_FLAG, 0, 0, &effective},
    {0},
};

const struct command command_settings = {
    .name = "settings",
    .usage = "[--effective]",
    .summary = "list all settings: variable, default, unit, meaning, values",
    .details = "Lists all settings: variable, default, unit, meaning, values. With --effective: the values in force\n"
               "here, as lines for a file that PLEACH_CONF may name. If a value is not understood, that is reported\n"
               "instead, and the exit status is 1.\n",
    .options = options,
    .work = print_settings,
};
