/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command `pleach`: a file for each subcommand, a line for each in the table of pleach.c.
 *
 * A subcommand describes its options in a table; cli.c parses them and prints --help. It reports an error in one line, by
 * say(), before anything goes to standard output.
 */
#ifndef PLEACH_CLI_H
#define PLEACH_CLI_H

#include "say.h"
#include "settings.h"

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
    OPTION_RANGE,  /* N or N-N within least and most, or `all` if `value` offers it; target: struct range */
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
    void *target; /* keeps its value if the option is not given */
};

struct command {
    const char *name;
    const char *usage;                    /* the text after the name */
    const char *summary;                  /* one line */
    const char *details;                  /* more for --help: lines, or "" */
    const struct command_option *options; /* NULL: none but --help, which every subcommand has and no table */
    int least, most;                      /* number of operands */
    bool operands_end_options;            /* all arguments after the first operand are operands */
    void (*check)(void);                  /* ends the command if options conflict; may be NULL */
    int (*work)(
        char **operand); /* NULL after the last; writes to stdout; returns the exit status; NULL: pleach-mpi does it */
};

/*
 * Reads the options of a subcommand, whose name is argv[0], then calls `work` or prints --help. Returns the exit status. An
 * error ends the command before `work`.
 */
int cli_run(const struct command *c, int argc, char **argv, int (*work)(char **operand));

/* Closes standard output; ends the command if not everything was written. */
void cli_finish(void);

/* Reports the error as "pleach NAME: ..." and ends the command; writes nothing more to standard output. */
_Noreturn void cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Zeroed memory; a copy of a text; a file opened for reading. They end the command on failure. */
void *cli_memory(size_t count, size_t size);
static inline char *cli_copy(const char *text)
{
    return strcpy(cli_memory(strlen(text) + 1, 1), text);
}
FILE *cli_open(const char *name);

/* The engine, or collective, of this name. They end the command if the name is unknown. */
const struct engine *cli_engine(const char *name);
enum collective cli_collective(const char *name);

/* The engine's simplex variant if that is wanted, else the engine; ends the command if it has no such variant. */
const struct engine *cli_simplex(const struct engine *e, bool wanted);

/* Ends the command if --ranks (0: not given) and --root conflict. */
void cli_check_root(enum collective c, int64_t ranks, int64_t root);

/*
 * The tree of places that --places describes; NULL if there is no text. Sets *ranks (0: --ranks was not given) to its number
 * of ranks. Ends the command if the text is no tree, or if its number of ranks differs from --ranks.
 */
const struct places *cli_places(const char *text, int64_t *ranks);

/*
 * The settings of the environment and of PLEACH_CONF. False if some are not understood: it reports each of these in a line,
 * with its effect on a program.
 */
bool cli_settings(struct settings *s);

/*
 * The same, and the files of rules and places: calls `told` for every complaint that the library would have, at its start or
 * later. False if there are complaints other than unknown names.
 */
bool cli_settings_serve(struct settings *s, void (*told)(const char *format, ...));

/* Prints cells as columns_put() does (columns.h); on a terminal, long lines are cut. */
void cli_columns(int rows, int columns, const char *const *cell);

#endif
