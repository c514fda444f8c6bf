/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The agreement of a communicator's ranks, before any decision: at its first intercepted call, of any size, unless it
 * inherits group info. After a first message of fixed size, the ranks compare their settings if need be. A rank that cannot
 * take part says so in the first message: later no rank may make its calls native alone.
 *
 * Ranks of another job, spawned or connected to, may run without the library and would not answer. All ranks see that they
 * are of several jobs, so no message is needed.
 */
#include "agree.h"

#include "algorithms.h"
#include "arithmetic.h"
#include "gathering.h"
#include "hash.h"
#include "nodes.h"
#include "policy.h"
#include "process.h"
#include "release.h"
#include "report.h"
#include "seconds.h"
#include "small_stack.h"
#include "verbose.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* Seconds, if PLEACH_PATIENCE is inf: programs hardly compute for so long between calls. */
static const double PATIENCE = 600;

/*
 * The first message, by words_largest(). Size, meaning and consequences stay the same in all releases, as ranks of different
 * releases exchange it. Of a number and its complement, the two maxima show the largest and the smallest. If builds differ
 * or a rank cannot take part, nothing more is sent, and no engine serves this communicator nor those inside it. But after
 * ASKS, or if a rank could not remember, those inside begin with this message, too.
 *
 * Release 0.1.0, or a rank without our operation, combines by MPI_MAX. MPI libraries move so few bytes alike for each
 * commutative operation; then words_open() tells what all ranks see in any order. Its BUILD may differ, but VERSION counts.
 */
enum hello {
    BUILD, /* release_build(), at most ABI_LARGEST_COMPARED */
    BUILD_NOT,
    VERSION,
    VERSION_NOT,
    ID,     /* of the group info that this rank would inherit, or 0 */
    ID_NOT, /* equal IDs > 0 on all ranks: they inherit it, and send nothing more */
    CANNOT, /* enum cannot */
    ASKS,   /* this rank may call MPI from several threads, or outside of MPI_Init to MPI_Finalize */
    HELLO
};

/* Outside of the list: of another job, and by CANNOT of a first message ([0]: builds differ). */
static struct group_info other_job = {.barred = REASON_OTHER_JOB},
                         barred[] = {{.barred = REASON_MISMATCH},
                                     [CANNOT_CONTEXT] = {.barred = REASON_NO_CONTEXT},
                                     [CANNOT_MEMORY] = {.barred = REASON_NO_MEMORY},
                                     [CANNOT_REMEMBER] = {.barred = REASON_NO_MEMORY}};

static void say_waiting(double seconds)
{
    char time[UNITS_TEXT];
    say("rank %d has waited %s for the first collective call of the other ranks; if this lasts, a rank may have failed or "
        "run out of memory, libpleach.so may not be preloaded on every rank, or the program relies on a call that does "
        "not wait for the others",
        process.rank, time_about(seconds, time));
}

static void patient_largest(const struct comm *c, uint64_t *value, int count)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    /* Three ranks, one after the other: rank 0 may be the missing one. */
    bool speaks = c->rank < 3;
    const double set = process.settings.patience, patience = (isfinite(set) ? set : PATIENCE) * (c->rank + 1);

    words_begin_largest(c->user, value, count, &request);
    double start = seconds_now();
    for (pmpi.Test(&request, &done, MPI_STATUS_IGNORE); !done; pmpi.Test(&request, &done, MPI_STATUS_IGNORE)) {
        if (speaks && seconds_now() - start >= patience) {
            say_waiting(patience);
            speaks = false;
        }
        sched_yield();
    }
}

