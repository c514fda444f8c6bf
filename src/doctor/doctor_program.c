/* SPDX-License-Identifier: BSD-2-Clause */
/* pleach doctor: the program; see doctor.h. */
#include "doctor.h"

#include "parts.h"

#include <string.h>
#include <unistd.h>

static void tell_calls(const char *name, const struct program *p)
{
    char names[CALLS_TEXT];
    if (p->tool[0])
        doctor_tell(VERDICT_NOTE, "%s: %s has its own MPI_ functions, which do not see the calls that Pleach serves", name,
                    p->tool);
    if (p->calls)
        doctor_tell(VERDICT_OK, "%s calls %s", name, doctor_calls(p->calls, names));
    else if (p->starts)
        doctor_tell(VERDICT_NOTE, "%s makes none of the calls that Pleach serves (%s), but code that it loads or starts may",
                    name, doctor_calls(CALLS_ALL, names));
    else
        doctor_tell(VERDICT_PROBLEM, "%s makes none of the calls that Pleach serves: %s", name,
                    doctor_calls(CALLS_ALL, names));
}

static void tell_mpi(const char *name, const struct program *p)
{
    char library[PATH_MAX];
    if (p->refusal[0])
        doctor_tell(VERDICT_PROBLEM, "%s: %s; load its module, or set LD_LIBRARY_PATH", name, p->refusal);
    else if (!p->known)
        doctor_tell(VERDICT_NOTE,
                    "%s: some symbols in the program or its libraries cannot be read, so its calls are not known", name);
    else if (p->mpi && p->mpi != MPI_OTHER && parts_find(parts_for(p->mpi), library))
        doctor_tell(VERDICT_OK, "%s is built for %s: %s", name, mpi_name(p->mpi), p->library);
    else if (p->mpi == MPI_OTHER)
        doctor_tell(VERDICT_PROBLEM,
                    "%s is built for another MPI (%s), of which Pleach serves no call; "
                    "build it with MPICH or Open MPI",
                    name, p->library);
    else if (p->mpi)
        doctor_tell(VERDICT_PROBLEM, "%s is built for %s (%s) and needs %s, which is not installed", name, mpi_name(p->mpi),
                    p->library, parts_name(parts_for(p->mpi)));
    else
        doctor_tell(VERDICT_NOTE,
                    "%s is linked with no MPI library; the doctor cannot see what it loads or starts, but Pleach is "
                    "preloaded there, too",
                    name);
    if (p->known && p->mpi && p->mpi != MPI_OTHER)
        tell_calls(name, p);
}

static void tell_sanitizer(const char *name, const struct program *p)
{
    if (p->sanitizer[0])
        doctor_tell(
            VERDICT_NOTE,
            "%s needs %s before all other libraries: 'pleach run' puts it first into LD_PRELOAD; do so where you set "
            "LD_PRELOAD yourself, or link the program with -static-libasan",
            name, p->sanitizer);
}

/* Is there a program of this name in the current folder, where PATH does not look? */
static bool is_here(const char *name)
{
    return !strchr(name, '/') && access(name, X_OK) == 0;
}

void doctor_program(const char *name, struct program *p)
{
    program_examine(name, p);
    const char *unserved = program_unserved(p);
    switch (p->type) {
    case PROGRAM_MISSING:
        doctor_tell(VERDICT_PROBLEM, "%s cannot be run: %s%s%s", name, strerror(p->error),
                    is_here(name) ? "; in this folder, it is ./" : "", is_here(name) ? name : "");
        break;
    case PROGRAM_UNREADABLE:
        doctor_tell(VERDICT_NOTE, "%s can be run, but not read: %s", name, strerror(p->error));
        break;
    case PROGRAM_SCRIPT:
        doctor_tell(
            VERDICT_NOTE,
            "%s is a script for %s; the doctor cannot see what it loads or starts, but Pleach is preloaded there, too", name,
            p->interpreter);
        break;
    case PROGRAM_TEXT:
        doctor_tell(VERDICT_NOTE, "%s is no program for this system, and names no interpreter; /bin/sh runs it as a script",
                    name);
        break;
    case PROGRAM_FOREIGN:
        doctor_tell(VERDICT_PROBLEM, "%s is a program for another kind of processor", name);
        break;
    case PROGRAM_LIBRARY:
        doctor_tell(VERDICT_PROBLEM, "%s is a library or an object file, no program", name);
        break;
    case PROGRAM_STATIC:
    case PROGRAM_DYNAMIC:
        if (unserved)
            doctor_tell(VERDICT_PROBLEM, "%s is %s%s", name, unserved,
                        p->type == PROGRAM_STATIC || p->linked_in ? "; link it with shared libraries, without -static" : "");
        else
            tell_mpi(name, p);
        tell_sanitizer(name, p);
    }
}
