/* SPDX-License-Identifier: BSD-2-Clause */
/* The running job: its start, its communicator, and the messages that rank 0 writes for all ranks. */
#pragma once

#include "bench_mpi.h"
#include "comm.h"
#include "options.h"

struct bench_job {
    struct comm *comm; /* MPI_COMM_WORLD; it has its private communicator and knows its nodes */
    int ranks;
    char mpi[80];           /* the MPI library */
    bool disturbed;         /* other work disturbs times, or has disturbed the figures; the same on all ranks */
    double beta;            /* seconds per byte of one large one-way transfer */
    int interrupted;        /* number of the signal that some rank has got, the same on all ranks; 0: no signal */
    char *const *arguments; /* the arguments of the subcommand; the last one is NULL */
};

extern struct bench_job job;

/* Starts MPI and the library. Ends the job if the library cannot start, if there is one rank, or if no engine may serve. */
void start_library(void);

/*
 * Follows start_library(). Measures beta and, if there are enough cores, the machine. Ends the job if --root is no rank, or
 * if cores are too few and --force is not given.
 */
void start_job(void);

/* Collective: measures the machine without a time limit, and logs the figures. Ends the job if memory is short. */
void job_measure(void);

/* Collective: rank 0 writes the message, and the job ends. */
_Noreturn void job_stop(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Collective: the job ends. A message has said why. */
_Noreturn void job_end(int status);

/* Collective: rank 0's `why` counts. If it is not "", rank 0 writes it, and the job ends. */
void job_check(const char *why);

/* Not collective: a rank that cannot go on writes its reason, and aborts the whole job. */
_Noreturn void job_abort(const char *why);

/*
 * Resizes `old`, or allocates memory if `old` is NULL: `count` items of `size` bytes. The caller frees the result. Aborts
 * the job if memory is short.
 */
void *job_memory(void *old, int64_t count, size_t size);

/*
 * interrupt_watch() watches for SIGINT and SIGTERM. From then on, the first signal is only noted. interrupt_signal() returns
 * the signal that this rank has got, or 0. Before each repetition, the ranks agree on whether a signal has come (see
 * clock_time()). If so, the job ends, and keeps what it has measured. A second signal, more than half a second after the
 * first, ends the process as usual.
 */
void interrupt_watch(void);
int interrupt_signal(void);

/* The exit status of an interrupted job. */
int job_interrupted_status(void);

/* The subcommands; each returns the exit status. */
int tune(void);
int bench(void);
int figures(void);
int places(void);

/* Prints the tree that places() has found. Only rank 0 calls it, after MPI_Finalize. */
void places_write(void);
