/* SPDX-License-Identifier: BSD-2-Clause */
/* The running job. Rank 0 writes for all. */
#pragma once

#include "bench_mpi.h"
#include "comm.h"
#include "options.h"

struct bench_job {
    struct comm *comm; /* MPI_COMM_WORLD, with private communicator and nodes */
    int ranks;
    char mpi[80];
    double beta;     /* seconds per byte of a large one-way transfer */
    int interrupted; /* signal of some rank, the same on all; 0: none */
    char *const *arguments; /* of the subcommand, up to NULL */
};

extern struct bench_job job;

/* Starts MPI and the library. Ends the job if that fails, with one rank, or if no engine may serve. */
void start_library(void);

/*
 * After start_library(): measures beta and, with enough cores, the machine. Ends the job if --root is no rank, or cores are
 * too few without --force.
 */
void start_job(void);

/* Collective. Measures without a limit, and logs figures. Ends the job without memory. */
void job_measure(void);

/* Collective: ends the job with rank 0's message. */
_Noreturn void job_stop(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Collective: ends the job. A message has said why. */
_Noreturn void job_end(int status);

/* Collective. Ends the job with rank 0's `why`, unless "". */
void job_check(const char *why);

/* Not collective: aborts the job. */
_Noreturn void job_abort(const char *why);

/* As realloc(), for `count` items of `size` bytes. Aborts the job if memory is short. */
void *job_memory(void *old, int64_t count, size_t size);

/*
 * SIGINT and SIGTERM are noted once: interrupt_signal() returns it, or 0. Before each repetition the ranks agree
 * (clock_time()): the job ends, and keeps what it has. A second signal, half a second later, ends the process.
 */
void interrupt_watch(void);
int interrupt_signal(void);

int job_interrupted_status(void);

/* Each returns the exit status. */
int tune(void);
int bench(void);
int figures(void);
int places(void);

/* The tree of places(). On rank 0, after MPI_Finalize. */
void places_write(void);
