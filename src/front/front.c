/* SPDX-License-Identifier: BSD-2-Clause */
/* See front.h. */
#include "front.h"

#include "caller.h"
#include "hold.h"
#include "interface.h"
#include "large_stack.h"
#include "last.h"
#include "module.h"
#include "say.h"
#include "served.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct part *_Atomic front_part;

/* ---- Calls that no part serves --------------------------------------------------------------------------------------- */

static const char *const names[COLLECTIVES][2] = {SERVED(NATIVE_NAMES)};

static void *native(enum collective collective, bool large, void *caller)
{
    static void *_Atomic known[COLLECTIVES][2];
    void *f = atomic_load(&known[collective][large]);
    if (!f)
        f = caller_next(names[collective][large], caller);
    if (front_part) /* MPI stays loaded */
        atomic_store(&known[collective][large], f);
    return f;
}

static int pass(const struct call *c, void *caller)
{
    void *f = native(c->collective, c->large, caller);
    if (!f && c->large && call_count(c) == (int)call_count(c))
        f = native(c->collective, false, caller);
    return f ? native_call(f, c) : FAILED;
}

static void nothing(void)
{
}

static void pass_sessions(int more)
{
    (void)more;
}

static void pass_other(enum other which, bool large, const argument *arguments, double seconds)
{
    (void)which;
    (void)large;
    (void)arguments;
    (void)seconds;
}

static void pass_end(const char *(*taker)(void))
{
    (void)taker;
}

const struct part front_passes = {
    .call = pass, .initialized = nothing, .sessions = pass_sessions, .other = pass_other, .end = pass_end};

/* ---- The part -------------------------------------------------------------------------------------------------------- */

static const struct part *open_part(const char *interface, char *why, size_t size)
{
    char name[64];
    snprintf(name, sizeof name, "libpleach-%s.so", interface);
    const struct part *p = module_open(name, PART_SYMBOL, why, size);
    if (p && (p->size != sizeof *p || !p->open(caller_mpi))) {
        snprintf(why, size,
                 p->size != sizeof *p ? "%s belongs to another build of Pleach"
                                      : "this MPI library lacks functions that %s needs",
                 name);
        p = NULL;
    }
    return p;
}

static void choose(void *caller)
{
    static char version[INTERFACE_TEXT], why[512];
    if (front_part || !caller_find_mpi(caller))
        return;
    const char *interface = interface_of(caller_mpi, version);
    const struct part *p = interface ? open_part(interface, why, sizeof why) : NULL;
    if (!interface)
        snprintf(why, sizeof why, "this MPI library is \"%.*s\", which Pleach does not know", (int)strcspn(version, "\n,"),
                 version);
    if (!p && is_speaker())
        say("%s; every call is passed through", why);
    atomic_store(&front_part, p ? p : &front_passes);
}

const struct part *front_open(void *caller)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const int saved = errno;
    pthread_mutex_lock(&lock);
    large_stack_call(choose, caller);
    pthread_mutex_unlock(&lock);
    errno = saved;
    return front_part ? front_part : &front_passes;
}

/* ---- The end --------------------------------------------------------------------------------------------------------- */

static pid_t owner; /* not a child of fork(), which prints nothing */

__attribute__((constructor)) static void begin(void)
{
    owner = getpid();
}

/* What PMPI_Initialized or PMPI_Finalized says. */
static bool mpi_says(const char *name)
{
    int yes = 0;
    int (*says)(int *) = (__typeof__(says))dlsym(RTLD_DEFAULT, name);
    void *library = says ? NULL : caller_library();
    if (library)
        says = (__typeof__(says))dlsym(library, name);
    return says && says(&yes) == 0 && yes;
}

/* Some releases of MPI libraries say after MPI_Finalize that MPI is not initialized. */
static bool mpi_begun(void)
{
    return mpi_says("PMPI_Initialized") || mpi_says("PMPI_Finalized");
}

static const char *taker(void)
{
#define NAME(name, ...) "MPI_" #name,
    static const char *const functions[] = {SERVED(NAME)};
    Dl_info its, our;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        const void *first = dlsym(RTLD_DEFAULT, functions[i]);
        if (first && dladdr(first, &its) && dladdr(&owner, &our) && its.dli_fbase != our.dli_fbase)
            return its.dli_fname;
    }
    return NULL;
}

static void end(void)
{
    if (getpid() == owner && front_part)
        front_part->end(taker);
}

/* For a part to say that calls have gone past us. */
__attribute__((destructor)) static void at_exit(void)
{
    if (!front_part && getpid() == owner && is_speaker() && mpi_begun())
        front_open(NULL);
    run_last(end);
}
