/* SPDX-License-Identifier: BSD-2-Clause */
/* See mismatch.h. src/run/alarm.c finds mismatches. */
#include "mismatch.h"

#include "process.h"
#include "words.h"

#include <stdlib.h>

static const char *words_of(const struct statement *s, char *text)
{
    return call_words((enum collective)s->collective, s->bytes, 0, s->root, s->op, text);
}

void mismatch_tell(struct comm *comm)
{
    struct channel *c = &comm->channel;
    const struct statement *own = &c->own, *other = &c->other;
    char mine[CALL_WORDS], theirs[CALL_WORDS] = "another call", me[RANK_WORDS], them[RANK_WORDS];
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;
    if (!c->mismatch)
        return;
    c->mismatch = false;
    int *world = world_ranks(comm->user, comm->ranks);
    pmpi.Comm_get_name(comm->user, name, &length);
    if (other->meaning)
        words_of(other, theirs);
    say("mismatch on %s (%d ranks): %s makes %s, but %s makes %s", name[0] ? name : "a communicator", comm->ranks,
        rank_words(own->rank, world ? world[own->rank] : -1, me), words_of(own, mine),
        rank_words(other->rank, world ? world[other->rank] : -1, them), theirs);
    free(world);
    let_through();
}
