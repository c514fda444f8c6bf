/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a rank keeps of the calls on a communicator, so that a call like an earlier one makes nothing anew. Calls are alike
 * if all arguments but the buffers are the same. Ranks may keep different calls.
 */
#ifndef PLEACH_MEMO_H
#define PLEACH_MEMO_H

#include "decision.h"
#include "index.h"
#include "operation.h"

/* The arguments of a call as the program passes them, as numbers where they are handles. */
struct given {
    const void *in, *out;
    int64_t count;
    uintptr_t datatype, op; /* op: 0 for broadcast */
    int collective, root;
};

/*
 * The operation of a kept answer, prepared for the latest call with this answer. If `lasts` is true, a later call with the
 * same arguments is valid, and the operation fits that call, provided that its datatype and its MPI_Op are still the same.
 */
struct prepared {
    struct operation operation; /* ready to run, if an engine serves the answer; see serving.c */
    struct view view;           /* of the latest call */
    struct given given;         /* by the latest call */
    uint64_t freed;             /* types_freed at the time of the latest call */
    bool lasts;                 /* the call was valid, and got all memory */
};

/* A call that MPI has accepted; see note_accepted() and still_valid(). */
struct accepted {
    struct given given;
    uint64_t freed;     /* the datatype lives as long as sizes_freed has this value; FREED_UNKNOWN: nothing is known of it */
    struct facts facts; /* of this call; facts.ranks is 0 if there was no such call */
    bool valid;         /* the arguments are known to be valid */
};
#define FREED_UNKNOWN UINT64_MAX

struct memo_key {
    int64_t count;
    uintptr_t datatype, op; /* as in struct given */
    int collective, root;
    bool in_place; /* the send buffer is MPI_IN_PLACE */
};

/* What is kept of one kind of calls. */
struct memo_entry {
    struct answer answer; /* the first field: the answer's address is that of the whole */
    struct memo_key key;
    struct prepared prepared;
    struct accepted accepted; /* the latest such call that MPI has accepted */
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
    struct index index;        /* of kept[0 .. used-1] */
    struct memo_entry **kept;
    int64_t made, used; /* entries of kept[]: with memory, in use */
};

/* Returns what is kept of such calls, or NULL. */
struct memo_entry *memo_find(struct memo *m, const struct memo_key *key);

/* Returns the same, or a place for it that is empty. Other calls may lose their places. */
struct memo_entry *memo_take(struct memo *m, const struct memo_key *key);

void memo_free(struct memo *m);

#endif
