/* SPDX-License-Identifier: BSD-2-Clause */
/* Samples: how long work takes that all ranks of a communicator do together, and whether that time is credible. */
#ifndef PLEACH_SAMPLE_H
#define PLEACH_SAMPLE_H

#include "limit.h"
#include "pmpi.h"

/* The work that is timed. */
struct measurement {
    MPI_Comm comm;
    char *out, *in;                      /* buffers */
    int to, from;                        /* ring; MPI_PROC_NULL: the rank takes no part */
    int bytes;                           /* of a message */
    int messages;                        /* of a stream */
    void (*once)(struct measurement *w); /* does the work */
    double extra;                        /* seconds left for repeating disturbed batches; the same on all ranks */
    struct limit *limit;                 /* of all that is measured */
};

struct sample {
    double seconds; /* of the slowest rank, in the fastest batch */
    bool noisy;     /* no second batch came close to that, or there was no time for them */
};

/*
 * Collective over w->comm: times the work in batches, each of which repeats it `least` to `most` times. If they differ too
 * much, it adds more, out of w->extra. It leaves out work for which w->limit has no time. The same on all ranks.
 */
struct sample sample_take(struct measurement *w, int least, int most);

#endif
