/* SPDX-License-Identifier: BSD-2-Clause */
/* A module for an interface of MPI, which pleach-mpi opens, exports pleach_bench of this type. */
#pragma once

struct bench {
    const char *version;

    /* As main(). `find`: a symbol of the MPI library. Returns the exit status. */
    int (*work)(void *(*find)(const char *name), int argc, char **argv);
};

#define BENCH_SYMBOL "pleach_bench"

/* Names the MPI library. */
#define BENCH_LIBRARY "mpi-library"

/* Prints its path. */
#define BENCH_WHICH "library"
