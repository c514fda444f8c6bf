/* SPDX-License-Identifier: BSD-2-Clause */
/* The process: starts at the first intercepted call, ends inside MPI_Finalize; see library.h. */
#include "library.h"

#include "comm.h"
#include "handles.h"
#include "learn.h"
#include "process.h"
#include "report.h"
#include "typemap.h"
#include "verify.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum stage {
    STAGE_NEW,  /* not started: MPI may not be initialised yet */
    STAGE_PASS, /* every call goes to the MPI library, for ever */
    STAGE_READY
};

static _Atomic int stage = STAGE_NEW;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for the start alone */

extern char **environ;

static void report(void *consequence, const struct problem *p)
{
    if (process.rank == 0 || (process.settings.strict && p->kind != PROBLEM_UNKNOWN))
        say("%s%s", p->text, p->kind == PROBLEM_UNKNOWN ? "" : (const char *)consequence);
}

/*
 * MPI_Finalize deletes the attributes of MPI_COMM_SELF before anything else, while communication still works; a wrapper of
 * MPI_Finalize would miss programs that use the mpi_f08 module.
 */
static int at_finalize(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm;
    (void)key;
    (void)value;
    (void)state;
    atomic_store(&stage, STAGE_PASS);
    verify_report();
    comm_close();
    findings_close();
    pmpi.Comm_free(&process.probe);
    record_close();
    report_close();
    return MPI_SUCCESS;
}

/* Everything that is done once. Returns the next stage. */
static enum stage start(void *caller)
{
    char name[80];
    int yes = 0, key;

    static bool found;
    if (!found && !(found = pmpi_find(caller))) {
        if (!pmpi.native[COLL_BCAST][0])
            return STAGE_NEW;
        if (is_speaker())
            say("this MPI library lacks functions that libpleach.so needs; every call is passed through");
        return STAGE_PASS;
    }
    if (!pmpi_is_mpich(name, sizeof name)) {
        if (is_speaker())
            say("this MPI library is not MPICH but \"%s\"; every call is passed through", name);
        return STAGE_PASS;
    }
    pmpi.Initialized(&yes);
    if (!yes)
        return STAGE_NEW;
    pmpi.Finalized(&yes);
    if (yes)
        return STAGE_PASS;

    handles_open();
    pmpi.Comm_rank(MPI_COMM_WORLD, &process.rank);
    if (settings_read(&process.settings, environ, NULL, NULL) && process.settings.strict) {
        settings_read(&process.settings, environ, report, "; the program is aborted, as PLEACH_STRICT says");
        abort_job();
    }
    settings_read(&process.settings, environ, report, "; every call goes to the native MPI library");

    /* Not a duplicate: that would run the application's attribute callbacks. */
    if (pmpi.Comm_split(MPI_COMM_SELF, 0, 0, &process.probe) != MPI_SUCCESS)
        return STAGE_PASS;
    pmpi.Comm_set_errhandler(process.probe, MPI_ERRORS_RETURN);
    pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
    pmpi.Comm_set_attr(MPI_COMM_SELF, key, NULL);
    pmpi.Comm_free_keyval(&key); /* freed when the attribute goes */
    if (!comm_open() || !typemap_open())
        return STAGE_PASS;
    const struct settings *s = &process.settings;
    if (process.rank == 0)
        learn_open(s->learn);
    bool writes = settings_rank_listed(s->log_ranks, process.rank);
    if (writes && s->log[0])
        record_open(s->log, process.rank, s->stack);
    if (writes && s->report[0] && strcmp(s->report, "none") != 0)
        report_open(s->report, process.rank, s->stack);
    if (s->verify)
        site_open(s->stack);
    return STAGE_READY;
}

bool library_ready(void *caller)
{
    int now = atomic_load_explicit(&stage, memory_order_acquire);
    if (now == STAGE_NEW) {
        pthread_mutex_lock(&lock);
        now = atomic_load(&stage);
        if (now == STAGE_NEW) {
            now = start(caller);
            atomic_store_explicit(&stage, now, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return now == STAGE_READY;
}
