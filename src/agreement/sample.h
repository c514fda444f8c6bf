/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples: how long something takes that all ranks of a communicator do together, and whether that can be believed. */
#ifndef PLEACH_SAMPLE_H
#define PLEACH_SAMPLE_H

#include "limit.h"
#include "pmpi.h"

/* What is timed. */
struct measurement {
    MPI_Comm comm;
    char *out, *in;                      /* buffers */
    int to, from;                        /* ring; MPI_PROC_NULL for who does not take part */
    int bytes;                           /* of a message */
    int messages;                        /* of a stream */
    void (*once)(struct measurement *w); /* does it */
    double extra;                        /* seconds that are left for what is disturbed; the same on all ranks */
    struct limit *limit;                 /* of all that is measured */
};

struct sample {
    double seconds; /* of the slowest rank, in the fastest batch */
    bool noisy;     /* no two batches came close to that, or there was no time for them */
};

/*
 * Collective over w->comm: times the work in batches, each of which repeats it `least` to `most` times. Where they differ
 * too much, it adds more, out of w->extra. What w->limit has no time for is left out. The same on all ranks.
 */
struct sample sample_take(struct measurement *w, int least, int most);

#endif
