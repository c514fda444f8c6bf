/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills the record of a call. */
#pragma once

#include "serving.h"

/* Begins the record, before the call runs. `caller`: return address. */
void call_record_begin(struct record *r, void *caller);

/* In a dry run, restarts the clock: the time until now is Pleach's. */
void call_record_run(struct record *r);

struct served {
    int64_t bytes;
    struct plan plan;
    const struct engine *runs; /* in a dry run native */
    struct expected expected;
    bool valid;
};

/* Sets both times by trials, if they have measured both. */
void call_record_expect(struct kind *k, const struct facts *f, const struct engine *e, struct expected *expected);

struct served call_record_served(const struct decision *d, bool valid);

/* Fills the record after the call, for log and report. */
void call_record_end(struct record *r, const struct call *c, struct comm *comm, const struct served *o);
