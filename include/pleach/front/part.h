/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libpleach.so, the front, defines the MPI_ functions, finds the MPI library, and opens the part for its binary interface,
 * which serves the calls: a library in the folder pleach that exports pleach_part. They share no other structure.
 */
#pragma once

#include "native.h"
#include "others.h"

#include <stddef.h>

/* A call of a Fortran function, with arguments by reference. */
struct fortran_call {
    bool described; /* in and out are descriptors of arrays, perhaps sections */
    bool large;     /* *count is an MPI_Count */
    enum collective collective;
    void *in, *out;
    const void *count;
    const int *type, *op, *root, *comm; /* NULL: the collective has none */
    int *error;                         /* NULL: left out */
};

/* `caller`: the return address of the intercepted call. */
struct part {
    const char *version; /* of Pleach; front and part have the same */
    size_t size;

    /*
     * Called first, once. `find` looks up a function or an object of the MPI library. Returns false if the part cannot serve
     * this library; then no other function is called.
     */
    bool (*open)(void *(*find)(const char *name));

    /* Serves a call, by an engine or natively. Returns what MPI's function returns. */
    int (*call)(const struct call *c, void *caller);

    /* Returns false if MPI's own Fortran function must serve. NULL: that one calls the C function. */
    bool (*fortran)(const struct fortran_call *c, void *caller);

    /* MPI is initialized, or a session opened. Does what can be done before a call. */
    void (*initialized)(void);

    /* Opens a session (1) or closes one (-1); see library.h. */
    void (*sessions)(int more);

    void (*other)(enum other which, bool large, const argument *arguments, double seconds);

    /*
     * The process ends, and may have ended MPI. `taker` names the file of code that takes calls before the front, or returns
     * NULL.
     */
    void (*end)(const char *(*taker)(void));
};

#define PART_SYMBOL "pleach_part"
