/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Agreement: all ranks find out once whether engines may serve them. Every decision comes after that.
 *
 * It happens at the first intercepted call, of any size, on a communicator that does not lie inside one that has agreed; see
 * group_info.h. The first message is a few words of fixed size. If it leaves the matter open, the settings follow. A rank
 * that cannot take part says so in the first message: no rank alone makes its calls native after the start.
 *
 * A communicator with ranks of another job does not ask. A program that was spawned, or connected to, may run without the
 * library (some launchers start it with their own environment), and then its ranks do not answer. All ranks see that they
 * are not of one job, so no message is needed.
 */
#include "agree.h"

#include "gathering.h"
#include "nodes.h"
#include "process.h"
#include "release.h"
#include "seconds.h"
#include "verbose.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/*
 * Seconds until we say that we wait and for whom, if PLEACH_PATIENCE is not set: longer than programs are likely to compute.
 */
static const double PATIENCE = 600;

/*
 * The first message, an MPI_Iallreduce by MPI_MAX of MPI_UINT64_T. A promise: its size, its meaning and its consequences are
 * the same in all releases, as ranks with different releases meet here. The largest of a number and of its complement tell
 * whether all ranks have the same number, and if not, the largest and the smallest. If builds differ, or a rank cannot take
 * part, nothing follows: no engine serves this communicator. No engine serves the communicators inside it, either, and
 * nothing is sent on them, unless a rank asks or cannot remember. A communicator whose ranks ask begins with this message.
 */
enum hello {
    BUILD,     /* release_build() */
    BUILD_NOT, /* ~BUILD */
    VERSION,   /* release_version() */
    VERSION_NOT,
    ID,     /* of the group info that this rank would inherit, or 0 */
    ID_NOT, /* if all ranks have the same ID, not 0, they inherit this group info, and nothing follows */
    CANNOT, /* why this rank cannot take part: enum cannot */
    ASKS,   /* 1: this rank may call MPI from several threads, or is not between MPI_Init and MPI_Finalize; else 0 */
    HELLO
};

/* The group info after a first message that is not remembered. Its group is never looked at. */
static struct group_info other_job = {.barred = REASON_OTHER_JOB},
                         barred[] = {{.barred = REASON_MISMATCH},
                                     [CANNOT_CONTEXT] = {.barred = REASON_NO_CONTEXT},
                                     [CANNOT_MEMORY] = {.barred = REASON_NO_MEMORY},
                                     [CANNOT_REMEMBER] = {.barred = REASON_NO_MEMORY}};

/* Says that this rank has waited so long for others: the library may be missing on some ranks. */
static void say_waiting(double seconds)
{
    char time[UNITS_TEXT];
    say("rank %d has waited %s for the first collective call of the other ranks; if this lasts, a rank may have failed or "
        "run out of memory, " ABI_LIBRARY " may not be preloaded on every rank, or the program relies on a call that does "
        "not wait for the others",
        process.rank, time_about(seconds, time));
}

/* An all-reduce that tells when it takes long. */
static void patient_max(struct comm *c, uint64_t *value, int count)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int done = 0;
    /* Several ranks speak, one after the other: so one does even if rank 0 is among the missing. */
    bool speaks = c->rank < 3;
    const double set = process.settings.patience, patience = (isfinite(set) ? set : PATIENCE) * (c->rank + 1);

    pmpi.Iallreduce(MPI_IN_PLACE, value, count, MPI_UINT64_T, MPI_MAX, c->user, &request);
    double start = seconds_now();
    for (pmpi.Test(&request, &done, MPI_STATUS_IGNORE); !done; pmpi.Test(&request, &done, MPI_STATUS_IGNORE)) {
        if (speaks && seconds_now() - start >= patience) {
            say_waiting(patience);
            speaks = false;
        }
        sched_yield();
    }
}

/* Names the setting that differs, and a rank whose value is not that of rank 0 of c. Collective. */
static void name_difference(struct comm *c, const bool *differs, const uint64_t *hash)
{
    struct {
        int rank; /* in MPI_COMM_WORLD */
        char value[PROBLEM_TEXT];
    } first = {.rank = process.rank}, other;
    char name[SETTING_TEXT];
    int which = settings_difference(differs, name, sizeof name), lowest;
    uint64_t reference = hash[which];

    settings_agreed_value(&process.settings, which, first.value, sizeof first.value);
    other = first;
    pmpi.Bcast(&reference, 1, MPI_UINT64_T, 0, c->user);
    int candidate = reference == hash[which] ? INT_MAX : c->rank;
    pmpi.Allreduce(&candidate, &lowest, 1, MPI_INT, MPI_MIN, c->user);
    pmpi.Bcast(&other, (int)sizeof other, MPI_BYTE, lowest, c->user);
    if (c->rank != 0)
        return;
    if (which < settings_agreed_count() - 1)
        say("%s differs between ranks: rank %d has %.200s, rank %d has %.200s; every call goes to the native MPI "
            "library",
            name, first.rank, first.value, other.rank, other.value);
    else /* bad settings; one of the two ranks may have none */
        say("rank %d: %s; every call goes to the native MPI library", other.value[0] ? other.rank : first.rank,
            other.value[0] ? other.value : first.value);
}

