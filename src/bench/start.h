/* SPDX-License-Identifier: BSD-2-Clause */
/* The start of a job. */
#ifndef PLEACH_START_H
#define PLEACH_START_H

/* Starts MPI and the library, measures what holds for all calls; ends the job where there is nothing to measure. */
void start_job(void);

#endif
