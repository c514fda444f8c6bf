/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills the record of a call. */
#ifndef PLEACH_RECORDING_H
#define PLEACH_RECORDING_H

#include "serving.h"

/* Begins the record, before the call runs. `caller`: the call's return address. */
void recording_begin(struct record *r, void *caller);

/* The call runs now. Restarts its clock in a dry run: the time until now is Pleach's, and the report counts it apart. */
void recording_run(struct record *r);

/* After the call: fills the record, and adds it to the log and the report. `valid`: the call's arguments are valid. */
void recording_end(struct record *r, const struct serving *s, bool valid);

#endif
