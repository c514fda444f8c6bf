/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact sums (PLEACH_SUMS=exact): sums of integers (digits.h), by calls of the same collective on the same communicator,
 * each served as any call. A message is cut into parts. Each part takes a call, with digits for any numbers, or digits on
 * which the ranks have agreed before in a call of their own, or, in an all-reduce, digits guessed from earlier calls. The
 * sum of a guessed part tells whether the guess was right on all ranks; if not, the ranks agree, and make the part anew. All
 * ranks make a sum exactly, or none: they have compared their settings.
 */
#pragma once

#include "call.h"
#include "digits.h"
#include "host_copy.h"

enum exact_digits { DIGITS_FULL, DIGITS_AGREED, DIGITS_GUESSED };

struct exact {
    struct call part; /* the next call, on integers */
    int error;        /* of that call; set by the caller */

    /* Set by exact_begin(). */
    struct comm *comm;
    struct view view;
    struct call sum;         /* a part that sums */
    enum exact_digits which;
    struct digits same;      /* of all numbers, unless agreed */
    struct bit_range *range; /* if agreed, of blocks, from number `first` on */
    struct bit_range seen;   /* of all agreed blocks */
    bool agreeing;           /* the part agrees on ranges */
    int64_t numbers, done;   /* of the message; those of earlier parts */
    int64_t first, agreed;   /* from where to where digits are known */
    int64_t room;            /* most words of a part */
    int64_t *in, *out;       /* words of this part */
    struct host_copy source, result;
    int unread;     /* why this rank cannot read its numbers, or MPI_SUCCESS */
    bool reads;     /* it contributes */
    bool writes;    /* it gets a result */
    double seconds; /* beside the parts, for a report */
};

/*
 * Takes memory for exact sums, if the settings ask for them. Call it before ranks compare settings. Returns false if memory
 * is short: tell the other ranks.
 */
bool exact_open(void);

/*
 * Begins a sum. Returns false if the call is to be served as it is: it is no sum of floating-point numbers, is invalid, or
 * sums here are plain, as a line has said once.
 */
bool exact_begin(struct exact *x, const struct call *c, struct comm *comm);

/* Takes the last part's result. Returns true if x->part is to be made. */
bool exact_next(struct exact *x);

/* Ends the sum, and returns its error. After a failed part, the communicator may be gone. */
int exact_end(struct exact *x);
