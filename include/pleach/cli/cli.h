/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The command `pleach`: a file for each subcommand, a line for each in the table of pleach.c.
 *
 * A subcommand describes its options in a table; cli.c parses them, prints --help and complains. What is wrong is said in
 * one line on standard error before anything is written to standard output.
 */
#ifndef PLEACH_CLI_H
#define PLEACH_CLI_H

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
    OPTION_FLAG,   /* no value; place: bool */
    OPTION_NUMBER, /* least to most; place: int64_t */
    OPTION_RANGE,  /* N or N-N within least and most, or `all` where `value` offers it; place: struct range */
    OPTION_WORD,   /* one of the words of `value`; place: int, the number of the word */
    OPTION_SIZE,   /* bytes, or with K, M, G; least to most; place: int64_t */
    OPTION_TIME,   /* seconds, or with ms, us, ns; place: double */
    OPTION_SET,    /* words joined by commas; place: struct word_set */
    OPTION_SIZES,  /* bytes, or with K, M, G, as MIN:MAX within least and most; place: struct range */
    OPTION_TEXT    /* any text; place: const char * */
};

struct command_option {
    const char *name;  /* without --, or "x,name" where -x is short for it; NULL ends a table */
    const char *value; /* as --help shows it, words separated by |; NULL for a flag */
    const char *help;
    enum option_type type;
    int64_t least, most;
    void *place; /* keeps its value where the option is not given */
};

struct command {
    const char *name;
    const char *usage;                     /* what follows the name */
    const char *summary;                   /* one line */
    const char *details;                   /* more for --help: lines, or "" */
    const struct command_option *options;  /* --help is everybody's and in no table */
    int least, most;                       /* number of operands */
    bool operands_end_options;             /* what follows the first operand belongs to it */
    void (*check)(void);                   /* ends the command if options do not go together; may be NULL */
    int (*run)(int count, char **operand); /* writes to stdout; returns the exit status; NULL: pleach-mpi does it */
};

/*
 * Reads the options of a subcommand, whose name is argv[0], then calls `run` or prints --help. Returns the exit status, or
 * ends the command where something is wrong, before `run`.
 */
int cli_run(const struct command *c, int argc, char **argv, int (*run)(int count, char **operand));

/* Closes standard output; ends the command if not everything was written. */
void cli_finish(void);

/* Ends the command: "pleach NAME: message" as one line on standard error, nothing more on standard output. */
_Noreturn void cli_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same line, but the command goes on: for what the user should know beside the output. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What is asked for; they end the command where it is not to be had. Memory is zeroed. */
void *cli_memory(size_t count, size_t size);
FILE *cli_open(const char *name);

/* For processes of a job that are not to speak: no line on standard error, no --help. */
void cli_silence(bool wanted);

/* Operands; they end the command where the name is unknown. */
const struct engine *cli_engine(const char *name);
enum collective cli_collective(const char *name);

/* The engine's simplex variant if that is wanted, else the engine; ends the command where there is none. */
const struct engine *cli_simplex(const struct engine *e, bool wanted);

/* Does the collective have a root? */
bool cli_rooted(enum collective c);

/* Options --ranks (0: not given) and --root; they end the command where they do not go together. */
void cli_check_root(enum collective c, int64_t ranks, int64_t root);

/*
 * The settings of the environment and of PLEACH_CONF. False if some are not understood: each of them is then reported in a
 * line, with what it would do to a program.
 */
bool cli_settings(struct settings *s);

/* Prints cells, row by row, as aligned columns two spaces apart; "-" for an empty or missing cell. */
void cli_columns(int rows, int columns, const char *const *cell);

#endif
