/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach settings: lists the settings, or prints their values in this environment. */
#include "choose.h"
#include "cli.h"

#include <string.h>

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

/* The list as data. */
static void put_data(void)
{
    static const struct table_column columns[] = {
        {"name", NULL, VALUE_TEXT, offsetof(struct setting, name), NULL},
        {"per_collective", NULL, VALUE_WORD, offsetof(struct setting, per_collective), NULL},
        {"default", NULL, VALUE_TEXT, offsetof(struct setting, initial), NULL},
        {"unit", NULL, VALUE_TEXT, offsetof(struct setting, unit), NULL},
        {"meaning", NULL, VALUE_TEXT, offsetof(struct setting, help), NULL},
        {"takes", NULL, VALUE_TEXT, offsetof(struct setting, accepts), NULL},
        {0}};
    struct document out;
    struct table t;
    cli_document(&out);
    table_open(&t, &out, "settings", columns);
    for (int i = 0; i < setting_count; i++)
        table_row(&t, &setting_list[i]);
    cli_table_end(&t);
    document_end(&out);
}

static void check_settings(void)
{
    if (effective && cli_format != TABLE_TEXT)
        cli_fail(STATUS_USAGE, "--effective prints lines for a file of settings, and no other format");
}

static int print_settings(char **operand)
{
    static struct settings s;
    (void)operand;
    if (!effective) {
        if (cli_format == TABLE_TEXT)
            list();
        else
            put_data();
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
    CLI_FORMAT(""),
    {0},
};

const struct command command_settings = {
    .name = "settings",
    .usage = "[OPTION...]",
    .summary = "list all settings: variable, default, unit, meaning, values",
    .details =
        "Lists all settings. With --effective, prints the values in force here, as lines for a file that PLEACH_CONF\n"
        "may name, or reports what the library would refuse, and exits with status 1.\n",
    .options = options,
    .check = check_settings,
    .work = print_settings,
};
