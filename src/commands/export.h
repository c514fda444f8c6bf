/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns rules for an MPI library's own algorithms (the engines native:NAME) into a tuning file of that library.
 *
 * A format has some of the conditions of rules, and lacks others: roots, for example. So a format sees cells: sets of calls
 * that it cannot tell apart. A cell gets the algorithm that a rule names for some of its calls, unless this harms other
 * calls of the cell: another rule gives them another algorithm, or the default, or the algorithm might change the bits of
 * their results. All other cells get the library's default.
 */
#pragma once

#include "rules.h"

#include <stdio.h>

/* The outcome for a rule, and what is said of the rules that are left out. The last outcome in this list counts. */
#define OUTCOMES(X)                                                                                                         \
    X(OUT_HIDDEN, "hidden by earlier rules")                                                                                \
    X(OUT_ENGINE, "that name no native engine, or several")                                                                 \
    X(OUT_SITE, "with a call site")                                                                                         \
    X(OUT_UNKNOWN, "for algorithms that the command cannot write")                                                          \
    X(OUT_SIZES, "for sizes that the format lacks")                                                                         \
    X(OUT_OPS, "for operations that the format does not tell from others")                                                  \
    X(OUT_ORDER, "that would hold for operations that do not commute, too")                                                 \
    X(OUT_CONTRADICTED, "that other rules contradict where the format sees no difference")
#define OUTCOME(name, reason) name,
enum outcome { OUTCOMES(OUTCOME) OUT_WRITTEN };

/* The properties by which a format can distinguish calls of a collective, in the order in which its files do so. */
enum dimension { BY_RANKS, BY_NODE_RANKS, BY_BYTES, BY_OP, DIMENSIONS };

/* An algorithm of an MPI library. A row without a name ends the table. */
extern const struct own_algorithm {
    enum collective collective;
    const char *name;       /* as in native:NAME */
    unsigned needs;         /* see export_text.c */
    int number;             /* in Open MPI's files; 0: it lacks the algorithm */
    const char *parameters; /* in MPICH's file: the members of the algorithm's object; NULL: MPICH lacks it */
} own_algorithms[];

/* The algorithms to which an MPI library may be able to switch. */
struct algorithms own_algorithms_of(enum natives natives);

/* A part of a cell. @l, @m and @t in a template stand for its numbers and its text, @n for its name. */
struct portion {
    int64_t least, most; /* INT64_MAX: no end */
    char *text;          /* NULL: the default */
    const char *name;
};

/* The templates for the parts of a cell in one dimension: before all, each, the last, between two, behind all. */
struct templates {
    const char *begin, *part, *last, *between, *end; /* @c: the number of parts */
    const char *none; /* the default's text; NULL: the `standard` of exported_text() or, without one, no part */
};

struct format {
    unsigned divides[DIMENSIONS]; /* bit c: the format has this dimension for collective c */
    struct templates level[DIMENSIONS];
    const char *leaf; /* the text for an algorithm: @a and @d stand for name and number. NULL: as in MPICH's tree */
    bool whole;       /* a level whose only part has a text is written, too */
    int64_t largest;  /* the largest size in bytes that a condition may have */
};

/* Rules that are being exported. `lacks`, bit i: the library at hand lacks the algorithm of row i. */
struct exported {
    const struct format *format;
    uint64_t lacks;
    int count;
    struct exported_rule *rule;
};

/* Takes the rules; those that fix the layout of ranks on nodes also for calls among the first ranks of the nodes. */
void exported_begin(struct exported *x, const struct format *format, uint64_t lacks, const struct rules *rules);

/* The text for a collective's calls, or, which must come first, for those among `first_ranks`; NULL: the default for all. */
char *exported_text(struct exported *x, enum collective c, bool first_ranks, const char *standard);

/* Sets the outcome of each rule that was given. */
void exported_end(struct exported *x, enum outcome *outcome);

/* NAME if the rule names native:NAME alone, "" if it names native alone, so the library's default; else NULL. */
const char *exported_name(const struct rule *r);

/* Writes a template: @0 stands for value[0], and so on. */
void fill_template(FILE *f, const char *template, const char *const value[]);

/* Writes the name that MPICH's function and its JSON share, such as "MPIR_Bcast_intra_binomial". Returns its length. */
size_t put_function(const struct own_algorithm *own, char to[96]);

/* Returns texts that the caller frees. */
char *leaf_text(const struct format *format, const struct own_algorithm *own, const char *standard);
char *join_text(const struct templates *level, const struct portion *part, int count, const char *standard);

/* The formats, in the order of the words of --for. */
enum target { TARGET_MPICH, TARGET_OPEN_MPI, TARGET_OPEN_MPI_6 };
#define TARGET_WORDS "mpich|openmpi|openmpi-6"

/*
 * Returns the text of the whole file, which the caller frees, and sets outcome[i] for each rule. For MPICH, `library` has
 * the `size` bytes of MPICH's library, whose defaults the file keeps; returns NULL if the library has no defaults.
 */
char *export_file(enum target target, const struct rules *rules, const void *library, size_t size, enum outcome *outcome);
