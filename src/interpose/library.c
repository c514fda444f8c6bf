/* SPDX-License-Identifier: BSD-2-Clause */
/* See library.h. */
#include "library.h"

#include "arithmetic.h"
#include "comm.h"
#include "domain.h"
#include "exact.h"
#include "gather.h"
#include "gathering.h"
#include "handles.h"
#include "last.h"
#include "launcher.h"
#include "learned.h"
#include "newfile.h"
#include "report.h"
#include "self_comm.h"
#include "sizes.h"
#include "small_stack.h"
#include "this_program.h"
#include "trials.h"
#include "typemap.h"
#include "verbose.h"
#include "verify.h"
#include "watch.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Atomic int library_now = LIBRARY_FOUND;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of a thread that changes the state */

extern char **environ;

static void report_problem(void *strict, const struct problem *p)
{
    if (process.rank == 0 || (strict && !problem_warns(p->kind)))
        say("%s%s", p->text, problem_end(p->kind, strict));
}

/* ---- The end ------------------------------------------------------------------------------------------------------- */

static pid_t owner; /* the process that started the library, no child of fork() */

/* All but the log, which closes at exit, and learned rules. Must not change how later calls are served. */
static void write_out(bool finalizes)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    if (getpid() != owner || atomic_flag_test_and_set(&done))
        return;
    verify_report();
    if (!finalizes || !gather())
        report_close(finalizes ? END_FINALIZE : END_EXIT);
    verbose_close();
    learned_flush();
}

static void write_out_last(void)
{
    write_out(false);
}

__attribute__((destructor)) static void at_exit(void)
{
    run_last(write_out_last);
}

static int on_finalize(MPI_Comm comm, int key, void *value, void *state)
{
    (void)key;
    (void)value;
    (void)state;
    comm_finalizes();
    if (comm == MPI_COMM_SELF) {
        pmpi_may_end = true;
        gather_announce();
        return MPI_SUCCESS;
    }
    record_flush();
    write_out(true);
    return MPI_SUCCESS;
}

/* MPI_Finalize calls us when it deletes it. False on error. */
static bool hang_on(MPI_Comm comm, int key)
{
    MPI_Errhandler before = pmpi_hush(comm);
    bool hangs = pmpi.Comm_set_attr(comm, key, NULL) == MPI_SUCCESS;
    pmpi_unhush(comm, before);
    return hangs;
}

/*
 * MPI_Finalize deletes the attributes of MPI_COMM_SELF, then in some MPIs those of MPI_COMM_WORLD, whose callback sees all
 * calls of the program's callbacks. A wrapper of MPI_Finalize would miss mpi_f08. Without a callback, we write at exit.
 */
static void write_out_at_end(void)
{
    int key;
    owner = getpid();
    if (process_initialized() && pmpi.Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key, NULL) == MPI_SUCCESS) {
        const bool world = hang_on(MPI_COMM_WORLD, key), self = hang_on(MPI_COMM_SELF, key);
        pmpi_may_end = !self;
        if (world && self && report_joint(process.settings.report))
            gathering_prepare();
        pmpi.Comm_free_keyval(&key); /* freed with the attribute */
    }
}

/* ---- The start ----------------------------------------------------------------------------------------------------- */

/* There is no self communicator yet to ask MPI. */
static bool may_be_alive(MPI_Comm comm)
{
    return comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF ? process_initialized() : handle_is_comm(comm);
}

static void count_problem(void *to, const struct problem *p)
{
    (void)p;
    ++*(int *)to;
}

/* Once to count problems, once to report them as PLEACH_STRICT says. */
static void read_settings(void)
{
    int problems = 0;
    int bad = settings_read_site(&process.settings, settings_site, environ, count_problem, &problems);
    void *const strict = bad && process.settings.strict ? &problems : NULL;
    if (problems)
        settings_read_site(&process.settings, settings_site, environ, report_problem, strict);
    if (strict)
        abort_job();
}

static void open_log(const struct settings *s)
{
    record_open(s->log, process.rank, process.ranks, s->stack);
    if (s->dry_run)
        record_remark(DRY_RUN_REMARK);
}

/* `listed`: this rank writes its own report, if settings ask for single ones. */
static void open_report(const struct settings *s, bool listed)
{
    report_open(&(struct report_options){.pattern = s->report,
                                         .facts = program_facts(),
                                         .listed = listed,
                                         .advice = s->dry_run ? s->advice : 0,
                                         .stack = s->stack,
                                         .every = s->report_every});
}

