/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of subcommands, and what they share: options, --help, errors; see cli.h. */
#ifdef HAVE_CONFIG_H
#include <config.h> /* PACKAGE_VERSION */
#endif

#include "cli.h"

#include "../schedule/simplex.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

extern const struct command command_run, command_settings, command_engines, command_schedule, command_simulate,
    command_choose, command_log, command_check_rules;

static const struct command *const commands[] = {
    &command_run,      &command_settings,    &command_engines,
    &command_schedule, &command_simulate,    &command_choose,
    &command_log,      &command_check_rules, NULL,
};

static const struct command *current; /* NULL: none yet */

enum { MOST_OPTIONS = 16, FIRST_OPTION = 256 };

/* One line on standard error. */
static void complain(const char *format, va_list ap)
{
    char line[1024];
    vsnprintf(line, sizeof line, format, ap);
    for (char *c = line; *c; c++) /* one line, whatever the user wrote */
        if (iscntrl((unsigned char)*c))
            *c = '?';
    fprintf(stderr, "pleach%s%s: %s\n", current ? " " : "", current ? current->name : "", line);
}

void cli_warn(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    complain(format, ap);
    va_end(ap);
}

_Noreturn void cli_fail(int status, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    complain(format, ap);
    va_end(ap);
    /* Without flushing stdout, which may be what failed. */
    _Exit(status);
}

/* Everything is written: was it? */
static void finish(void)
{
    bool failed = ferror(stdout);
    if (fclose(stdout) != 0 || failed)
        cli_fail(STATUS_FAILED, "cannot write to standard output: %s", strerror(errno));
}

void *cli_memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        cli_fail(STATUS_FAILED, "out of memory");
    return memory;
}

FILE *cli_open(const char *name)
{
    FILE *f = fopen(name, "re");
    if (!f)
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, strerror(errno));
    return f;
}

const struct engine *cli_engine(const char *name)
{
    const struct engine *e = engine_find(name);
    if (!e)
        cli_fail(STATUS_USAGE, "no engine is called '%s'; see 'pleach engines'", name);
    return e;
}

const struct engine *cli_simplex(const struct engine *e, bool wanted)
{
    const struct engine *variant = wanted ? simplex_engine(e) : e;
    if (!variant)
        cli_fail(STATUS_USAGE, "--simplex: %s has no simplex variant, but two-tree and fractional have", e->name);
    return variant;
}

enum collective cli_collective(const char *name)
{
    enum collective c;
    if (!collective_parse(name, &c))
        cli_fail(STATUS_USAGE, "no collective is called '%s', but bcast, reduce, scan, exscan", name);
    return c;
}

bool cli_rooted(enum collective c)
{
    return c == COLL_BCAST || c == COLL_REDUCE;
}

static const char *shown(const char *cell)
{
    return cell && *cell ? cell : "-";
}

void cli_columns(int rows, int columns, const char *const *cell)
{
    int width[columns];
    memset(width, 0, sizeof width);
    for (int i = 0; i < rows * columns; i++)
        if (width[i % columns] < (int)strlen(shown(cell[i])))
            width[i % columns] = (int)strlen(shown(cell[i]));
    for (int i = 0; i < rows * columns; i++) {
        bool last = i % columns == columns - 1;
        printf("%-*s%s", last ? 0 : width[i % columns], shown(cell[i]), last ? "\n" : "  ");
    }
}

/* ---- options ------------------------------------------------------------------------------------------------------- */

/* Reads a number and moves *text behind it. */
static bool number_parse(const char **text, const struct command_option *o, int64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *number = strtoll(*text, &end, 10);
    *text = end;
    return !errno && o->least <= *number && *number <= o->most;
}

static bool range_parse(const char *text, const struct command_option *o, struct range *range)
{
    if (strcmp(text, "all") == 0 && strstr(o->value, "all")) {
        *range = (struct range){o->least, o->most};
        return true;
    }
    if (!number_parse(&text, o, &range->low))
        return false;
    range->high = range->low;
    if (*text == '-') {
        text++;
        if (!number_parse(&text, o, &range->high))
            return false;
    }
    return !*text && range->low <= range->high;
}

/* Which of the words "a|b|c" the text is, or -1. */
static int word_parse(const char *text, const char *words)
{
    for (int i = 0; *words; i++) {
        size_t length = strcspn(words, "|");
        if (strlen(text) == length && strncmp(text, words, length) == 0)
            return i;
        words += length + (words[length] == '|');
    }
    return -1;
}

