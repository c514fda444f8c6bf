/* SPDX-License-Identifier: BSD-2-Clause */
/* What the record of a call says, from the call. */
#ifndef PLEACH_RECORDING_H
#define PLEACH_RECORDING_H

#include "serving.h"

/* Before the call is made. `caller`: its return address. */
void recording_begin(struct record *r, void *caller);

/* Once more, when it is prepared: of a dry run, in which preparing is no part of the call. Tells the report what it took. */
void recording_begin_dry(struct record *r);

/* After it: fills the record, and adds it to the log and the report. `valid`: its arguments are. */
void recording_end(struct record *r, const struct serving *s, bool valid);

#endif
