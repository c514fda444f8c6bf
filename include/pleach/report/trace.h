/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes calls in Chrome's trace event format (JSON Array of an object), which Perfetto and chrome://tracing read: a track
 * for each rank, a slice for each call.
 */
#pragma once

#include "job.h"

struct traced {
    int rank;
    double start, seconds; /* start: by the clock of all ranks */
    double waited;         /* seconds; < 0: unknown */
    enum collective collective;
    int64_t bytes, stands_for; /* stands_for: calls, of which this one is a sample */
    int engine, would;         /* rows of engines[]; would: in a dry run, else the same */
    enum reason reason;
    const char *site; /* or NULL */
};

/* `note` says what is missing, or is "". The calls come in any order. */
void trace_begin(FILE *f, const char *command, const char *note);
void trace_rank(FILE *f, int rank, const char *host);
void trace_call(FILE *f, const struct traced *c);
void trace_end(FILE *f);