/* A session opened behind our back, as by mpi_f08, never closes for us. */
static void make_objects(MPI_Comm comm)
{
    sizes_open();
    if (!process.sessions && !process_initialized())
        process.sessions = 1;

    /* From here on an agreement tells others of errors. */
    process.cannot = self_comm_open(comm) ? CAN : CANNOT_CONTEXT;
    if (!words_open() || !comm_open() || !typemap_open() || !exact_open())
        process.cannot = CANNOT_MEMORY;
}

static void keep_path(const char *name, char path[SETTING_VALUE])
{
    if (!newfile_path(name, path, SETTING_VALUE))
        snprintf(path, SETTING_VALUE, "%s", name);
}

/* For call sites: the loader needs much stack. Failures are reported where it is used. */
static void open_libraries(const struct settings *s)
{
    if (settings_wanted(s) || s->verify || s->rules[0] || isfinite(s->patience))
        call_site_open(s->stack);
}

/* The launcher has started ranks that do not find each other. */
static void tell_alone(void)
{
    char library[80], text[256];
    pmpi_words(library, sizeof library);
    if (process.ranks == 1 && launched_alone(ABI_MPI, library, text, sizeof text))
        say("%s", text);
}

static void begin(void)
{
    handles_open();
    process.rank = launcher_rank();
    process.domain = domain_here();
    if (process_initialized()) {
        pmpi.Comm_rank(MPI_COMM_WORLD, &process.rank);
        pmpi.Comm_size(MPI_COMM_WORLD, &process.ranks);
    }
    read_settings();
    const struct settings *s = &process.settings;
    if (!s->disable)
        tell_alone();
    settings_hash(s, process.hash);
    if (s->rules[0])
        keep_path(s->rules, process.rules);
    if (settings_place_file(s))
        keep_path(s->places, process.places);
    if (policy_writes(s))
        keep_path(s->learn, process.learn);
    rules_file_begin();
    open_libraries(s);
}

/* What calls need, once; files, too. True: a thread watches. */
static bool open_all(void)
{
    const struct settings *s = &process.settings;
    if (process.rank == 0 && policy_writes(s))
        learned_open(process.learn);
    bool writes = settings_rank_listed(s->log_ranks, process.rank);
    if (writes && s->log[0])
        open_log(s);
    if (settings_report_given(s->report))
        open_report(s, writes);
    trials_open();
    bool watched = watch_open();
    if (s->verify || watched)
        call_site_open(s->stack);
    write_out_at_end();
    return watched;
}

static enum library_state get_ready(MPI_Comm comm)
{
    static bool begun;
    if (!begun)
        begin();
    begun = true;
    make_objects(comm);
    return LIBRARY_BEGUN;
}

static enum library_state start(void)
{
    static bool opened, watched;
    if (!opened)
        watched = open_all();
    opened = true;
    return watched ? LIBRARY_WATCHED : LIBRARY_READY;
}

static enum library_state furthest;

enum library_state library_furthest(void)
{
    return furthest;
}

static enum library_state go_on(enum library_state from, MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    enum library_state now = (enum library_state)atomic_load(&library_now);
    if (now == from)
        now = from == LIBRARY_FOUND ? get_ready(comm) : start();
    furthest = now > furthest ? now : furthest;
    atomic_store_explicit(&library_now, now, memory_order_release);
    pthread_mutex_unlock(&lock);
    return now;
}

enum library_state library_start(enum library_state from, MPI_Comm comm)
{
    struct program_state program;
    arithmetic_begin(&program);
    for (enum library_state next = LIBRARY_FOUND; next <= LIBRARY_BEGUN; next++)
        if (from == next && may_be_alive(comm))
            from = go_on(next, comm);
    arithmetic_end(&program);
    return from;
}

void library_initialized(void)
{
    const int saved = errno;
    struct program_state program;
    enum library_state now = library_reached();
    arithmetic_begin(&program);
    if (now == LIBRARY_FOUND && process_initialized())
        go_on(LIBRARY_FOUND, MPI_COMM_WORLD);
    arithmetic_end(&program);
    errno = saved;
}

static bool serves(enum library_state now)
{
    return now == LIBRARY_READY || now == LIBRARY_WATCHED;
}

bool library_ready(MPI_Comm comm)
{
    return serves(library_start(library_reached(), comm));
}

void library_sessions(int more)
{
    pthread_mutex_lock(&lock);
    const int before = process.sessions, after = before + more > 0 ? before + more : 0;
    process.sessions = after;
    const enum library_state now = library_reached();
    if ((!before || !after) && (now == LIBRARY_BEGUN || serves(now)) && !process_initialized()) {
        comm_forget();
        group_info_forget();
        atomic_store_explicit(&library_now, LIBRARY_FOUND, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
}
