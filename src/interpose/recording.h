/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills the record of a call. */
#ifndef PLEACH_RECORDING_H
#define PLEACH_RECORDING_H

#include "serving.h"

/* Before the call is made. `caller`: its return address. */
void recording_begin(struct record *r, void *caller);

/* Called again in a dry run, after preparing, which is no part of the call there. The report gets the time it took. */
void recording_begin_dry(struct record *r);

/* After the call: fills the record, and adds it to the log and the report. `valid`: the call's arguments are. */
void recording_end(struct record *r, const struct serving *s, bool valid);

#endif
