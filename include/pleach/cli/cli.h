/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command `pleach`: a file for each subcommand, a line for each in the table of pleach.c.
 *
 * A subcommand describes its options in a table; cli.c parses them and prints --help. What is wrong is said in one line, by
 * say(), before anything is written to standard output.
 */
#ifndef PLEACH_CLI_H
#define PLEACH_CLI_H

#include "say.h"
#include "settings.h"

#include <stdio.h>

enum { STATUS_FAILED = 1, STATUS_USAGE = 2 };

enum { MOST_RANKS = 1 << 30 };
#define MOST_BLOCKS INT64_C(1000000000000)

struct range {
    int64_t low, high;
};

/* Some of a list of words. */
struct word_set {
    const char *(*word)(int i); /* the word number i, NULL behind the last */
    uint64_t bits;              /* bit i: it has word i */
};

enum option_type {
    OPTION_FLAG,   /* no value; target: bool */
    OPTION_NUMBER, /* least to most; target: int64_t */
    OPTION_RANGE,  /* N or N-N within least and most, or `all` where `value` offers it; target: struct range */
    OPTION_WORD,   /* one of the words of `value`; target: int, the number of the word */
    OPTION_SIZE,   /* bytes, or with K, M, G; least to most; target: int64_t */
    OPTION_TIME,   /* seconds, or with ms, us, ns; target: double */
    OPTION_SET,    /* words joined by commas; target: struct word_set */
    OPTION_SIZES,  /* bytes, or with K, M, G, as MIN:MAX or one size within least and most; target: struct range */
    OPTION_TEXT    /* any text; target: const char * */
};

struct command_option {
    const char *name;  /* without --, or "x,name" where -x is short for it; NULL ends a table */
    const char *value; /* as --help shows it, words separated by |; NULL for a flag */
    const char *help;
    enum option_type type;
    int64_t least, most;
    void *target; /* keeps its value where the option is not given */
};

struct command {
    const char *name;
    const char *usage;                    /* what follows the name */
    const char *summary;                  /* one line */
    const char *details;                  /* more for --help: lines, or "" */
    const struct command_option *options; /* NULL: none but --help, which is everybody's and in no table */
    int least, most;                      /* number of operands */
    bool operands_end_options;            /* what follows the first operand belongs to it */
    void (*check)(void);                  /* ends the command if options do not go together; may be NULL */
    int (*work)(
        char **operand); /* NULL behind the last; writes to stdout; returns the exit status; NULL: pleach-mpi does it */
};

/*
 * Reads the options of a subcommand, whose name is argv[0], then calls `work` or prints --help. Returns the exit status, or
 * ends the command where something is wrong, before `work`.
 */
int cli_run(const struct command *c, int argc, char **argv, int (*work)(char **operand));

/* Closes standard output; ends the command if not everything was written. */
void cli_finish(void);

/* Says why, as "pleach NAME: ...", and ends the command; nothing more on standard output. */
_Noreturn void cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory; a file opened to be read. They end the command on failure. */
void *cli_memory(size_t count, size_t size);
FILE *cli_open(const char *name);

/* What an operand names; they end the command where the name is unknown. */
const struct engine *cli_engine(const char *name);
enum collective cli_collective(const char *name);

/* The engine's simplex variant if that is wanted, else the engine; ends the command where there is none. */
const struct engine *cli_simplex(const struct engine *e, bool wanted);

/* Ends the command where --ranks (0: not given) and --root do not go together. */
void cli_check_root(enum collective c, int64_t ranks, int64_t root);

/*
 * The tree of places that --places tells, whose ranks are put into *ranks (0: --ranks was not given); NULL if there is no
 * text. Ends the command where it is no such tree, or has not as many ranks as --ranks tells.
 */
const struct places *cli_places(const char *text, int64_t *ranks);

/*
 * The settings of the environment and of PLEACH_CONF. False if some are not understood: each of them is then reported in a
 * line, with what it would do to a program.
 */
bool cli_settings(struct settings *s);

/*
 * The same, and the files of rules and places: `told` hears all that the library would complain of, at its start or later.
 * False if that is more than names that it does not know.
 */
bool cli_settings_serve(struct settings *s, void (*told)(const char *format, ...));

/* Prints cells as columns_put() does (columns.h); on a terminal, long lines are cut. */
void cli_columns(int rows, int columns, const char *const *cell);

#endif
