/* SPDX-License-Identifier: BSD-2-Clause */
/* See verbose.h. */
#include <config.h> /* PACKAGE_VERSION */

#include "verbose.h"

#include "policy.h"
#include "process.h"

#include <stdatomic.h>
#include <stdio.h>

static atomic_flag said = ATOMIC_FLAG_INIT;
static _Atomic int most = 1; /* ranks of the largest communicator that has agreed */

static bool speaks(void)
{
    return process.settings.verbose && process.rank == 0;
}

#define NATIVE "; every call goes to the native MPI library: "

static const char *why_native(const struct group_info *found)
{
    const struct settings *s = &process.settings;
    const bool off = policy_switched_off(s) == (1u << COLLECTIVES) - 1;
    return found->barred ? reason_word(found->barred)
           : s->disable  ? reason_word(REASON_DISABLED)
           : off         ? "settings of engines or thresholds"
           : s->dry_run  ? "a dry run"
                         : NULL;
}

/* Or that only some do; "" if all do. */
static const char *service(const struct group_info *found, char *text, size_t size)
{
    const char *why = why_native(found);
    if (why)
        snprintf(text, size, NATIVE "%s", why);
    else
        snprintf(text, size, "%s",
                 found->oversubscribed
                     ? "; a node has more ranks than cores, so only engines of shared memory and named engines serve"
                     : "");
    return text;
}

void verbose_agreed(const struct comm *c)
{
    char mpi[80], nodes[64] = "", serves[160];
    const struct group_info *found = c->locality.info;
    if (!speaks())
        return;
    if (most < c->ranks)
        most = c->ranks;
    if (!comm_of_all(c) || atomic_flag_test_and_set(&said))
        return;
    pmpi_words(mpi, sizeof mpi);
    if (found->nodes)
        snprintf(nodes, sizeof nodes, " on %d node%s", found->nodes, plural(found->nodes));
    const char *rules = !found->rules ? "" : found->rules_read ? process.rules : "of another rank";
    say("Pleach " PACKAGE_VERSION " on %s, %d rank%s%s%s%s, loaded on all ranks%s", mpi, c->ranks, plural(c->ranks), nodes,
        found->rules ? ", rules " : "", rules, service(found, serves, sizeof serves));
}

void verbose_close(void)
{
    char mpi[80];
    if (!speaks() || atomic_flag_test_and_set(&said))
        return;
    pmpi_words(mpi, sizeof mpi);
    const int ranks = process_ranks();
    if (ranks == 1)
        say("Pleach " PACKAGE_VERSION " on %s, 1 rank" NATIVE "%s", mpi, reason_word(REASON_ONE_RANK));
    else if (ranks)
        say("Pleach " PACKAGE_VERSION
            " on %s, %d ranks, loaded on %d at least; all ranks together made no call that Pleach serves",
            mpi, ranks, most);
    else /* sessions only */
        say("Pleach " PACKAGE_VERSION " on %s, loaded on %d rank%s at least", mpi, most, plural(most));
}