/* Collective. The first setting that differs, and a rank that differs from rank 0; once in a process. */
static void name_difference(struct comm *c)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    enum { SHOWN = 600 };
    struct {
        int rank;
        char value[SHOWN];
    } shown = {.rank = process.rank};
    char name[SETTING_TEXT], own[SHOWN] = "";
    bool differs[SETTINGS_AGREED_MOST];

    for (int i = 0; i < settings_agreed_count(); i++) {
        uint64_t most[2] = {process.hash[i], ~process.hash[i]};
        words_largest(c->user, most, 2);
        differs[i] = most[0] != ~most[1];
    }
    const int which = settings_difference(differs, name, sizeof name);
    settings_agreed_value(&process.settings, which, own, sizeof own);
    memcpy(shown.value, own, sizeof own);
    uint64_t reference = process.hash[which];
    pmpi.Bcast(&reference, 1, MPI_UINT64_T, 0, c->user);
    const int lowest = pmpi_agreed(c->user, reference == process.hash[which] ? INT_MAX : c->rank, MPI_MIN);
    pmpi.Bcast(&shown, (int)sizeof shown, MPI_BYTE, lowest, c->user);
    if (c->rank != 0 || atomic_flag_test_and_set(&said))
        return;
    if (which < settings_agreed_count() - 1)
        say("%s differs between ranks: rank %d has %.200s, rank %d has %.200s%s", name, process.rank, own, shown.rank,
            shown.value, problem_end(PROBLEM_BAD, false));
    /* In bad settings the last value is the error, which one of the two ranks may lack. Rank 0 has said its own. */
    else if (shown.value[0] && shown.rank != 0)
        say("rank %d: %s%s", shown.rank, shown.value, problem_end(PROBLEM_BAD, false));
    else if (!shown.value[0] && process.rank != 0)
        say("rank %d: %s%s", process.rank, own, problem_end(PROBLEM_BAD, false));
}

/*
 * Sets found->barred and id, *ruled if rank 0 has rules, *gathers if all can take part in a report: the same on
 * all ranks.
 */
static void compare_settings(struct comm *c, struct group_info *found, bool *ruled, bool *gathers)
{
    enum { SETTINGS, NOT_SETTINGS, BAD, RULED, NEW_ID, ALONE, WORDS };
    const struct settings *s = &process.settings;
    uint64_t hash = 0;
    for (int i = 0; i < settings_agreed_count(); i++)
        hash = hash_add(hash, process.hash[i]);

    /* The largest h and ~h tell whether all h are equal. */
    uint64_t most[WORDS] = {[SETTINGS] = hash,
                            [NOT_SETTINGS] = ~hash,
                            [BAD] = s->bad[0] != 0,
                            [RULED] = c->rank == 0 && s->rules[0],
                            [NEW_ID] = c->rank == 0 ? group_info_new_id(process.rank) : 0,
                            [ALONE] = !gathering_possible()};
    words_largest(c->user, most, WORDS);

    const bool differ = most[SETTINGS] != ~most[NOT_SETTINGS];
    if (differ)
        name_difference(c);
    found->barred = differ ? REASON_MISMATCH : most[BAD] ? REASON_BAD_SETTING : REASON_NONE;
    found->compared = !found->barred;
    found->id = most[NEW_ID];
    *ruled = most[RULED];
    *gathers = !most[ALONE];
}

static void say_builds(const struct comm *c, const uint64_t *most)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char new[VERSION_TEXT], old[VERSION_TEXT];
    if (c->rank != 0 || atomic_flag_test_and_set(&said))
        return;
    version_text(most[VERSION], new);
    version_text(~most[VERSION_NOT], old);
    if (strcmp(new, old) != 0)
        say("libpleach.so differs between ranks: releases %s and %s; every call goes to the native MPI library", old, new);
    else
        say("libpleach.so differs between ranks: builds of release %s that do not fit together; every call goes to the "
            "native MPI library",
            new);
}

/* May a call use another algorithm of the MPI library than its default? */
static bool wants_algorithms(const struct settings *s, const struct rules *rules)
{
    bool wants = policy_writes(s) || process.compares;
    for (int c = 0; c < COLLECTIVES; c++)
        wants |= s->engine[c].native;
    for (int i = 0; rules && i < rules->count; i++)
        wants |= rules->rule[i].engine.native;
    return wants;
}

/*
 * Sets found->algorithms to those that all ranks can switch to, if they all can switch to the same ones. A switch affects
 * all threads of a process.
 */
