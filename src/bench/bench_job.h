/* SPDX-License-Identifier: BSD-2-Clause */
/* The running job: its start, its communicator, and its voice, which is that of rank 0. */
#ifndef PLEACH_BENCH_JOB_H
#define PLEACH_BENCH_JOB_H

#include "comm.h"
#include "options.h"

struct bench_job {
    struct comm *comm; /* MPI_COMM_WORLD, with private communicator, settled */
    int ranks;
    char mpi[80];           /* the MPI library */
    double beta;            /* seconds per byte of one large one-way transfer */
    int interrupted;        /* the signal that some rank got, the same on all ranks; 0: none */
    char *const *arguments; /* of the subcommand, NULL behind the last */
};

extern struct bench_job job;

/* Starts MPI and the library; ends the job where no engine may serve. */
void start_library(void);

/* After that, measures what holds for all calls; ends the job where nothing can be measured. */
void start_job(void);

/* Collective: measures the machine, however long that takes, and tells the log. Ends the job where memory is short. */
void job_measure(void);

/* Collective: the job ends, rank 0 says why. */
_Noreturn void job_stop(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Collective: the same, but only if rank 0 has a reason; "" is none. */
void job_check(const char *why);

/* One rank alone cannot go on: it says why, and the whole job is aborted. */
_Noreturn void job_abort(const char *why);

/* Memory for `count` things, kept from `old` (may be NULL); the job is aborted where there is none. */
void *job_memory(void *old, int64_t count, size_t size);

/*
 * SIGINT and SIGTERM end the job at the next start that ranks agree on (clock_time()); what was done is kept. From
 * interrupt_watch() on, the first of these signals is only noted. A second one, some time later, has its usual effect.
 * interrupt_signal(): what this rank got, or 0.
 */
void interrupt_watch(void);
int interrupt_signal(void);

/* The exit status of a job that was interrupted. */
int job_interrupted_status(void);

/*
 * The progress line: on a terminal alone, by rank 0 alone. Shows what is being done, how much is done, of 1, and after how
 * many seconds; or is cleared, and then standard output may be written. What was written there is sent before the next line.
 */
void progress(double done, double elapsed, const char *format, ...) __attribute__((format(printf, 3, 4)));
void progress_end(void);
void progress_after_output(void);

/* What the subcommands do; return the exit status. */
int tune(void);
int bench(void);
int figures(void);
int places(void);

/* After MPI_Finalize, on rank 0: prints what places() has found. */
void places_write(void);

#endif
