/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a rank keeps of a communicator's calls. In a call like an earlier one, only the cut is new: all arguments but buffers
 * and count are the same, and one answer holds. Ranks may keep different calls.
 */
#pragma once

#include "decision.h"
#include "operation.h"

/* The program's arguments without buffers; handles as numbers. */
struct memo_key {
    int64_t count;
    uintptr_t datatype, op; /* 0 for broadcast */
    int collective, root;
    bool in_place; /* IN is MPI_IN_PLACE */
};

struct memo_entry {
    struct answer answer;       /* first: a pointer to it is one to the whole */
    struct memo_key key;        /* `count`: of the latest call, for which all is cut */
    int64_t size;               /* of an element, in bytes; 0: no answer */
    struct memo_entry *next;    /* found after this one; or NULL */
    int64_t least, most;        /* the counts for which it serves; all have one band_bits() */
    struct operation operation; /* of the answer's engine, if answer.prepared */
    bool ready;                 /* the operation fits the datatype, and has its memory */
    bool valid;                 /* calls with these arguments are valid, and the fields below are set */
    uint64_t life;              /* of the datatype: the fields below hold as long as type_lives() says */
    int renewed;                /* calls in a row with a datatype whose end nobody would tell */
    const void *in, *out;       /* as the program has passed them */
    struct view view;
};

static inline struct memo_entry *memo_entry_with(struct answer *a)
{
    return (struct memo_entry *)a;
}

/* All zero at first. */
struct memo {
    struct memo_entry *latest; /* the entry found or taken last; or NULL */
    struct memo_entry first;   /* taken for others, too, if memory is short */
    bool begun;                /* `first` is in use */
    struct memo_entry **slot;  /* hash table of the others; or NULL */
    int used;
};

/* The answer is for a call with this count: extends the entry to all counts for which it holds. */
void memo_extend(struct memo_entry *x, int64_t count);

/* What is kept of such calls, or NULL. */
struct memo_entry *memo_find(struct memo *m, const struct memo_key *key);

/* The same, or an empty place for such calls; other calls may lose their places. */
struct memo_entry *memo_place(struct memo *m, const struct memo_key *key);

void memo_free(struct memo *m);