static void find_algorithms(struct comm *c, struct group_info *found)
{
    struct algorithms own = {.carried = false};
    if (!process_threaded())
        own = algorithms_find();
    uint64_t hash = own.carried;
    for (int i = 0; i < COLLECTIVES; i++)
        hash = hash_add(hash, own.of[i]);
    uint64_t most[] = {hash, ~hash};
    words_largest(c->user, most, 2);
    if (most[0] == ~most[1])
        found->algorithms = own;
}

/* Finds out all that the first message leaves open. */
static void find_agreed(struct comm *c, struct group_info *found)
{
    bool ruled, gathers;
    compare_settings(c, found, &ruled, &gathers);
    if (gathers)
        gathering_make(c, found->id);
    if (found->barred || process.settings.disable)
        return;
    nodes_find(c, found);
    if (settings_place_file(&process.settings))
        placefile_read(c, found);
    if (ruled && !found->barred)
        rules_file_read(c, found);
    if (!found->barred && (!algorithms_slow() || wants_algorithms(&process.settings, found->rules)))
        find_algorithms(c, found);
}

/* Fills `found`, unless group info is inherited; NULL: no memory. Returns whether to remember it. */
static bool ask_ranks(struct comm *c, struct group_info *found, enum cannot cannot)
{
    uint64_t most[HELLO] = {[BUILD] = release_build() & ABI_LARGEST_COMPARED,
                            [VERSION] = release_version(),
                            [ID] = c->locality.info ? c->locality.info->id : 0,
                            [CANNOT] = found ? cannot : CANNOT_REMEMBER,
                            [ASKS] = process_threaded()};
    for (int i = 0; i < CANNOT; i += 2)
        most[i + 1] = ~most[i];
    patient_largest(c, most, HELLO);

    bool differ = most[BUILD] != ~most[BUILD_NOT] || most[VERSION] != ~most[VERSION_NOT];
    if (differ)
        say_builds(c, most);
    if (differ || most[CANNOT] != CAN) {
        c->locality.info = &barred[differ || most[CANNOT] > CANNOT_REMEMBER ? 0 : most[CANNOT]];
        if (!found || most[CANNOT] >= CANNOT_REMEMBER || most[ASKS])
            return false;
        found->barred = c->locality.info->barred;
        return true;
    }
    if (most[ID] != 0 && most[ID] == ~most[ID_NOT])
        return false;
    assert(found); /* a rank without memory has said that it cannot take part */
    found->asked = most[ASKS];
    find_agreed(c, found);
    c->locality.info = found;
    return true;
}

/* In this process's MPI_COMM_WORLD, if that exists. */
static bool of_this_job(MPI_Comm comm)
{
    MPI_Group world, group;
    if (!process_initialized())
        return true;
    pmpi.Comm_group(MPI_COMM_WORLD, &world);
    pmpi.Comm_group(comm, &group);
    bool within = group_within(group, world);
    pmpi.Group_free(&group);
    pmpi.Group_free(&world);
    return within;
}

/*
 * May MPI have begun anew on some rank, which has forgotten its group infos? MPI_Finalize is collective: then each rank that
 * it meets has called it, too.
 */
static bool may_have_forgotten(void)
{
    return process.sessions > 0 && !process_initialized();
}

bool agreed_before(struct comm *c)
{
    c->locality.info = group_info_about(c->user, false);
    if (!c->locality.info && !of_this_job(c->user))
        c->locality.info = &other_job;
    return c->locality.info && !c->locality.info->asked && !may_have_forgotten();
}

void agree(struct comm *c, enum cannot cannot)
{
    struct program_state program;
    arithmetic_begin(&program);
    struct group_info *found = group_info_new(c->ranks);
    if (ask_ranks(c, found, cannot))
        group_info_remember(found, c->user);
    else if (found)
        group_info_free(found);
    verbose_agreed(c);
    if (comm_of_all(c))
        report_nodes(c->locality.info->nodes);
    arithmetic_end(&program);
}