static void take(const struct command_option *o, const char *text)
{
    const char *rest = text;
    struct range range;
    int64_t number;
    int word;
    switch (o->type) {
    case OPTION_FLAG:
        *(bool *)o->place = true;
        return;
    case OPTION_NUMBER:
        if (!number_parse(&rest, o, &number) || *rest)
            break;
        *(int64_t *)o->place = number;
        return;
    case OPTION_RANGE:
        if (!range_parse(text, o, &range))
            break;
        *(struct range *)o->place = range;
        return;
    case OPTION_WORD:
        word = word_parse(text, o->value);
        if (word < 0)
            break;
        *(int *)o->place = word;
        return;
    case OPTION_SIZE:
        if (!size_parse(text, &number) || number < o->least || number > o->most)
            cli_fail(STATUS_USAGE, "--%s takes %s, bytes, or with K, M or G, from %lld to %lld, not '%s'", o->name, o->value,
                     (long long)o->least, (long long)o->most, text);
        *(int64_t *)o->place = number;
        return;
    case OPTION_TIME:
        if (!time_parse(text, o->place))
            cli_fail(STATUS_USAGE, "--%s takes %s, seconds, or with ms, us or ns, not '%s'", o->name, o->value, text);
        return;
    case OPTION_TEXT:
        *(const char **)o->place = text;
        return;
    }
    if (o->type == OPTION_WORD)
        cli_fail(STATUS_USAGE, "--%s takes %s, not '%s'", o->name, o->value, text);
    cli_fail(STATUS_USAGE, "--%s takes %s, from %lld to %lld, not '%s'", o->name, o->value, (long long)o->least,
             (long long)o->most, text);
}

static void print_help(const struct command *c)
{
    const char *cell[MOST_OPTIONS + 1][2];
    char flag[MOST_OPTIONS + 1][64];
    int rows = 0;
    printf("Usage: pleach %s%s%s\n\n%s\nOptions:\n", c->name, *c->usage ? " " : "", c->usage, c->details);
    for (const struct command_option *o = c->options; o->name; o++, rows++) {
        snprintf(flag[rows], sizeof flag[rows], "  --%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        cell[rows][0] = flag[rows];
        cell[rows][1] = o->help;
    }
    cell[rows][0] = "  --help";
    cell[rows][1] = "print this text";
    cli_columns(rows + 1, 2, cell[0]);
}

/* Reads the options; returns the index of the first operand, or 0 if --help was asked for. */
static int read_options(const struct command *c, int argc, char **argv)
{
    struct option row[MOST_OPTIONS + 2] = {{0}};
    int rows = 0, found;
    /* The last field tells options apart: were it the same for two, an abbreviation of both would mean the first. */
    for (; c->options[rows].name; rows++)
        row[rows] = (struct option){c->options[rows].name, c->options[rows].value ? required_argument : no_argument, NULL,
                                    FIRST_OPTION + rows};
    row[rows] = (struct option){"help", no_argument, NULL, 'h'};
    opterr = 0;
    while ((found = getopt_long(argc, argv, c->operands_end_options ? "+:h" : ":h", row, NULL)) != -1) {
        if (found == 'h')
            return 0;
        if (found == ':')
            cli_fail(STATUS_USAGE, "option '%s' needs a value; see 'pleach %s --help'", argv[optind - 1], c->name);
        if (found == '?' && optopt && optopt < FIRST_OPTION && optopt != 'h')
            cli_fail(STATUS_USAGE, "unknown option '-%c'; see 'pleach %s --help'", optopt, c->name);
        if (found == '?')
            cli_fail(STATUS_USAGE, "%s option '%s'; see 'pleach %s --help'", optopt ? "no value goes with" : "unknown",
                     argv[optind - 1], c->name);
        take(&c->options[found - FIRST_OPTION], optarg);
    }
    return optind;
}

/* ---- main ---------------------------------------------------------------------------------------------------------- */

static void print_commands(void)
{
    printf("Usage: pleach COMMAND [ARGUMENTS]\n\n"
           "Faster large collectives for unmodified MPICH programs; see pleach(1) and pleach(7).\n\n");
    for (int i = 0; commands[i]; i++)
        printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n  --help       print this text; after a command: about the command\n"
           "  --version    print the version\n");
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    int status = 0;
    if (!name)
        cli_fail(STATUS_USAGE, "a command is missing; see 'pleach --help'");
    for (int i = 0; commands[i]; i++)
        if (strcmp(name, commands[i]->name) == 0)
            current = commands[i];

    if (current) {
        argc--;
        argv++;
        int first = read_options(current, argc, argv);
        if (!first)
            print_help(current);
        else if (argc - first < current->least || argc - first > current->most)
            cli_fail(STATUS_USAGE, "%s operands; see 'pleach %s --help'",
                     argc - first < current->least ? "missing" : "too many", current->name);
        else
            status = current->run(argc - first, argv + first);
    } else if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_commands();
    } else if (strcmp(name, "--version") == 0) {
        printf("pleach %s\n", PACKAGE_VERSION);
    } else {
        cli_fail(STATUS_USAGE, "unknown %s '%s'; see 'pleach --help'", name[0] == '-' ? "option" : "command", name);
    }
    finish();
    return status;
}
