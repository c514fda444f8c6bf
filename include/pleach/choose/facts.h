/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Facts: what every rank of a communicator knows about one collective call, with the same value on each.
 *
 * A choice made from facts and agreed settings alone is the same everywhere, so it cannot hang. The view has what may differ
 * between ranks (buffers, datatypes, MPI_IN_PLACE); this room never sees it.
 *
 * Facts are complete: describe() sets every field, also the class of the operation, and no room adds to them later.
 */
#ifndef PLEACH_FACTS_H
#define PLEACH_FACTS_H

#include "engine.h"
#include "machine.h"

#include <stdint.h>

/* The effect of the order of evaluation on the result of a reduction. */
enum op_class {
    OP_NONE,   /* no operation: broadcast */
    OP_EXACT,  /* commutative, the same bits in any order: all on integers */
    OP_ROUNDS, /* commutative, but the order changes bits: sums, products, minima and maxima of floating point */
    OP_ORDERED /* user-defined: operands must keep the order of the ranks, whatever the commute flag says */
};

/* Where the root is among the ranks: rank 0, the last one, or between them. A call without a root has ROOT_FIRST. */
enum root_place { ROOT_FIRST, ROOT_LAST, ROOT_INSIDE };

/* Why a plan is what it is; the order is that of the words in reason_word(). */
enum reason {
    REASON_NONE,
    REASON_MODEL,         /* least predicted time, of an engine */
    REASON_LEARNED,       /* it was the fastest in calls like this one */
    REASON_TRIAL,         /* a trial times it, to compare it with others */
    REASON_FORCED,        /* PLEACH_ENGINE names it */
    REASON_RANDOM,        /* PLEACH_ENGINE=random:SEED drew it */
    REASON_NATIVE_FASTER, /* no engine is predicted to be enough faster than native */
    REASON_BELOW_THRESHOLD,
    REASON_DISABLED,    /* PLEACH_DISABLE */
    REASON_BAD_SETTING, /* a setting could not be understood */
    REASON_MISMATCH,    /* settings differ between ranks */
    REASON_INTERCOMM,
    REASON_ONE_RANK,
    REASON_ZERO_BYTES,
    REASON_INVALID,          /* arguments that the native call will refuse */
    REASON_NOT_APPLICABLE,   /* no engine that may serve fits this call */
    REASON_OVERSUBSCRIBED,   /* more ranks than usable cores on some node */
    REASON_NO_CONTEXT,       /* no context id left for a private communicator */
    REASON_NO_MEMORY,        /* some rank could not get the scratch memory */
    REASON_NO_SHARED_MEMORY, /* the ranks of the node cannot share memory */
    REASON_RULE,             /* a rule of PLEACH_RULES says so */
    REASON_BAD_RULES,        /* the file of rules could not be understood */
    REASON_OTHER_JOB,        /* ranks of another job take part, and may lack the library */
    REASONS
};

struct facts {
    enum collective collective;
    enum op_class op;
    bool symmetric;     /* it rounds, but a (+) b is b (+) a: sums and real products, not minima of 0 and -0 */
    enum reason barred; /* why no engine may serve this communicator, else REASON_NONE; agreed by all ranks */
    int ranks;          /* p, size of the communicator, >= 1 */
    int root;           /* rank of the root; 0 without one */
    int64_t bytes;      /* m: bytes that a rank contributes or receives, without gaps; MPI wants equal type signatures */
    int64_t units;      /* indivisible pieces of the message: bytes for a broadcast, elements for the others */
    const struct machine *machine; /* where the ranks are; never NULL */
};

/* The words for it in the records' column `reason`. */
const char *reason_word(enum reason r);

/* The word for a class of operations in rules, options and tables. */
const char *op_word(enum op_class o);

/* The place of a root, and the word for it in rules. */
enum root_place root_place(int root, int ranks);
const char *root_word(enum root_place r);

#endif