/* Compares the settings of all ranks; sets found->barred, the same on all ranks. `gathers`: all ranks share a report. */
static void compare_settings(struct comm *c, struct group_info *found, bool *ruled, bool *gathers)
{
    enum { BAD, RULED, NEW_ID, ALONE, MORE };
    const struct settings *s = &process.settings;
    int values = settings_agreed_count();
    uint64_t hash[SETTINGS_AGREED_MOST], most[2 * SETTINGS_AGREED_MOST + MORE], *more = most + 2 * values;
    bool differs[SETTINGS_AGREED_MOST], any = false;

    assert(values <= SETTINGS_AGREED_MOST);
    /* The largest h and the largest ~h of all ranks tell whether all h are equal. */
    settings_hash(s, hash);
    for (int i = 0; i < values; i++) {
        most[2 * i] = hash[i];
        most[2 * i + 1] = ~hash[i];
    }
    more[BAD] = s->bad[0] != 0;
    more[RULED] = c->rank == 0 && s->rules[0];
    more[NEW_ID] = c->rank == 0 ? group_info_new_id(process.rank) : 0;
    more[ALONE] = !gathering_possible();
    pmpi.Allreduce(MPI_IN_PLACE, most, 2 * values + MORE, MPI_UINT64_T, MPI_MAX, c->user);

    for (int i = 0; i < values; i++)
        any |= differs[i] = most[2 * i] != ~most[2 * i + 1];
    if (any)
        name_difference(c, differs, hash);
    found->barred = any ? REASON_MISMATCH : more[BAD] ? REASON_BAD_SETTING : REASON_NONE;
    found->id = more[NEW_ID];
    *ruled = more[RULED];
    *gathers = !more[ALONE];
}

/* The ranks have different libraries: one rank says so, once. */
static void say_builds(const struct comm *c, const uint64_t *most)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    char new[VERSION_TEXT], old[VERSION_TEXT];
    if (c->rank != 0 || atomic_flag_test_and_set(&said))
        return;
    version_text(most[VERSION], new);
    version_text(~most[VERSION_NOT], old);
    if (strcmp(new, old) != 0)
        say(ABI_LIBRARY " differs between ranks: releases %s and %s; every call goes to the native MPI library", old, new);
    else
        say(ABI_LIBRARY " differs between ranks: builds of release %s that do not fit together; every call goes to the "
                        "native MPI library",
            new);
}

/* Finds out what the first message leaves open. */
static void find_agreed(struct comm *c, struct group_info *found)
{
    bool ruled, gathers;
    compare_settings(c, found, &ruled, &gathers);
    if (gathers)
        gathering_make(c, found->id);
    if (found->barred || process.settings.disable)
        return;
    nodes_find(c, found);
    nodes_places(c, found);
    if (settings_place_file(&process.settings))
        placefile_read(c, found);
    if (ruled && !found->barred)
        rulefile_read(c, found);
}

/* All ranks ask each other, and fill `found`; it is NULL if memory is short. True: the result is to be remembered. */
static bool ask_ranks(struct comm *c, struct group_info *found, enum cannot cannot)
{
    uint64_t most[HELLO] = {[BUILD] = release_build(),
                            [VERSION] = release_version(),
                            [ID] = c->locality.info ? c->locality.info->id : 0,
                            [CANNOT] = found ? cannot : CANNOT_REMEMBER,
                            [ASKS] = process_threaded()};
    for (int i = 0; i < CANNOT; i += 2)
        most[i + 1] = ~most[i];
    patient_max(c, most, HELLO);

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
    assert(found); /* without memory for it, the rank cannot take part */
    found->asked = most[ASKS];
    find_agreed(c, found);
    c->locality.info = found;
    return true;
}

/* Are all ranks of this job, that is, in its MPI_COMM_WORLD? */
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

void agree(struct comm *c, enum cannot cannot)
{
    c->locality.info = group_info_about(c->user, false);
    if (!c->locality.info && !of_this_job(c->user))
        c->locality.info = &other_job;
    if (c->locality.info && !c->locality.info->asked)
        return;
    struct group_info *found = group_info_new(c->ranks);
    if (ask_ranks(c, found, cannot))
        group_info_remember(found, c->user);
    else if (found)
        group_info_free(found);
    verbose_agreed(c);
}
