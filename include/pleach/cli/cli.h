/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command `pleach` and its subcommands. A subcommand has a file, cmd_NAME.c, and a row in the table of pleach.c. The
 * subcommands that need MPI share the file options.c.
 *
 * A subcommand describes its options in a table. By this table, cli.c parses the options, and prints them for --help. A
 * subcommand reports an error as one line of say() before it writes anything to standard output.
 */
#pragma once

#include "columns.h"
#include "rules.h"
#include "say.h"
#include "settings.h"
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { STATUS_FAILED = 1, STATUS_USAGE = 2 };

enum { MOST_RANKS = 1 << 30 };
#define MOST_BLOCKS INT64_C(1000000000000)

struct range {
    int64_t low, high;
};

/* A subset of a list of words. */
struct word_set {
    const char *(*word)(int i); /* word number i; NULL after the last */
    uint64_t bits;              /* bit i: word i is in the set */
};

enum option_type {
    OPTION_FLAG,   /* no value; target: bool */
    OPTION_NUMBER, /* least to most; target: int64_t */
    OPTION_RANGE,  /* N or N-N within least and most, or `all` if `value` has that word; target: struct range */
    OPTION_WORD,   /* one of the words of `value`; target: int, the number of the word */
    OPTION_SIZE,   /* bytes, or with K, M, G; least to most; target: int64_t */
    OPTION_TIME,   /* seconds, or with ms, us, ns; target: double */
    OPTION_SET,    /* words joined by commas; target: struct word_set */
    OPTION_SIZES,  /* bytes, or with K, M, G, as MIN:MAX or one size within least and most; target: struct range */
    OPTION_TEXT    /* any text; target: const char * */
};

struct command_option {
    const char *name;  /* "name" for --name, or "x,name" if -x is its short form; NULL ends a table */
    const char *value; /* the value as --help shows it, with | between words; NULL for a flag */
    const char *help;
    enum option_type type;
    int64_t least, most;
    void *target; /* keeps its value if the option is not given */
};

struct command {
    const char *name;
    const char *usage;                    /* what follows the name in a line of usage */
    const char *summary;                  /* one line */
    const char *details;                  /* lines that --help prints between usage and options, or "" */
    const struct command_option *options; /* NULL if there are none; --help is in no table, as every subcommand has it */
    int least, most;                      /* number of operands */
    bool operands_end_options;            /* all arguments after the first operand are operands */
    void (*check)(void);                  /* ends the command if options conflict; may set defaults; may be NULL */
    /* Takes operands, with NULL after the last; prints; returns the exit status. NULL: pleach-mpi does the work instead. */
    int (*work)(char **operand);
};

/*
 * Reads the options of the subcommand argv[0], then calls `work` or prints the text for --help. Returns the exit status.
 * Wrong options or operands end the command before `work`.
 */
int cli_run(const struct command *c, int argc, char **argv, int (*work)(char **operand));

/* Closes standard output; ends the command if not everything was written. */
void cli_finish(void);

/* Reports the error as "pleach NAME: ..." and ends the command; writes nothing more to standard output. */
_Noreturn void cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports the error likewise. An error of usage that names no page ("; see ") gets the command's --help. */
void cli_report(int status, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));

/* Ends the command if memory is short. */
static inline void cli_enough(bool memory)
{
    if (!memory)
        cli_fail(STATUS_FAILED, "out of memory");
}

/* Each ends the command on failure: cli_memory() gives zeroed memory, cli_copy() copies a text, cli_open() opens a file. */
void *cli_memory(size_t count, size_t size);
static inline char *cli_copy(const char *text)
{
    return strcpy(cli_memory(strlen(text) + 1, 1), text);
}
FILE *cli_open(const char *name);

/*
 * A text in memory. The caller writes to the stream that text_begin() returns, and frees the text that text_end() returns.
 * Both functions end the command on failure.
 */
struct text {
    char *text;
    size_t size;
    FILE *f;
};

FILE *text_begin(struct text *t);
char *text_end(struct text *t);

/* The engine, or the collective, of this name. Both end the command if the name is unknown. */
const struct engine *cli_engine(const char *name);
enum collective cli_collective(const char *name);

/* The engine itself or, if `wanted` is set, its simplex variant. Ends the command if that variant does not exist. */
const struct engine *cli_simplex(const struct engine *e, bool wanted);

/* Ends the command if --ranks is missing (0), or if --root does not fit the collective or the number of ranks. */
void cli_check_root(enum collective c, int64_t ranks, int64_t root);

enum { MOST_PLACED = 1 << 20 }; /* most ranks in a tree of places */

/*
 * The tree of places that the text of --places describes; NULL if `text` is NULL. *ranks is the number of --ranks, or 0 if
 * that was not given; it becomes the tree's number of ranks. Ends the command if the text describes no tree, or if the tree
 * has another number of ranks than --ranks.
 */
struct places *cli_places(const char *text, int64_t *ranks);

/*
 * Parses and frees the text of a file of rules. If the file could not be read, `text` is NULL, and `why` has the reason.
 * Ends the command on failure.
 */
struct rules *cli_rules(char *text, const char *file, const char *why);

/*
 * Reads the settings of the environment, and those of the file that PLEACH_CONF names, or else of the site's file. Reports
 * each problem in a line. Returns false if a value is not understood, or if the file cannot be read; the line then also says
 * what the error does to a program. Other problems, such as unknown names, are warnings.
 */
bool cli_settings(struct settings *s);

/*
 * Reads the settings as cli_settings() does, then the files of rules and places that they name. Calls `report` for every
 * complaint that the library would make, at its start or later. Returns true if there is no complaint, or if all are about
 * unknown names.
 */
bool cli_settings_serve(struct settings *s, void (*report)(const char *format, ...));

/* Like columns_begin() and columns_end(), for a table on standard output. Both functions end the command on failure. */
FILE *cli_table(struct columns *t);
void cli_columns(struct columns *t, int width);

/* The option --format of a command that prints tables (table.h), and its target. */
extern int cli_format;
#define CLI_FORMAT(more)                                                                                                    \
    {                                                                                                                       \
        "format", TABLE_WORDS, "default text" more, OPTION_WORD, 0, 0, &cli_format                                          \
    }

/*
 * The option --color, and its target. Does standard output get colours? By default, if it is a terminal, without
 * NO_COLOR.
 */
extern int cli_color;
#define CLI_COLOR                                                                                                           \
    {                                                                                                                       \
        "color", "auto|always|never", "default auto: on a terminal, unless NO_COLOR is set", OPTION_WORD, 0, 0, &cli_color  \
    }
bool cli_colours(void);

/*
 * Like document_begin() and table_end(), for tables of this format on standard output. The latter ends the command on
 * failure.
 */
void cli_document(struct document *d);
void cli_table_end(struct table *t);
