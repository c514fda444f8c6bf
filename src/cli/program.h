/* SPDX-License-Identifier: BSD-2-Clause */
/* A program that somebody wants to run with Pleach: what can be told of it from its files. It is not run. */
#ifndef PLEACH_CLI_PROGRAM_H
#define PLEACH_CLI_PROGRAM_H

#include "collective.h"
#include "mpis.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum program_kind {
    PROGRAM_MISSING,    /* it cannot be run; `error` tells why */
    PROGRAM_UNREADABLE, /* it can be run, but not read; likewise */
    PROGRAM_SCRIPT,     /* for the program `interpreter` */
    PROGRAM_TEXT,       /* neither that nor an ELF file: a shell runs it, as execvp() says */
    PROGRAM_FOREIGN,    /* for another kind of processor */
    PROGRAM_LIBRARY,    /* a shared library */
    PROGRAM_STATIC,     /* linked statically: nothing can be preloaded */
    PROGRAM_DYNAMIC     /* what follows is about these alone */
};

struct program {
    enum program_kind kind;
    int error;                  /* errno */
    char path[PATH_MAX];        /* the file */
    char interpreter[PATH_MAX]; /* of a script, or the loader */
    bool privileged;            /* set-user-ID and the like: the loader ignores LD_PRELOAD */
    bool linked_in;             /* a program that has MPI inside, linked statically, as its debug symbols tell */
    bool known;                 /* its libraries were found, and their symbols could be read */
    char refusal[512];          /* why the loader does not load it: a library is missing; or "" */
    enum mpi mpi;               /* whose library it needs */
    char library[PATH_MAX];     /* of MPI */
    char tool[PATH_MAX];        /* a library, not MPI's, that has such MPI_ functions of its own, or "" */
    unsigned calls;             /* bit c: it, or a library of its own, calls collective c */
    bool starts;                /* it may load libraries, or start programs, that nobody sees beforehand */
};

/* Looks for a program as execvp() does, and into its file and those of its libraries. */
void program_examine(const char *name, struct program *p);

/* Why no call of the program can reach Pleach, in words behind "it is"; NULL: one may. */
const char *program_unserved(const struct program *p);

/* If so, rank 0 says that in a line, and that there will be no `wanted`. */
void program_tell_unserved(const char *name, const struct program *p, const char *wanted);

/* Finds a program as execvp() does, in PATH if its name has no slash: its path. False, and errno. */
bool program_find(const char *name, char path[PATH_MAX]);

/* Does this shared library define a function that Pleach serves? False, too, if it cannot be read. */
bool library_defines_calls(const char *path);

#endif
