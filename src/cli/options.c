/* SPDX-License-Identifier: BSD-2-Clause */
/* The subcommands whose work needs MPI: their options and help. src/bench does the work. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_BYTES = 16, MOST_BYTES = 1 << 30, MOST_REPEATS = 100000, MOST_SECONDS = 1000000 };

static const char *folding_word(int i)
{
    return op_word(OP_EXACT + i);
}

enum { EXACT = 1, ROUNDING = 2, USER = 4 };

struct options options = {.collectives = {collective_word, (1u << COLLECTIVES) - 1},
                          .rows = {engine_word, EVERY_ENGINE},
                          .ops = {folding_word, 0},
                          .sizes = {16 << 10, 16 << 20}};

bool options_have_op(enum op_class o)
{
    return options.ops.bits >> (o - OP_EXACT) & 1;
}

/* Sets the operation classes and the time limit unless an option has set them. */
static void defaults(uint64_t ops, int64_t seconds)
{
    if (!options.ops.bits)
        options.ops.bits = ops;
    if (!options.seconds)
        options.seconds = seconds;
}

static void check_tune(void)
{
    setenv("PLEACH_LEARN", "", 1); /* tune writes its own file, and old rules do not count */
    setenv("PLEACH_RULES", "", 1);
    defaults(EXACT | ROUNDING | USER, 300);
    if (!options.output)
        cli_fail(STATUS_USAGE, "-o FILE is missing");
    if (!*options.output || strchr(options.output, '\n')) /* a comment in the file quotes the name */
        cli_fail(STATUS_USAGE, "-o FILE: the name %s", *options.output ? "has several lines" : "is empty");
}

static void check_bench(void)
{
    bool rooted = false;
    defaults(EXACT | USER, 120);
    for (int c = 0; c < COLLECTIVES; c++)
        rooted |= options.collectives.bits >> c & 1 && collective_rooted((enum collective)c);
    if (options.root && !rooted)
        cli_fail(STATUS_USAGE, "--root: none of the collectives has a root");
}

/* clang-format off */
#define LIBRARY                                                                                                             \
    {"mpi-library", "FILE", "the MPI library; default: one that fits the launcher", OPTION_TEXT, 0, 0, &options.library}
#define COMMON(some_engines, some_ops, some_seconds, some_force)                                                            \
    {"c,collective", "COLL[,COLL...]", "collectives; default: all", OPTION_SET, 0, 0, &options.collectives},                \
    {"m,message-size", "MIN:MAX|SIZE", "bytes, or with K, M, G; default 16K:16M", OPTION_SIZES, LEAST_BYTES, MOST_BYTES,    \
     &options.sizes},                                                                                                       \
    {"e,engine", "ENGINE[,ENGINE...]", "engines beside native; default: all that " some_engines, OPTION_SET, 0, 0,          \
     &options.rows},                                                                                                        \
    {"op", "OP[,OP...]", "operation classes: exact, rounding, user; default: " some_ops, OPTION_SET, 0, 0, &options.ops},   \
    {"time-limit", "SECONDS", "time for all measurements; default: " some_seconds, OPTION_NUMBER, 1, MOST_SECONDS,          \
     &options.seconds},                                                                                                     \
    {"force", NULL, "measure even where ranks outnumber cores" some_force, OPTION_FLAG, 0, 0, &options.force},             \
    LIBRARY
/* clang-format on */

static const struct command_option tune_options[] = {
    {"o,output", "FILE", "the file of rules to write", OPTION_TEXT, 0, 0, &options.output},
    {"for", "REPORT", "measure the calls of a program, by its report (PLEACH_REPORT=FILE.html or FILE.json); not with -m",
     OPTION_TEXT, 0, 0, &options.report},
    COMMON("tune does not leave out (see above)", "all", "300", ", or other work disturbs times"),
    CLI_FORMAT(""),
    {0},
};

static const struct command_option bench_options[] = {
    COMMON("fit", "exact,user", "120", ""),
    {"i,iterations", "NUMBER", "repetitions; default: as many as there is time for", OPTION_NUMBER, 1, MOST_REPEATS,
     &options.iterations},
    {"x,warmup", "NUMBER", "calls of each engine before timing, beside the call that is checked; default 0", OPTION_NUMBER,
     0, MOST_REPEATS, &options.warmups},
    {"learn", "CALLS", "also time what the library chooses after learning from at most so many calls (row: learned)",
     OPTION_NUMBER, 1, MOST_REPEATS, &options.learn},
    {"root", "RANK", "rank of the root; default 0", OPTION_NUMBER, 0, MOST_RANKS - 1, &options.root},
    CLI_FORMAT(""),
    {0},
};

static const struct command_option figures_options[] = {
    LIBRARY,
    {0},
};

static const struct command_option places_options[] = {
    LIBRARY,
    {"format", "text|tsv|dot|svg", "default text; svg is drawn by Graphviz", OPTION_WORD, 0, 0, &options.places_format},
    {0},
};

const struct command command_tune = {
    .name = "tune",
    .usage = "-o FILE [OPTION...]",
    .summary = "measure native calls and engines, write a file of rules (under mpiexec)",
    .details = "Measures native calls and engines on the ranks at hand, prints what was found, and writes a file of rules\n"
               "for PLEACH_RULES:\n\n"
               "  mpiexec -n 16 pleach tune -o FILE\n\n"
               "The library learns from calls that the command makes. A rule names an engine only where the engine\n"
               "clearly beats the native call. Noise makes no rule. The command leaves out engines that the library must\n"
               "not choose for a call, however fast they are.\n",
    .options = tune_options,
    .check = check_tune,
};

const struct command command_bench = {
    .name = "bench",
    .usage = "[OPTION...]",
    .summary = "time native calls beside engines (under mpiexec)",
    .details =
        "Times native calls, every engine that fits, and the library's choice (auto), taking turns:\n\n"
        "  mpiexec -n 16 pleach bench -c scan\n\n"
        "T/(beta m) is the median over the time of one transfer of the message; SPREAD tells how far times differ, and\n"
        "~ marks noise. REGRET is auto's median over the least median, that of BEST.\n",
    .options = bench_options,
    .check = check_bench,
};

const struct command command_figures = {
    .name = "figures",
    .usage = "[OPTION]",
    .summary = "measure the parameters of the cost model (under mpiexec)",
    .details =
        "Measures the parameters of the cost model, and prints them as lines for a file that PLEACH_CONF may name:\n\n"
        "  mpiexec -n 16 pleach figures > FILE\n",
    .options = figures_options,
};

const struct command command_places = {
    .name = "places",
    .usage = "[OPTION...]",
    .summary = "show which ranks are near each other (under mpiexec)",
    .details =
        "Prints the topology of the ranks at hand, as PLEACH_PLACES says: measured, nodes alone, or that of a file:\n\n"
        "  mpiexec -n 16 pleach places\n",
    .options = places_options,
};

/* The job of the doctor writes no files, whatever settings say. */
static void write_no_files(void)
{
    setenv("PLEACH_LOG", "", 1);
    setenv("PLEACH_REPORT", "none", 1);
    setenv("PLEACH_LEARN", "off", 1);
}

const struct command command_shared = {
    .name = "shared",
    .usage = "",
    .summary = "say whether the ranks of this job share memory",
    .details = "",
    .options = figures_options,
    .check = write_no_files,
};
