/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns rules for an MPI library's own algorithms (the engines native:NAME) into a tuning file of that library.
 *
 * A format has some of the conditions of rules, and lacks others: roots, for example. So a format sees cells: sets of calls
 * that it cannot tell apart. A cell gets the algorithm that a rule names for some of its calls, unless this harms other
 * calls of the cell: another rule gives them another algorithm, or the default, or the algorithm might change the bits of
 * their results. All other cells get the library's default.
 */
#ifndef PLEACH_EXPORT_H
#define PLEACH_EXPORT_H

#include "rules.h"

/* The outcome for a rule. If a rule has several outcomes, the last of them in this list counts. */
enum outcome {
    OUT_HIDDEN,       /* earlier rules hide it */
    OUT_ENGINE,       /* it names neither native nor native:NAME, or it names several engines */
    OUT_SITE,         /* it has a call site */
    OUT_UNKNOWN,      /* the library, or the table of its algorithms, lacks the algorithm */
    OUT_SIZES,        /* the format has no such sizes, or no sizes for its collectives */
    OUT_OPS,          /* the format cannot tell the rule's operations from others whose bits the algorithm may change */
    OUT_ORDER,        /* the library would take the algorithm for operations that do not commute, too */
    OUT_CONTRADICTED, /* the format cannot tell the rule's calls from those of a rule that contradicts it */
    OUT_WRITTEN,
    OUTCOMES
};

/* Conditions of an algorithm. The library does not check these conditions if a tuning file names the algorithm. */
enum own_needs {
    NEEDS_PARENT = 1,      /* several nodes, or several ranks on a node */
    NEEDS_CONSECUTIVE = 2, /* consecutive ranks on each node */
    NEEDS_COMMUTATIVE = 4, /* a commutative operation */
    NEEDS_BUILT_IN = 8,    /* an operation of MPI */
    NEEDS_ELEMENTS = 16    /* at least 2^k elements, where 2^k is the largest power of two up to the number of ranks */
};

/* An algorithm of an MPI library. */
struct own_algorithm {
    enum collective collective;
    const char *name; /* the library's name for it; native:NAME has '-' for '_' */
    unsigned needs;
    int number;             /* in Open MPI's files */
    const char *parameters; /* in MPICH's file: the members of the algorithm's object; NULL: none */
};

/* The properties by which a format can distinguish calls of a collective, in the order in which its files do so. */
enum dimension { BY_RANKS, BY_NODE_RANKS, BY_BYTES, BY_OP, DIMENSIONS };

/* A part of a cell: its range in a dimension, and its text, which is NULL for the default. */
struct portion {
    int64_t least, most; /* INT64_MAX: no end */
    char *text;
};

struct format {
    const struct own_algorithm *own; /* rows whose name is NULL end the table */
    unsigned seen;                   /* bit d: the format has dimension d */
    unsigned ops, sizes;             /* bit c: for collective c, the format has BY_OP (`ops`), or limits sizes (`sizes`) */
    unsigned guards;                 /* the needs that the text of `leaf` checks */
    bool full;       /* `join` is called for a single part, too, if it has a text and its dimension is seen */
    int64_t largest; /* the largest size in bytes that a condition may have */
    void (*leaf)(FILE *f, const struct own_algorithm *own, const char *standard);
    void (*join)(FILE *f, enum dimension d, const struct portion *part, int count, const char *standard);
};

/* Does the rule name native alone? Then it keeps the library's default for its calls. */
bool exported_default(const struct rule *r);

/* A rule that is being exported. */
struct exported_rule {
    struct rule rule;
    enum outcome outcome;
    int source; /* its row among the rules from which it was made */
    int group;  /* it hides later rules of its group alone */
    bool names; /* unset: it gives no cell an algorithm, but may hide and contradict others */
};

/* Rules that are being exported. */
struct exported {
    const struct format *format;
    uint64_t lacks; /* bit i: the library at hand lacks the algorithm of row i */
    int count;
    struct exported_rule *rule;
};

/* Takes a copy of the rules, in one group. In the copy, a rule for sizes beyond the format's largest names no algorithm. */
void exported_begin(struct exported *x, const struct format *format, uint64_t lacks, const struct rules *rules);

/*
 * Makes rules for the calls among the first ranks of the nodes from `all`, the rules for all ranks. A rule that fixes the
 * number of nodes, and one number of ranks for all nodes, names algorithms. All rules that decide about calls with these two
 * numbers become a group. Groups do not hide each other, as their calls differ. They may contradict each other, as they may
 * have equally many nodes.
 */
void exported_for_nodes(struct exported *x, const struct exported *all);

/* Leaves out each rule of `all` if the rules that were made from it contradict others in `nodes`. */
void exported_join(struct exported *all, const struct exported *nodes);

void exported_end(struct exported *x);

/*
 * The text for all calls of a collective; the caller frees it. NULL: the default for all. `standard` is the text of the
 * default, for formats that must repeat it.
 */
char *exported_text(struct exported *x, enum collective c, const char *standard);

/* The formats. */
enum target { TARGET_MPICH, TARGET_OPEN_MPI, TARGET_OPEN_MPI_6 };

/* The words of --for, in the order of enum target. */
#define TARGET_WORDS "mpich|openmpi|openmpi-6"

/*
 * Returns the text of the whole file, which the caller frees, and sets outcome[i] for each rule. For MPICH, `library` has
 * the `size` bytes of MPICH's library, whose defaults the file keeps; returns NULL if the library has no defaults.
 */
char *export_file(enum target target, const struct rules *rules, const void *library, size_t size, enum outcome *outcome);

#endif
