/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions that Pleach intercepts, and all that libpleach.so exports (exports.sh). Collectives also with _c. */
#pragma once

/*
 * X(name, Fortran's name, collective, number of parameters, and which are in, out, count, datatype, op, root, comm; 0: none)
 */
/* clang-format off */
#define SERVED(X) \
    X(Bcast,     bcast,     COLL_BCAST,     5,  0, a1, a2, a3,  0, a4, a5) \
    X(Reduce,    reduce,    COLL_REDUCE,    7, a1, a2, a3, a4, a5, a6, a7) \
    X(Scan,      scan,      COLL_SCAN,      6, a1, a2, a3, a4, a5,  0, a6) \
    X(Exscan,    exscan,    COLL_EXSCAN,    6, a1, a2, a3, a4, a5,  0, a6) \
    X(Allreduce, allreduce, COLL_ALLREDUCE, 6, a1, a2, a3, a4, a5,  0, a6)

/* A row of a table [COLLECTIVES][2]; [1] is the form for large counts. */
#define NATIVE_NAMES(name, fortran, collective, ...) [collective] = {"PMPI_" #name, "PMPI_" #name "_c"},

/* X(name, Fortran's name, numbers of parameters in C and Fortran): MPI has begun afterwards. */
#define INITIALIZERS(X) \
    X(Init,        init,        2, 1) \
    X(Init_thread, init_thread, 4, 3)

/* X(name, parameters, sessions opened) */
#define SESSIONS(X) \
    X(Session_init,     3,  1) \
    X(Session_finalize, 1, -1)
/* clang-format on */

#define P1(type) type a1
#define P2(type) P1(type), type a2
#define P3(type) P2(type), type a3
#define P4(type) P3(type), type a4
#define P5(type) P4(type), type a5
#define P6(type) P5(type), type a6
#define P7(type) P6(type), type a7
#define P8(type) P7(type), type a8
#define P9(type) P8(type), type a9
#define P10(type) P9(type), type a10
#define A1 a1
#define A2 A1, a2
#define A3 A2, a3
#define A4 A3, a4
#define A5 A4, a5
#define A6 A5, a6
#define A7 A6, a7
#define A8 A7, a8
#define A9 A8, a9
#define A10 A9, a10

/* mpi.h declares narrower arguments, so definitions have names of our own. */
#define EXPORT(name) __asm__(name) __attribute__((visibility("default")))

/* Without an MPI library: MPI_ERR_INTERN or MPI_ERR_OTHER. */
enum { FAILED = 16 };
