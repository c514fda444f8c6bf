/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exact sums: with PLEACH_SUMS=exact, a sum of floating-point numbers is made as sums of integers (digits.h), by calls of
 * the same collective on the same communicator, each served as any call. A short message takes one such call. For a longer
 * one the ranks first agree on the digits that its numbers need; then each part of some MiB takes a call.
 *
 * All ranks make a sum exactly, or none does. So it takes a communicator whose ranks have compared their settings.
 */
#pragma once

#include "call.h"
#include "digits.h"
#include "host_copy.h"

/* A sum that is made exactly. */
struct exact {
    struct call part; /* the next call to make, on integers */
    int error;        /* the caller sets it to what that call has returned */

    /* The other fields are set by exact_begin(). */
    struct comm *comm;
    struct view view;        /* of the program's call */
    struct digits full;      /* the digits of all numbers, unless there are ranges */
    struct bit_range *range; /* of each block; NULL: there are none */
    int64_t block;           /* numbers of a block, but for the last one */
    int64_t numbers, done;   /* of the message; those of earlier parts */
    int64_t *in, *out;       /* words of this part */
    struct host_copy source, result;
    int unread;     /* MPI_SUCCESS, or the error that keeps this rank from reading its numbers */
    bool reads;     /* this rank contributes */
    bool writes;    /* this rank gets a result */
    double seconds; /* beside the parts; counted only for a report */
};

/*
 * Takes memory for sums, if the settings ask for exact ones. Returns false if memory is short. Call it before ranks compare
 * their settings: a rank without it must tell them.
 */
bool exact_open(void);

/*
 * Begins a sum. Returns false if the call is to be served as it is: it is no sum of floating-point numbers, its arguments
 * are invalid, or sums on this communicator are plain; then a line has said why, once.
 */
bool exact_begin(struct exact *x, const struct call *c, struct comm *comm);

/* Takes the result of the part that has been made, if there is one. Returns true if x->part is to be made now. */
bool exact_next(struct exact *x);

/* Ends the sum, and returns its error. The communicator may be gone if a part has failed. */
int exact_end(struct exact *x);
