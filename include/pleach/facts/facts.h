/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Facts: what every rank of a communicator knows about one collective call, with the same values. So a choice from facts and
 * agreed settings is the same on all ranks. The view has what may differ (buffers, datatypes, MPI_IN_PLACE); this room never
 * sees it.
 *
 * describe() sets all fields, for a stage stage_facts() and make_stage(); later only the machine changes.
 */
#pragma once

#include "engine.h"
#include "machine.h"

#include <stdint.h>

enum op_class {
    OP_NONE,
    OP_EXACT,  /* commutative, the same bits in any order */
    OP_ROUNDS, /* commutative, but the order changes bits, as in floating point */
    OP_ORDERED /* user-defined, whatever the commute flag says */
};

/* A call without a root has ROOT_FIRST. */
enum root_place { ROOT_FIRST, ROOT_LAST, ROOT_INSIDE };

/* X(name, the word in records, the text in reports). */
/* clang-format off */
#define REASONS_OF_PLANS(X) \
    X(NONE, "none", "of other calls, for which the tables had no room") \
    X(MODEL, "model", "the model predicts that the engine is the fastest") \
    X(LEARNED, "learned", "the engine was the fastest in earlier calls like this one") \
    X(TRIAL, "trial", "the call was a trial of the engine") \
    X(FORCED, "forced", "PLEACH_ENGINE names the engine") \
    X(RANDOM, "random", "PLEACH_ENGINE=random:SEED drew the engine") \
    X(NATIVE_FASTER, "native-faster", "the model finds no engine that is clearly faster than the native call") \
    X(BELOW_THRESHOLD, "below-threshold", "the message is smaller than PLEACH_THRESHOLD") \
    X(DISABLED, "disabled", "PLEACH_DISABLE is set") \
    X(BAD_SETTING, "bad-setting", "a setting is not understood on some rank") \
    X(MISMATCH, "mismatch", "settings, or Pleach itself, differ between ranks, or ranks do not make the same calls") \
    X(INTERCOMM, "intercomm", "the call is between two groups of ranks") \
    X(ONE_RANK, "one-rank", "the communicator has one rank") \
    X(ZERO_BYTES, "zero-bytes", "the message is empty") \
    X(INVALID, "invalid", "the MPI library refuses the arguments") \
    X(NOT_APPLICABLE, "not-applicable", "none of the engines that may serve fits the call") \
    X(OVERSUBSCRIBED, "oversubscribed", "some node has more ranks than cores") \
    X(NO_CONTEXT, "no-context", "MPI has no communicator left for Pleach") \
    X(NO_MEMORY, "no-memory", "some rank could not get memory") \
    X(NO_SHARED_MEMORY, "no-shared-memory", "the engines that may serve need memory that ranks of a node share") \
    X(RULE, "rule", "a rule of PLEACH_RULES names the engine") \
    X(BAD_RULES, "bad-rules", "the rules cannot be read, or have an error") \
    X(OTHER_JOB, "other-job", "the communicator has ranks of another job")
/* clang-format on */
#define REASON_NUMBER(name, word, text) REASON_##name,
enum reason { REASONS_OF_PLANS(REASON_NUMBER) REASONS };
#undef REASON_NUMBER

struct facts {
    enum collective collective;
    enum op_class op;
    bool symmetric;     /* of OP_ROUNDS: swapped operands give the same bits; not so in minima of 0 and -0 */
    enum reason barred; /* why no engine may serve this communicator, else REASON_NONE; agreed */
    int ranks;
    int root;  /* 0 if the call has none */
    int roots; /* as in struct shape, like the next three; 0 unless in a stage of a composed call */
    enum readers readers;
    int reader;
    struct ports ports;
    int64_t bytes;                 /* m: bytes without gaps; equal on all ranks, as MPI wants equal type signatures */
    int64_t units;                 /* bytes for a broadcast, else elements */
    const struct machine *machine; /* NULL in kept copies alone */
};

/* Does the order of operands change bits? */
bool facts_order_counts(const struct facts *f);

/*
 * May an engine number the ranks by nodes? Not if the operation need not commute, nor if the result of a scan depends on the
 * order. In a sum that rounds this changes bits, but not between runs on the same nodes.
 */
bool facts_any_order(const struct facts *f);

/* The origin of the places for this call. Measured places may not decide about bits. */
enum source facts_source(const struct facts *f);

/*
 * A band is the numbers with the same four leading binary digits: 1, 2 .. 15, 16-17, .. 30-31, 32-35 .. Calls whose sizes
 * have one band have one kind. Returns the bits in which numbers of n's band differ.
 */
static inline int64_t band_bits(int64_t n)
{
    const int digits = 64 - __builtin_clzll((unsigned long long)n | 1);
    return digits > 4 ? (INT64_C(1) << (digits - 4)) - 1 : 0;
}

/* The units for which `bytes` have room, at least one. For a message of at least one byte, as the next function. */
static inline int64_t facts_units_in(const struct facts *f, int64_t bytes)
{
    const int64_t unit = f->bytes / f->units;
    return bytes > unit ? bytes / unit : 1;
}

static inline struct facts facts_with_units(const struct facts *f, int64_t units)
{
    struct facts other = *f;
    other.units = units;
    other.bytes = units * (f->bytes / f->units);
    return other;
}

/* The word for a reason, as in the column `reason` of records. */
const char *reason_word(enum reason r);

/* The word for a class, as in rules, options and tables; NULL behind the last. */
const char *op_word(int o);

/* The place of a root; its word in rules, NULL behind the last. */
enum root_place root_place(int root, int ranks);
const char *root_word(int r);
