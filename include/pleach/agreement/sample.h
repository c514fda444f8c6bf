/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample: the time of work that all ranks do together, and whether it is credible. */
#pragma once

#include "collective.h"
#include "limit.h"
#include "pmpi.h"

/* The work that is timed. */
struct measurement {
    MPI_Comm comm;
    char *out, *in;
    int to, from;               /* neighbours in a ring or line, or MPI_PROC_NULL */
    enum collective collective; /* of a native call */
    int bytes;                  /* of a message */
    int messages;               /* of a stream */
    void (*once)(struct measurement *w);
    double extra;        /* seconds left for further batches after a disturbance; the same on all ranks */
    struct limit *limit; /* on the time of all measuring */
};

struct sample {
    double seconds; /* of one repetition on the slowest rank, in the fastest batch */
    bool noisy;     /* no second batch came close to the fastest one, or had time */
};

/*
 * Collective over w->comm, with the same result on all ranks. Times batches of `least` to `most` repetitions; if these
 * differ too much, adds further ones, for which it takes time from w->extra. Leaves out what w->limit has no time for.
 */
struct sample sample_measure(struct measurement *w, int least, int most);
