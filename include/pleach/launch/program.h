/* SPDX-License-Identifier: BSD-2-Clause */
/* How Pleach can serve a program, by its files. Does not run it. */
#pragma once

#include "collective.h"
#include "mpis.h"

#include <limits.h>
#include <stdbool.h>

enum program_type {
    PROGRAM_MISSING,    /* cannot be run: `error` */
    PROGRAM_UNREADABLE, /* can be run, not read: `error` */
    PROGRAM_SCRIPT,     /* its first line names `interpreter` */
    PROGRAM_TEXT,       /* no such line, and no ELF file: execvp() runs it by a shell */
    PROGRAM_FOREIGN,    /* for another processor */
    PROGRAM_LIBRARY,    /* or an object file */
    PROGRAM_STATIC,     /* nothing can be preloaded */
    PROGRAM_DYNAMIC
};

struct program {
    enum program_type type;
    int error; /* errno */
    char path[PATH_MAX];
    char interpreter[PATH_MAX]; /* of a script, by its first line; or the loader */
    bool privileged;            /* set-user-ID or the like: the loader ignores LD_PRELOAD */
    bool linked_in;             /* MPI is linked statically, by its symbols */
    bool known;                 /* all symbols were read, those of libraries too */
    char refusal[512];          /* why the loader refuses it; or "" */
    enum mpi mpi;               /* by its library */
    char library[PATH_MAX];     /* of this MPI */
    char tool[PATH_MAX];        /* a library that intercepts calls we serve, or "" */
    char sanitizer[PATH_MAX];   /* of gcc's AddressSanitizer, to be loaded first, or "" */
    unsigned calls;             /* bit c: calls collective c, but for MPI's libraries */
    bool starts;                /* may load libraries or start programs that no file names */
};

/* Examines the program that execvp() would run, and its libraries. */
void program_examine(const char *name, struct program *p);

/* Does it need AddressSanitizer's library, by its own file alone? */
bool program_sanitized(const char *name);

/* Why no call can reach Pleach, after "it is"; or NULL. */
const char *program_unserved(const struct program *p);

/* If so, rank 0 prints the reason, and that there will be no `wanted`. */
void program_tell_unserved(const char *name, const struct program *p, const char *wanted);

/* Writes the path of what execvp() would run. Returns false, with errno, if there is none. */
bool program_find(const char *name, char path[PATH_MAX]);

/* Does this command start the ranks of a job? */
bool program_launches(const char *name);

/* Does the library define a function that Pleach serves? False if unreadable. */
bool library_defines_calls(const char *path);
