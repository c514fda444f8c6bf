/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libpleach.so is the front: it defines the MPI_ functions, finds the MPI library that a program uses, and opens the part
 * that is compiled for the binary interface of this MPI library. Then the part serves the calls. A part is a library in the
 * folder pleach. It exports one variable, pleach_part, of this type, and shares no other structure with the front.
 */
#pragma once

#include "native.h"
#include "others.h"

#include <stddef.h>

/* A call of a Fortran function: the arguments as the program passed them, by reference. */
struct fortran_call {
    bool described; /* in and out are descriptors of arrays, which may be sections */
    bool large;     /* *count is an MPI_Count */
    enum collective collective;
    void *in, *out;
    const void *count;
    const int *type, *op, *root, *comm; /* NULL if the collective has no such argument */
    int *error;                         /* NULL if the caller has left it out */
};

/* In all functions, `caller` is the return address of the intercepted call. */
struct part {
    const char *version; /* of Pleach: front and part have the same one */
    size_t size;         /* of this struct */

    /*
     * Called first, once. `find` looks up a function or an object of the MPI library, and returns NULL if the library has
     * none of this name. Returns false if the part cannot serve this MPI library; then no other function is called.
     */
    bool (*open)(void *(*find)(const char *name));

    /* Serves a call, by an engine or natively. Returns the MPI function's return value. */
    int (*call)(const struct call *c, void *caller);

    /*
     * Serves a call of a Fortran function. Returns false if the MPI library's own Fortran function must do so. NULL: that
     * function calls the C function.
     */
    bool (*fortran)(const struct fortran_call *c, void *caller);

    /* The program has initialized MPI or opened a session. Does what can be done before a call. */
    void (*initialized)(void);

    /* The program opens a session (`more` is 1) or closes one (-1); see library.h. */
    void (*sessions)(int more);

    /* Counts a call that libpleach-others.so has made with success; see others.h. */
    void (*other)(enum other which, bool large, const argument *arguments, double seconds);

    /*
     * The process ends, and may have ended MPI. `taker` names the file of code that takes calls before the front sees them,
     * or returns NULL.
     */
    void (*end)(const char *(*taker)(void));
};

#define PART_SYMBOL "pleach_part"
