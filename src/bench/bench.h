/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program pleach-mpi opens an MPI library, and the module of this room that is compiled for its interface, in the
 * folder pleach. A module exports one variable, pleach_bench, of this type.
 */
#pragma once

struct bench {
    const char *version; /* of Pleach */

    /*
     * Does what main() does with these arguments. `find` looks up a function or an object of the MPI library. Returns the
     * exit status.
     */
    int (*work)(void *(*find)(const char *name), int argc, char **argv);
};

#define BENCH_SYMBOL "pleach_bench"

/* The option that names the MPI library. */
#define BENCH_LIBRARY "mpi-library"

/* The subcommand of pleach-mpi that prints the path of the MPI library. */
#define BENCH_WHICH "library"
