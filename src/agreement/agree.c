/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Agreement: all ranks compare their settings once, before anything is decided by them.
 *
 * It happens at the first intercepted call, of any size, on a communicator that does not lie inside one that has agreed; see
 * findings.h.
 */
#include "agree.h"

#include "nodes.h"
#include "process.h"
#include "seconds.h"

#include <assert.h>
#include <limits.h>
#include <sched.h>

enum { PATIENCE = 5 }; /* seconds until we say for what we wait: longer than ranks need to start, short for a person */

/* Those of a group in which some rank has no memory for any. */
static struct findings no_findings = {.group = MPI_GROUP_NULL, .barred = REASON_NO_MEMORY};

/* An all-reduce that says for what it waits if that takes long: the library may be missing on some ranks. */
static void patient_max(struct comm *c, uint64_t *value, int count)
{
    MPI_Request request;
    int done = 0;
    /* Some ranks speak, one after the other, so that one does even if rank 0 is among the missing. */
    bool speaks = c->rank < 3;

    pmpi.Iallreduce(MPI_IN_PLACE, value, count, MPI_UINT64_T, MPI_MAX, c->user, &request);
    double start = seconds_now();
    for (pmpi.Test(&request, &done, MPI_STATUS_IGNORE); !done; pmpi.Test(&request, &done, MPI_STATUS_IGNORE)) {
        if (speaks && seconds_now() - start >= PATIENCE * (c->rank + 1)) {
            say("rank %d has waited %d s for the first collective call of the other ranks; if this lasts, libpleach.so "
                "may not be preloaded on every rank, or the program relies on a call that does not wait for the others",
                process.rank, PATIENCE * (c->rank + 1));
            speaks = false;
        }
        sched_yield();
    }
}

/* Names the setting that differs, and a rank that has it otherwise than rank 0 of c. Collective. */
static void name_difference(struct comm *c, const bool *differs, const uint64_t *hash)
{
    struct {
        int rank; /* in MPI_COMM_WORLD */
        char value[4 * SETTING_TEXT];
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
    else /* bad settings, of which one of the two may have none */
        say("rank %d: %s; every call goes to the native MPI library", other.value[0] ? other.rank : first.rank,
            other.value[0] ? other.value : first.value);
}

/* Compares the settings of all ranks; sets found->barred, the same on all ranks. False, on all, if one has no found. */
static bool compare_settings(struct comm *c, struct findings *found, bool *ruled)
{
    enum { THREADS, MEMORY, BAD, RULED, ID, MORE };
    const struct settings *s = &process.settings;
    int values = settings_agreed_count(), level = MPI_THREAD_SINGLE;
    uint64_t hash[SETTINGS_AGREED_MOST], most[2 * SETTINGS_AGREED_MOST + MORE], *more = most + 2 * values;
    bool differs[SETTINGS_AGREED_MOST], any = false;

    assert(values <= SETTINGS_AGREED_MOST);
    /* The largest of h and of ~h over all ranks tell whether all h are equal. */
    settings_hash(s, hash);
    for (int i = 0; i < values; i++) {
        most[2 * i] = hash[i];
        most[2 * i + 1] = ~hash[i];
    }
    pmpi.Query_thread(&level);
    more[THREADS] = level == MPI_THREAD_MULTIPLE;
    more[MEMORY] = !found;
    more[BAD] = s->bad[0] != 0;
    more[RULED] = c->rank == 0 && s->rules[0];
    more[ID] = c->rank == 0 ? findings_new_id(process.rank) : 0;
    patient_max(c, most, 2 * values + MORE);

    for (int i = 0; i < values; i++)
        any |= differs[i] = most[2 * i] != ~most[2 * i + 1];
    if (any)
        name_difference(c, differs, hash);
    if (more[MEMORY] || !found) /* one comes with the other */
        return false;
    found->barred = any ? REASON_MISMATCH : more[BAD] ? REASON_BAD_SETTING : REASON_NONE;
    found->threads = more[THREADS];
    found->id = more[ID];
    *ruled = more[RULED];
    return true;
}

/* Have all ranks of c the same findings about a group around it? Then c->findings are these. Collective. */
static bool share_findings(struct comm *c)
{
    uint64_t id = c->findings ? c->findings->id : 0, most[2] = {id, ~id};
    patient_max(c, most, 2);
    return most[0] != 0 && most[0] == ~most[1];
}

void agree(struct comm *c)
{
    bool ruled;
    c->findings = findings_about(c->user, false);
    if ((c->findings && !c->findings->threads) || share_findings(c))
        return;
    struct findings *found = findings_new(c->ranks);
    c->findings = &no_findings;
    if (!compare_settings(c, found, &ruled)) {
        if (found)
            findings_free(found);
        return;
    }
    if (!found->barred && !process.settings.disable) {
        nodes_find(c, found);
        if (ruled)
            rulefile_read(c, found);
    }
    c->findings = found;
    findings_remember(found, c->user);
}
