/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills the record of a call. */
#pragma once

#include "serving.h"

/* Begins the record, before the call runs. `caller`: the call's return address. */
void call_record_begin(struct record *r, void *caller);

/* The call runs now. Restarts its clock in a dry run: the time until now is Pleach's, and the report counts it apart. */
void call_record_run(struct record *r);

/* How a call was served. */
struct served {
    int64_t bytes;
    struct plan plan;
    const struct engine *runs; /* the engine that served; in a dry run native */
    struct expected expected;
    bool valid; /* the call's arguments are valid */
};

/* Sets the times that a call of this kind should take natively and by the engine, if trials have measured both. */
void call_record_expect(struct kind *k, const struct facts *f, const struct engine *e, struct expected *expected);

/* How a call by this decision was served. */
struct served call_record_served(const struct decision *d, bool valid);

/* After the call: fills the record, and adds it to the log and the report. */
void call_record_end(struct record *r, const struct call *c, struct comm *comm, const struct served *o);
