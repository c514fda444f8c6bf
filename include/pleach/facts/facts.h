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

enum reason {
    REASON_NONE,
    REASON_MODEL,
    REASON_LEARNED,
    REASON_TRIAL,
    REASON_FORCED,
    REASON_RANDOM,
    REASON_NATIVE_FASTER, /* by the model, no engine is faster by enough */
    REASON_BELOW_THRESHOLD,
    REASON_DISABLED,
    REASON_BAD_SETTING,
    REASON_MISMATCH, /* builds, settings or numbers of calls differ between ranks */
    REASON_INTERCOMM,
    REASON_ONE_RANK,
    REASON_ZERO_BYTES,
    REASON_INVALID,          /* the native call will refuse the arguments */
    REASON_NOT_APPLICABLE,   /* no engine that may serve fits */
    REASON_OVERSUBSCRIBED,   /* a node has more ranks than usable cores */
    REASON_NO_CONTEXT,       /* MPI's context ids, or Pleach's share, are used up */
    REASON_NO_MEMORY,        /* on some rank */
    REASON_NO_SHARED_MEMORY, /* on some node */
    REASON_RULE,
    REASON_BAD_RULES,
    REASON_OTHER_JOB, /* whose ranks may not have loaded Pleach */
    REASONS
};

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
