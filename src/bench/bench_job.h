/* SPDX-License-Identifier: BSD-2-Clause */
/* The running job: its start, its communicator, and the messages that rank 0 writes for all ranks. */
#ifndef PLEACH_BENCH_JOB_H
#define PLEACH_BENCH_JOB_H

#include "comm.h"
#include "options.h"

struct bench_job {
    struct comm *comm; /* MPI_COMM_WORLD; it has its private communicator and knows its nodes */
    int ranks;
    char mpi[80];           /* the MPI library */
    double beta;            /* seconds per byte of one large one-way transfer */
    int interrupted;        /* number of the signal that some rank has got, the same on all ranks; 0: none */
    char *const *arguments; /* of the subcommand, NULL behind the last */
};

extern struct bench_job job;

/* Starts MPI and the library; ends the job if no engine may serve. */
void start_library(void);

/* Follows start_library(). Measures the machine and beta; ends the job if ranks outnumber cores or the root is no rank. */
void start_job(void);

/* Collective: measures the machine, however long that takes, and logs the figures. Ends the job if memory is short. */
void job_measure(void);

/* Collective: rank 0 writes the message, and the job ends. */
_Noreturn void job_stop(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Collective: ends the job with rank 0's message `why`, unless that is "". */
void job_check(const char *why);

/* Called by a rank that cannot go on: writes the reason, and aborts the whole job. */
_Noreturn void job_abort(const char *why);

/* Memory for `count` items of `size` bytes, with the contents of `old` (may be NULL). Aborts the job if memory is short. */
void *job_memory(void *old, int64_t count, size_t size);

/*
 * SIGINT and SIGTERM end the job at the next start on which ranks agree (clock_time()). The job keeps what it has measured.
 * After interrupt_watch(), the first of these signals only sets what interrupt_signal() returns: the signal that this rank
 * has got, or 0. A second signal, more than half a second later, ends the process as usual.
 */
void interrupt_watch(void);
int interrupt_signal(void);

/* The exit status of an interrupted job. */
int job_interrupted_status(void);

/*
 * The progress line, which rank 0 writes if standard error is a terminal. progress() shows what the job measures, the part
 * that is done (0 to 1), and an estimate by the seconds that have passed. progress_end() clears the line; rank 0 may write
 * to standard output after it. progress_after_output() sends that output before the next progress line comes.
 */
void progress(double done, double elapsed, const char *format, ...) __attribute__((format(printf, 3, 4)));
void progress_end(void);
void progress_after_output(void);

/* The subcommands; each returns the exit status. */
int tune(void);
int bench(void);
int figures(void);
int places(void);

/* Prints the tree that places() has found. Rank 0 calls it after MPI_Finalize. */
void places_write(void);

#endif
