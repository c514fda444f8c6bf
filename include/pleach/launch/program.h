/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out from a program's files how Pleach can serve it. The program is not run. */
#pragma once

#include "collective.h"
#include "mpis.h"

#include <limits.h>
#include <stdbool.h>

enum program_type {
    PROGRAM_MISSING,    /* it cannot be run; the reason is `error` */
    PROGRAM_UNREADABLE, /* it can be run, but not read; the reason is `error` */
    PROGRAM_SCRIPT,     /* a script whose first line names `interpreter` */
    PROGRAM_TEXT,       /* neither a script with such a line nor an ELF file: execvp() runs it by a shell */
    PROGRAM_FOREIGN,    /* for another kind of processor */
    PROGRAM_LIBRARY,    /* a shared library, or an object file */
    PROGRAM_STATIC,     /* linked statically: nothing can be preloaded */
    PROGRAM_DYNAMIC     /* linked with shared libraries */
};

struct program {
    enum program_type type;
    int error;                  /* errno */
    char path[PATH_MAX];        /* the file */
    char interpreter[PATH_MAX]; /* of a script: the program of its first line; of a dynamic program: its loader */
    bool privileged;            /* set-user-ID and the like: the loader ignores LD_PRELOAD */
    bool linked_in;             /* MPI is linked into it statically, as its symbols show */
    bool known;                 /* Pleach could read the symbols of the program and of all its libraries */
    char refusal[512];          /* why the loader does not load it, such as a missing library; or "" */
    enum mpi mpi;               /* the MPI whose library it is linked with */
    char library[PATH_MAX];     /* path of that library */
    char tool[PATH_MAX];        /* a library that intercepts calls which Pleach serves, or "" */
    char sanitizer[PATH_MAX];   /* the library of gcc's AddressSanitizer, which must be loaded before all others, or "" */
    unsigned calls;             /* bit c: it, or one of its libraries except MPI's, calls collective c */
    bool starts;                /* it may load further libraries, or start programs, which its files do not name */
};

/* Looks for a program as execvp() does, and reads its file and those of its libraries. */
void program_examine(const char *name, struct program *p);

/* Does the program need the library of gcc's AddressSanitizer, by its own file? Opens this file alone. */
bool program_sanitized(const char *name);

/* Returns why no call of the program can reach Pleach, as words behind "it is"; NULL if calls may reach Pleach. */
const char *program_unserved(const struct program *p);

/* If no call can reach Pleach, rank 0 prints the reason, and says that there will be no `wanted`. */
void program_tell_unserved(const char *name, const struct program *p, const char *wanted);

/* Writes the path of the program that execvp() would run by this name. False, with errno, if there is none. */
bool program_find(const char *name, char path[PATH_MAX]);

/* Is this the name of a command that starts the ranks of a job? */
bool program_launches(const char *name);

/* Does this shared library define a function that Pleach serves? False also if the library cannot be read. */
bool library_defines_calls(const char *path);
