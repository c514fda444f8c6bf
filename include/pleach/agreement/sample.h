/* SPDX-License-Identifier: BSD-2-Clause */
/* A sample is the time of work that all ranks of a communicator do together. It also says whether this time is credible. */
#pragma once

#include "collective.h"
#include "limit.h"
#include "pmpi.h"

/* The work that is timed. */
struct measurement {
    MPI_Comm comm;
    char *out, *in;                      /* buffers */
    int to, from;                        /* neighbours in a ring or line; MPI_PROC_NULL if there is none */
    enum collective collective;          /* of a native call */
    int bytes;                           /* of a message */
    int messages;                        /* of a stream */
    void (*once)(struct measurement *w); /* does the work */
    double extra;                        /* seconds left for further batches after a disturbance; the same on all ranks */
    struct limit *limit;                 /* on the time of all measuring */
};

struct sample {
    double seconds; /* of one repetition on the slowest rank, in the fastest batch */
    bool noisy;     /* no second batch came close to the fastest one, or no time was left for it */
};

/*
 * Collective over w->comm. Times the work in batches, each of which repeats the work `least` to `most` times. If the batches
 * differ too much, adds further batches, for which it takes time from w->extra. Leaves out work for which w->limit has no
 * time left. The result is the same on all ranks.
 */
struct sample sample_measure(struct measurement *w, int least, int most);
