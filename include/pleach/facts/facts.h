/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Facts: all that every rank of a communicator knows about one collective call. They have the same values on all ranks.
 *
 * So a choice from facts and agreed settings alone is the same on all ranks, and the call cannot hang. The view has what may
 * differ between ranks (buffers, datatypes, MPI_IN_PLACE); this room never sees the view.
 *
 * describe() sets all fields for a call, and stage_facts() and make_stage() do so for a stage of a composed call. Later only
 * the machine changes: a kept copy has none (question.h).
 */
#pragma once

#include "engine.h"
#include "machine.h"

#include <stdint.h>

/* The effect of the order of evaluation on the result of a reduction. */
enum op_class {
    OP_NONE,   /* no operation: broadcast */
    OP_EXACT,  /* commutative, with the same bits in any order, such as MPI's own operations on integers */
    OP_ROUNDS, /* commutative, but the order changes bits: sums, products, minima and maxima of floating point */
    OP_ORDERED /* user-defined: operands keep the order of the ranks, whatever the commute flag says */
};

/* The place of the root: rank 0, the last rank, or a rank between these. A call without a root has ROOT_FIRST. */
enum root_place { ROOT_FIRST, ROOT_LAST, ROOT_INSIDE };

/* The reason of a plan. */
enum reason {
    REASON_NONE,
    REASON_MODEL,         /* the engine has the least predicted time */
    REASON_LEARNED,       /* the engine, or native, was the fastest in calls of this kind */
    REASON_TRIAL,         /* the call is a trial of the engine, or of native */
    REASON_FORCED,        /* PLEACH_ENGINE names the engine */
    REASON_RANDOM,        /* PLEACH_ENGINE=random:SEED has drawn the engine */
    REASON_NATIVE_FASTER, /* the model predicts that no engine is faster than native by enough */
    REASON_BELOW_THRESHOLD,
    REASON_DISABLED,    /* PLEACH_DISABLE is yes */
    REASON_BAD_SETTING, /* a setting has no valid value */
    REASON_MISMATCH,    /* builds of Pleach, settings or numbers of calls differ between ranks */
    REASON_INTERCOMM,
    REASON_ONE_RANK,
    REASON_ZERO_BYTES,
    REASON_INVALID,          /* the native call will refuse the arguments */
    REASON_NOT_APPLICABLE,   /* no engine that may serve fits this call */
    REASON_OVERSUBSCRIBED,   /* some node has more ranks than usable cores */
    REASON_NO_CONTEXT,       /* MPI's context ids, or Pleach's share of them, are used up */
    REASON_NO_MEMORY,        /* some rank could not get memory */
    REASON_NO_SHARED_MEMORY, /* the ranks of a node cannot share memory */
    REASON_RULE,             /* a rule of PLEACH_RULES says so */
    REASON_BAD_RULES,        /* the file of rules has an error */
    REASON_OTHER_JOB,        /* ranks of another job take part; they may not have loaded Pleach */
    REASONS
};

struct facts {
    enum collective collective;
    enum op_class op;
    bool symmetric;       /* for OP_ROUNDS: swapped operands give the same bits, as in sums, but not in minima of 0 and -0 */
    enum reason barred;   /* why no engine may serve this communicator, else REASON_NONE; all ranks have agreed on it */
    int ranks;            /* p, the size of the communicator, >= 1 */
    int root;             /* the rank of the root; 0 if the call has none */
    int roots;            /* as in struct shape; 0 unless the call is a stage of a composed call */
    enum readers readers; /* as in struct shape; READERS_ALL unless the call is such a stage */
    int reader;           /* as in struct shape; 0 unless the call is such a stage */
    struct ports ports;   /* as in struct shape; 0 unless the call is such a stage */
    int64_t bytes;        /* m: bytes of the message without gaps; equal on all ranks, as MPI wants equal type signatures */
    int64_t units;        /* indivisible pieces of the message: bytes for a broadcast, else elements */
    const struct machine *machine; /* where the ranks are; NULL in kept copies alone */
};

/* Does the order in which operands meet change the bits of the result? */
bool facts_order_counts(const struct facts *f);

/*
 * May an engine number the ranks by nodes, instead of by their ranks in the communicator? In a sum that rounds, another
 * order changes bits, but runs on the same nodes have the same order. The result of a scan depends on the order of ranks,
 * and so does that of a user's operation that is not commutative.
 */
bool facts_any_order(const struct facts *f);

/* The origin of the places that engines of a call work with. Measured places may not decide about bits. */
enum source facts_source(const struct facts *f);

/*
 * A band is the numbers with the same four leading binary digits: 1, 2 .. 15, 16-17, 18-19 .. 30-31, 32-35 .. Sizes of one
 * band have one class on the axis of sizes, and calls that differ in such sizes alone have one kind. Returns the bits in
 * which numbers of this number's band differ.
 */
static inline int64_t band_bits(int64_t n)
{
    const int digits = 64 - __builtin_clzll((unsigned long long)n | 1);
    return digits > 4 ? (INT64_C(1) << (digits - 4)) - 1 : 0;
}

/* The units of the message that `bytes` have room for; at least one. The message has at least one byte. */
static inline int64_t facts_units_in(const struct facts *f, int64_t bytes)
{
    const int64_t unit = f->bytes / f->units;
    return bytes > unit ? bytes / unit : 1;
}

/* The same call with another number of units. The message has at least one byte. */
static inline struct facts facts_with_units(const struct facts *f, int64_t units)
{
    struct facts other = *f;
    other.units = units;
    other.bytes = units * (f->bytes / f->units);
    return other;
}

/* Returns the word for a reason, as the column `reason` of records has it. */
const char *reason_word(enum reason r);

/* Returns the word for a class of operations in rules, options and tables; NULL behind the last class. */
const char *op_word(int o);

/* Returns the place of a root, and the word for such a place in rules; NULL behind the last place. */
enum root_place root_place(int root, int ranks);
const char *root_word(int r);
