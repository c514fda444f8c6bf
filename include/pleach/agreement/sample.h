/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample: the time of work that all ranks do together, and whether it is credible. */
#pragma once

#include "collective.h"
#include "limit.h"
#include "pmpi.h"

struct measurement {
    MPI_Comm comm;
    char *out, *in;
    int to, from; /* neighbours in a ring or line, or MPI_PROC_NULL */
    enum collective collective;
    int bytes;
    int messages;
    void (*once)(struct measurement *w);
    double extra; /* seconds left for batches after a disturbance; the same on all ranks */
    struct limit *limit;
};

struct sample {
    double seconds; /* of one repetition on the slowest rank, in the fastest batch */
    bool noisy;     /* no second batch came close, or had time */
};

/*
 * Collective over w->comm, with the same result on all ranks. Times batches of `least` to `most` repetitions, further ones
 * from w->extra if they differ too much. Leaves out what w->limit has no time for.
 */
struct sample sample_measure(struct measurement *w, int least, int most);
