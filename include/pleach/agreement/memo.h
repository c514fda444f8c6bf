/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a rank keeps of the calls on a communicator, so that a call like an earlier one makes nothing anew. Calls are alike
 * if all arguments but buffers and count are the same, and their counts lie in a range for which one answer holds: then a
 * call makes no more anew than the cut of its message. Ranks may keep different calls.
 */
#pragma once

#include "decision.h"
#include "operation.h"

/* The arguments of a call as the program passes them, but for the buffers; as numbers where they are handles. */
struct memo_key {
    int64_t count;
    uintptr_t datatype, op; /* op: 0 for broadcast */
    int collective, root;
    bool in_place; /* the send buffer is MPI_IN_PLACE */
};

/* What is kept of one kind of calls. */
struct memo_entry {
    struct answer answer;       /* the first field: the answer's address is that of the whole */
    struct memo_key key;        /* its count is that of the latest call: answer, operation and view are cut for it */
    int64_t size;               /* bytes of an element; 0 if there is no answer */
    struct memo_entry *next;    /* the one that was found after this one; NULL: none yet */
    int64_t least, most;        /* the counts of the calls that are kept here; all have one band_bits() */
    struct operation operation; /* of the answer's engine, if answer.prepared */
    bool ready;                 /* the operation fits the datatype and has all memory */
    bool valid;                 /* calls with these arguments and buffers are valid; the next fields are set */
    uint64_t life;              /* the rest of the entry holds as long as this datatype lives; see type_lives() */
    int renewed;                /* calls in a row with a datatype whose end nobody would tell */
    const void *in, *out;       /* the buffers as the program has passed them */
    struct view view;           /* of that call */
};

static inline struct memo_entry *memo_entry_with(struct answer *a)
{
    return (struct memo_entry *)a;
}

/* All zero at first. */
struct memo {
    struct memo_entry *latest; /* the one found or taken last; NULL: none */
    struct memo_entry first;   /* also takes the place of another one if memory is short */
    bool begun;                /* `first` is in use */
    struct memo_entry **slot;  /* a hash table of the others; NULL: there is no memory for it yet */
    int used;                  /* number of entries there */
};

/* Lets an entry serve all counts for which its answer holds. The answer is for a call with this count. */
void memo_extend(struct memo_entry *x, int64_t count);

/* Returns what is kept of such calls, or NULL. */
struct memo_entry *memo_find(struct memo *m, const struct memo_key *key);

/* Returns the same, or a place for it that is empty. Other calls may lose their places. */
struct memo_entry *memo_place(struct memo *m, const struct memo_key *key);

void memo_free(struct memo *m);
