/* SPDX-License-Identifier: BSD-2-Clause */
/* Options, --help and errors, which all subcommands share; see cli.h. */
#include "cli.h"

#include "columns.h"
#include "nearest.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 20, FIRST_OPTION = 256 };

static const char *running; /* the command's name; NULL before its name is known */

void cli_report(int status, const char *format, va_list ap)
{
    char *text, where[64] = "";
    if (vasprintf(&text, format, ap) < 0)
        text = NULL;
    if (status == STATUS_USAGE && text && !strstr(text, "; see "))
        snprintf(where, sizeof where, "; see 'pleach %s%s--help'", running ? running : "", running ? " " : "");
    say("%s%s", text ? text : "out of memory", where);
    free(text);
}

_Noreturn void cli_fail(int status, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    cli_report(status, format, ap);
    va_end(ap);
    /* exit() would flush standard output, which may be the very thing that failed. */
    _Exit(status);
}

void cli_finish(void)
{
    bool failed = ferror(stdout);
    if (fclose(stdout) != 0 || failed)
        cli_fail(STATUS_FAILED, "cannot write to standard output: %s", strerror(errno));
}

void *cli_memory(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    cli_enough(memory);
    return memory;
}

FILE *text_begin(struct text *t)
{
    t->f = open_memstream(&t->text, &t->size);
    cli_enough(t->f);
    return t->f;
}

char *text_end(struct text *t)
{
    cli_enough(fclose(t->f) == 0);
    return t->text;
}

FILE *cli_open(const char *name)
{
    FILE *f = fopen(name, "re");
    if (!f)
        cli_fail(STATUS_FAILED, "%s cannot be read: %s", name, strerror(errno));
    return f;
}

FILE *cli_table(struct columns *t)
{
    FILE *stream = columns_begin(t);
    cli_enough(stream);
    return stream;
}

void cli_columns(struct columns *t, int width)
{
    cli_enough(columns_end(t, stdout, width));
}

int cli_format = TABLE_TEXT, cli_color;

bool cli_colours(void)
{
    enum { AUTO, ALWAYS };
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (cli_color != AUTO)
        return cli_color == ALWAYS;
    return isatty(STDOUT_FILENO) && !(none && *none) && !(terminal && strcmp(terminal, "dumb") == 0);
}

void cli_document(struct document *d)
{
    document_begin(d, (enum table_format)cli_format, stdout, columns_width(stdout));
    d->marks = cli_colours();
}

void cli_table_end(struct table *t)
{
    cli_enough(table_end(t));
}

/* ---- options ------------------------------------------------------------------------------------------------------- */

static char letter(const struct command_option *o)
{
    return (char)(o->name[1] == ',' ? o->name[0] : 0);
}

static const char *long_name(const struct command_option *o)
{
    return letter(o) ? o->name + 2 : o->name;
}

/* Reads a number and moves *text behind it; returns false if there is none, or if it is out of bounds. */
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

/*
 * The number that the first word of the text has in the set's list; -1 if the list lacks this word. Sets *length to the
 * length of the word, which ends at a comma or with the text.
 */
static int set_find(const struct word_set *set, const char *text, size_t *length)
{
    *length = strcspn(text, ",");
    for (int i = 0; set->word(i); i++)
        if (strlen(set->word(i)) == *length && strncasecmp(text, set->word(i), *length) == 0)
            return i;
    return -1;
}

static bool set_parse(const char *text, struct word_set *set)
{
    uint64_t bits = 0;
    for (size_t length;; text += length + 1) {
        int i = set_find(set, text, &length);
        if (i < 0)
            return false;
        assert(i < 64);
        bits |= (uint64_t)1 << i;
        if (!text[length])
            break;
    }
    set->bits = bits;
    return true;
}

static const char *set_words(const struct word_set *set, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; set->word(i) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", set->word(i));
    assert(used < size);
    return text;
}

/* Reads MIN:MAX, both from `least` to `most`, or one size that is both. */
static bool sizes_parse(const char *text, const struct command_option *o, struct range *range)
{
    char low[SETTING_TEXT];
    size_t length = strcspn(text, ":");
    snprintf(low, sizeof low, "%.*s", (int)length, text);
    return size_parse(low, &range->low) && size_parse(text[length] ? text + length + 1 : text, &range->high) &&
           o->least <= range->low && range->low <= range->high && range->high <= o->most;
}

static bool value_parse(const char *text, const struct command_option *o)
{
    int64_t *number = o->target;
    if (!o->value)
        return *(bool *)o->target = true;
    switch (o->type) {
    case OPTION_FLAG: /* it has no value */
        break;
    case OPTION_NUMBER:
        return number_parse(&text, o, number) && !*text;
    case OPTION_RANGE:
        return range_parse(text, o, o->target);
    case OPTION_WORD:
        return choice_parse(text, o->value, o->target);
    case OPTION_SIZE:
        return size_parse(text, number) && o->least <= *number && *number <= o->most;
    case OPTION_TIME:
        return time_parse(text, o->target);
    case OPTION_SET:
        return set_parse(text, o->target);
    case OPTION_SIZES:
        return sizes_parse(text, o, o->target);
    case OPTION_TEXT:
        *(const char **)o->target = text;
    }
    return true;
}

static const char *option_hint(const char *text, const struct command_option *options, struct nearest *near)
{
    char written[NEAREST_WORD], flag[NEAREST_WORD];
    snprintf(written, sizeof written, "%.*s", (int)strcspn(text, "="), text);
    *near = (struct nearest){.text = written, .prefix = 2};
    for (const struct command_option *o = options; o->name; o++) {
        snprintf(flag, sizeof flag, "--%s", long_name(o));
        nearest_try(near, flag);
    }
    nearest_try(near, "--help");
    return nearest_hint(near);
}

_Noreturn static void refuse_value(const char *text, const struct command_option *o)
{
    static const char *const units[OPTION_TEXT + 1] = {[OPTION_SIZE] = " (bytes, or with K, M or G)",
                                                       [OPTION_SIZES] = " (bytes, or with K, M or G)",
                                                       [OPTION_TIME] = " (seconds, or with ms, us or ns)"};
    char words[8 * SETTING_TEXT] = "", bounds[64] = ""; /* the names of all engines take some 1000 characters */
    if (o->type == OPTION_SET)
        set_words(o->target, words, sizeof words);
    else if (o->most)
        snprintf(bounds, sizeof bounds, ", from %lld to %lld", (long long)o->least, (long long)o->most);
    cli_fail(STATUS_USAGE, "--%s takes %s%s%s%s%s, not '%s'", long_name(o), o->value, *words ? " of " : "", words,
             units[o->type] ? units[o->type] : "", bounds, text);
}

static const struct command_option *options_of(const struct command *c)
{
    static const struct command_option none[] = {{0}};
    return c->options ? c->options : none;
}

/* Refuses an operand, and suggests the first option that takes such a value. */
_Noreturn static void refuse_operand(const struct command *c, const char *text)
{
    for (const struct command_option *o = options_of(c); o->name; o++)
        if (o->type != OPTION_FLAG && o->type != OPTION_TEXT && o->type != OPTION_TIME && value_parse(text, o))
            cli_fail(STATUS_USAGE, "too many operands: '%s' (did you mean --%s %s?)", text, long_name(o), text);
    cli_fail(STATUS_USAGE, "too many operands: '%s'", text);
}

static void print_help(const struct command *c)
{
    struct columns t;
    FILE *f = cli_table(&t);
    printf("Usage: pleach %s%s%s\n\n%s\nOptions:\n", c->name, *c->usage ? " " : "", c->usage, c->details);
    for (const struct command_option *o = options_of(c); o->name; o++) {
        char dash[] = "-x, ";
        dash[1] = letter(o);
        fprintf(f, "  %s--%s%s%s\t%s\n", dash[1] ? dash : "", long_name(o), o->value ? " " : "", o->value ? o->value : "",
                o->help);
    }
    fputs("  --help\tprint this text\n", f);
    cli_columns(&t, 0);
}

/* Reads the options; returns the index of the first operand, or 0 for --help. */
static int read_options(const struct command *c, int argc, char **argv)
{
    const struct command_option *options = options_of(c);
    struct option row[MOST_OPTIONS + 2] = {{0}};
    char letters[2 * MOST_OPTIONS + 4];
    struct nearest near;
    int rows = 0, found, used = snprintf(letters, sizeof letters, "%s", c->operands_end_options ? "+:h" : ":h");
    /* The last fields of rows differ. Else getopt_long() would take an abbreviation that fits two as the first of these. */
    for (const struct command_option *o = options; o->name; o++, rows++) {
        assert(rows < MOST_OPTIONS);
        row[rows] = (struct option){long_name(o), o->value ? required_argument : no_argument, NULL, FIRST_OPTION + rows};
        if (letter(o))
            used += snprintf(letters + used, sizeof letters - (size_t)used, "%c%s", letter(o), o->value ? ":" : "");
    }
    row[rows] = (struct option){"help", no_argument, NULL, 'h'};
    opterr = 0;
    while ((found = getopt_long(argc, argv, letters, row, NULL)) != -1) {
        if (found == 'h')
            return 0;
        if (found == ':')
            cli_fail(STATUS_USAGE, "option '%s' needs a value", argv[optind - 1]);
        if (found == '?' && optopt && optopt < FIRST_OPTION && optopt != 'h')
            cli_fail(STATUS_USAGE, "unknown option '-%c'", optopt);
        if (found == '?')
            cli_fail(STATUS_USAGE, "%s option '%s'%s", optopt ? "no value goes with" : "unknown", argv[optind - 1],
                     optopt ? "" : option_hint(argv[optind - 1], options, &near));
        int which = found - FIRST_OPTION;
        for (int i = 0; which < 0 && i < rows; i++)
            if (letter(&options[i]) == found)
                which = i;
        if (!value_parse(optarg, &options[which]))
            refuse_value(optarg, &options[which]);
    }
    return optind;
}

int cli_run(const struct command *c, int argc, char **argv, int (*work)(char **operand))
{
    int status = 0, first;
    say_as(c->name);
    running = c->name;
    first = read_options(c, argc, argv);
    if (!first && !says_nothing())
        print_help(c);
    else if (first && argc - first < c->least)
        cli_fail(STATUS_USAGE, "missing operand; usage: pleach %s %s", c->name, c->usage);
    else if (first && argc - first > c->most)
        refuse_operand(c, argv[first + c->most]);
    else if (first && c->check)
        c->check();
    if (first)
        status = work(argv + first);
    cli_finish();
    return status;
}
